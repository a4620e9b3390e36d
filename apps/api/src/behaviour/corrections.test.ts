/** Corrections of published history: the list, its chain, and who sees which. */
import { createHash } from "node:crypto";
import type { AssayContract, OutputOf } from "@assay/contract";
import { DAY_MS, MINUTE_MS } from "@assay/contract";
import { makeBars, makeRates } from "@assay/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TODAY_MS } from "../testing/bars-app.ts";
import { corrected, type LedgerApp, startLedgerApp, XAU } from "../testing/ledger-app.ts";

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

type Corrections = OutputOf<AssayContract["corrections"]["list"]>;

let ledger: LedgerApp;
let app: LedgerApp["app"];
beforeEach(async () => {
  ledger = await startLedgerApp();
  ({ app } = ledger);
});
afterEach(() => ledger.close());

describe("corrections", () => {
  const list = (query: Record<string, string | number> = {}, as?: string | null) =>
    ledger.get<Corrections>("/v1/corrections", query, as);

  test("are listed oldest first, page by page, each with the digest of the one before", async () => {
    for (const close of ["1", "2", "3"]) {
      app.clock.advance(MINUTE_MS);
      await ledger.importBars(corrected(1, close), corrected(2, close, { symbol: "XAG-USD-SPOT" }));
    }
    const all = await list();
    expect(all.corrections.map(({ symbol, after }) => [symbol, after?.close])).toEqual(
      ["1.0000", "2.0000", "3.0000"].flatMap((close) => [
        ["XAG-USD-SPOT", close],
        [XAU, close],
      ]),
    );
    let previous: string | null = null;
    for (const { digest, ...entry } of all.corrections) {
      expect(entry.previous).toBe(previous);
      expect(createHash("sha256").update(canonical(entry)).digest("hex")).toBe(digest);
      previous = digest;
    }
    const paged: Corrections["corrections"] = [];
    for (let since = 0; ; ) {
      const page = await list({ since, limit: 4 });
      if (page.corrections.length === 0) break;
      paged.push(...page.corrections);
      since = page.next_since;
    }
    expect(paged).toEqual(all.corrections);
    expect(await ledger.get("/v1/corrections/head", {})).toMatchObject({ epoch: 1, number: 6, digest: previous });
    expect((await list({ symbol: "XAG/USD" })).meta.count).toBe(3);
    // What is another series' is not looked through again.
    expect((await list({ symbol: "XAG/USD" })).next_since).toBe(6);
  });

  test("are those of the bars a caller may see, when the caller may see them", async () => {
    await ledger.importBars(corrected(1, "1"), corrected(35, "1"), corrected(1, "1", { symbol: "XAG-USD-SPOT" }));
    const counts = async () => [(await list({}, null)).meta.count, (await list()).meta.count];
    expect(await counts()).toEqual([0, 3]);
    expect(await ledger.get("/v1/corrections/head", {}, null)).toEqual({ epoch: 1, number: 0, digest: null, recorded_at: null });
    app.clock.advance(15 * MINUTE_MS);
    expect(await counts()).toEqual([1, 3]);
    const gated = await app.ask<{ error: string }>("/v1/corrections?symbol=GLD");
    expect([gated.status, gated.json.error]).toEqual([403, "plan_gated"]);
  });

  test("begin after a number, or at an instant or a day, which is its UTC midnight", async () => {
    await ledger.importBars(corrected(1, "1"));
    app.clock.advance(DAY_MS);
    await ledger.importBars(corrected(1, "2"));
    const at = new Date(app.clock()).toISOString();
    const closes = async (since: string | number) => (await list({ since })).corrections.map(({ after }) => after?.close);
    expect(await closes(0)).toEqual(["1.0000", "2.0000"]);
    expect(await closes(1)).toEqual(["2.0000"]);
    for (const since of [at, at.slice(0, 10)]) expect(await closes(since), since).toEqual(["2.0000"]);
    expect((await list({ since: at })).next_since).toBe(2);
    expect((await list({ since: "2099-01-01" })).corrections).toEqual([]);
    const { status, json } = await app.ask<{ issues: { message: string }[] }>("/v1/corrections?since=yesterday");
    expect([status, json.issues[0]?.message]).toEqual([422, expect.stringMatching(/^must be the number of a correction, or an/)]);
  });

  test("have the reference rates that were restated, for everyone, with the depth of daily bars", async () => {
    const publish = (rates: Record<string, string>, daysAgo: number) =>
      app.publish({
        fx: [makeRates({ source: "ecb", role: "reference", base: "EUR", rates, observedAtMs: TODAY_MS - daysAgo * DAY_MS })],
      });
    // Days of which the app has no rates yet.
    for (const daysAgo of [-1, 60]) await publish({ USD: "1.10", CHF: "0.93" }, daysAgo);
    for (const daysAgo of [-1, 60]) await publish({ USD: "1.1003", CHF: "0.93" }, daysAgo);
    app.clock.advance(15 * MINUTE_MS);
    expect((await list()).meta.count).toBe(2);
    const { corrections } = await list({ symbol: "eur-usd-reference" }, null);
    expect(corrections).toMatchObject([
      { symbol: "EUR-USD-REFERENCE", reference_date: dayOf(TODAY_MS + DAY_MS), source: "ecb", after: { close: "1.1003" } },
    ]);
    expect((await list({}, null)).meta.count).toBe(1);
    expect((await list({ symbol: "EUR-CHF-REFERENCE" })).meta.count).toBe(0);
    for (const symbol of ["EUR-XXX-REFERENCE", "EUR-Usd-REFERENCE", "EUR-USD-REFERENCE-X"])
      expect((await app.ask(`/v1/corrections?symbol=${symbol}`)).status, symbol).toBe(422);
  });

  test("have no row for what only appears, or is written again as it was", async () => {
    await ledger.importBars(...makeBars("1d", TODAY_MS - DAY_MS, 40), corrected(60, "7"));
    expect((await list()).corrections).toEqual([]);
  });
});

/** Canonical JSON of an entry: its keys in order at every level; its texts need no escapes. */
const canonical = (value: unknown): string =>
  value !== null && typeof value === "object"
    ? `{${Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, each]) => `"${name}":${canonical(each)}`)
        .join(",")}}`
    : JSON.stringify(value);

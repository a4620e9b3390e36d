/**
 * Settlements over the wire: one row per day, compared with the same contract's previous day; windows, corrections and
 * refusals.
 */
import type { AssayContract, OutputOf } from "@assay/contract";
import type { SettlementRow } from "@assay/pricing";
import { makeSettlement } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Reply, startTestApp, type TestApp } from "../testing/start-test-app.ts";

type Body = OutputOf<AssayContract["settlements"]["list"]> & { readonly error: string };

/** A settlement published at 17:00 in New York of its day. */
const settled = (settlementDate: string, price: string, change: Partial<SettlementRow> = {}): SettlementRow =>
  makeSettlement({ settlementDate, price, observedAtMs: Date.parse(`${settlementDate}T22:00:00Z`), ...change });
const silver = { symbol: "SI", futuresContract: "SIZ26" } as const;

let app: TestApp;
let pro = "";

beforeAll(async () => {
  // Saturday 28 November: Thanksgiving and the roll of the 25th have passed.
  app = await startTestApp();
  app.clock.set(Date.parse("2026-11-28T12:00:00Z"));
  pro = (await app.key("pro")).key;
  await app.publish({
    settlements: [
      settled("2026-11-19", "4001.20"),
      settled("2026-11-20", "4012.50"),
      settled("2026-11-23", "4010.10"),
      settled("2026-11-24", "4031.20"),
      settled("2026-11-25", "4028.00"),
      settled("2026-11-24", "4066.60", { futuresContract: "GCG27" }),
      settled("2026-11-25", "4063.00", { futuresContract: "GCG27" }),
      settled("2026-11-27", "4071.40", { futuresContract: "GCG27", volume: null, openInterest: null }),
      settled("2026-11-20", "48.615", { ...silver, source: "cme-files", sourceType: "official_settlement" }),
      settled("2026-11-20", "48.7", silver),
      settled("2026-11-23", "48.25", { ...silver, source: "cme-files", sourceType: "official_settlement" }),
      settled("2026-11-20", "4.5605", { symbol: "HG", futuresContract: "HGZ26" }),
    ],
  });
});
afterAll(() => app.close());

const list = (query: Record<string, string | number> = {}): Promise<Reply<Body>> =>
  app.ask<Body>("/v1/settlements", { query: { symbol: "GC", ...query }, key: pro });
const rows = async (query: Record<string, string | number> = {}) =>
  (await list(query)).json.settlements.map((each) => [
    each.settlement_date,
    each.settlement_price,
    each.prior_settlement,
    each.change_value,
  ]);

describe("settlements", () => {
  test("are one a day, newest first, each compared with its own contract's previous day: over a weekend, a holiday and a roll", async () => {
    expect(await rows()).toEqual([
      ["2026-11-27", "4071.40", "4063.00", "8.40"], // over Thanksgiving
      ["2026-11-25", "4063.00", "4066.60", "-3.60"], // the roll to February: not 4031.20 of December
      ["2026-11-24", "4031.20", "4010.10", "21.10"],
      ["2026-11-23", "4010.10", "4012.50", "-2.40"], // over the weekend
      ["2026-11-20", "4012.50", "4001.20", "11.30"],
      ["2026-11-19", "4001.20", null, null],
    ]);
  });

  test("name their source, and a proxy states what it is not", async () => {
    const { json } = await list({ to: "2026-11-20", limit: 1 });
    expect(json.settlements).toEqual([
      {
        symbol: "GC",
        settlement_date: "2026-11-20",
        settlement_price: "4012.50",
        prior_settlement: "4001.20",
        change_value: "11.30",
        volume: 151_459,
        open_interest: 328_666,
        source: "alpha",
        source_type: "proxy_daily_close",
        source_timestamp: "2026-11-20T22:00:00Z",
        fetched_at: "2026-11-20T22:01:00Z",
        disclaimer: expect.stringContaining("1 to 5 USD"),
      },
    ]);
    expect((await list({ limit: 1 })).json.settlements[0]).toMatchObject({ volume: null, open_interest: null });
  });

  test("of the exchange itself take precedence over a proxy and carry no disclaimer", async () => {
    const { json } = await list({ symbol: "si" });
    expect(json.settlements.map((each) => [each.settlement_price, each.prior_settlement, each.change_value])).toEqual([
      ["48.2500", "48.6150", "-0.3650"],
      ["48.6150", null, null],
    ]);
    for (const each of json.settlements) expect(each).not.toHaveProperty("disclaimer");
    expect((await list({ symbol: "HG" })).json.settlements[0]?.settlement_price).toBe("4.5605");
  });

  test("keep to their window and limit, inclusive at both ends", async () => {
    expect((await rows({ from: "2026-11-20", to: "2026-11-23" })).map(([date]) => date)).toEqual(["2026-11-23", "2026-11-20"]);
    expect((await rows({ limit: 2 })).map(([date]) => date)).toEqual(["2026-11-27", "2026-11-25"]);
    // The day before a window is known, though not part of it.
    expect(await rows({ from: "2026-11-23", to: "2026-11-23" })).toEqual([["2026-11-23", "4010.10", "4012.50", "-2.40"]]);
    expect(await rows({ from: "2025-11-23", to: "2025-11-30" })).toEqual([]);
    expect(await rows({ to: "0001-01-01" })).toEqual([]);
    expect(await rows({ from: "0000-01-01", to: "0000-01-02" })).toEqual([]);
    expect(await rows({ to: "9999-12-31" })).toEqual([]);
  });

  test("go back thirty days by default, and 365 at most", async () => {
    await app.publish({
      settlements: [
        settled("2026-10-28", "3950.00", { symbol: "HG", futuresContract: "HGZ26" }),
        settled("2026-10-29", "4.51", { symbol: "HG", futuresContract: "HGZ26" }),
      ],
    });
    expect((await rows({ symbol: "HG" })).map(([date]) => date)).toEqual(["2026-11-20", "2026-10-29"]);
    expect((await rows({ symbol: "HG", to: "2026-11-27" })).map(([date]) => date)).toEqual([
      "2026-11-20",
      "2026-10-29",
      "2026-10-28",
    ]);
    expect((await list({ from: "2025-11-28", to: "2026-11-28" })).status).toBe(200);
    expect((await list({ from: "2025-11-27", to: "2026-11-28" })).json.error).toBe("bad_request");
  });

  test("show a correction, and ignore a repeated line", async () => {
    const before = (await list({ symbol: "SI" })).text;
    const repeated = settled("2026-11-23", "48.25", { ...silver, source: "cme-files", sourceType: "official_settlement" });
    await app.publish({ settlements: [{ ...repeated, fetchedAtMs: app.clock() }] });
    expect((await list({ symbol: "SI" })).text).toBe(before);
    await app.publish({ settlements: [{ ...repeated, price: "48.30", observedAtMs: repeated.observedAtMs + 1_000 }] });
    expect((await rows({ symbol: "SI" }))[0]).toEqual(["2026-11-23", "48.3000", "48.6150", "-0.3150"]);
  });
});

describe("refused is", () => {
  test.each([
    [{ symbol: "PL" }, 400, "bad_request"],
    [{ from: "2026-02-30" }, 400, "bad_request"],
    [{ to: "tomorrow" }, 400, "bad_request"],
    [{ from: "2026-11-21", to: "2026-11-20" }, 400, "bad_request"],
    [{ from: "2026-12-01" }, 400, "bad_request"],
    [{ to: "2026-11-20T00:00:00Z" }, 422, "validation_error"],
  ])("%j with %i %s", async (query, status, code) => {
    const { status: answered, json } = await list(query);
    expect([answered, json.error]).toEqual([status, code]);
  });

  test("what has not been read with 503 while the store is down; what has been is answered", async () => {
    const known = await list();
    app.store.break();
    const { status, json } = await list({ to: "2020-01-01" });
    const again = await list();
    app.store.recover();
    expect([status, json.error]).toEqual([503, "service_unavailable"]);
    expect([again.status, again.text]).toEqual([200, known.text]);
    expect((await list({ to: "2020-01-01" })).status).toBe(200);
  });
});

import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readCloses, readStandingCloses } from "../bars/closes.ts";
import { openBarCopy } from "../bars/copy.ts";
import { encodeBar, readStandingPage } from "../bars/encoded.ts";
import { replaceBars, upsertBars } from "../bars/write.ts";
import { readReferenceDays, readStandingReferenceDays } from "../market/fx-tables.ts";
import { writeMoment } from "../market/moment.ts";
import { dropSettlements, readSettlements } from "../market/settlements.ts";
import { setAhead } from "../open/ahead.ts";
import { renumber } from "../records/renumber.ts";
import { rowsOf, type Store } from "../store.ts";
import { testEngines } from "../testing/engines.ts";
import { barRow, fxTable, minutes, NOON_MS, settlementRow } from "../testing/rows.ts";
import { readKnownAt, readLedgerHead } from "./ledger.ts";

const SYMBOL = "XAU-USD-SPOT";
const MINUTE = 60_000;
const SERIES = { symbol: SYMBOL, interval: "1m" } as const;
/** Later than every bar of these tests. */
const END_MS = NOON_MS + 1_000 * MINUTE;
const EVERYTHING = { ...SERIES, fromMs: 0, toMs: END_MS, limit: 10_000 };

describe.each(testEngines)("the ledger on $name", (engine) => {
  let store: Store;
  let nowMs: number;
  let token: number;
  beforeEach(async () => {
    nowMs = END_MS;
    token = 1;
    store = await engine.open(() => nowMs);
  });
  afterEach(() => store.close());

  const run = (query: ReturnType<typeof sql>) => store.run((db) => rowsOf<Record<string, string>>(db, query));
  /** As a process does that knows no ledger: its clock is the database's. */
  const runAsOlder = (statement: string) =>
    run(sql.raw(`do $$ begin perform ${setAhead(nowMs).slice("select ".length)}; ${statement}; end $$`));
  const knownAt = async (atMs: number): Promise<string[] | "unknown"> => {
    const known = await readKnownAt(store, atMs);
    if (!known.isKnown) return "unknown";
    const { bytes } = await readStandingPage(store, { ...EVERYTHING, revision: known.state.revision });
    const bars = JSON.parse(`[${Buffer.from(bytes).toString()}]`) as unknown[]; // as the database encodes bars
    return bars.map((bar) => JSON.stringify(bar));
  };

  test("chains every correction to the one before, in canonical JSON", async () => {
    await upsertBars(store, [barRow()]);
    for (const close of ["1", "2.5", "0.1234567"]) await upsertBars(store, [barRow({ close })]);
    await replaceBars(store, SYMBOL, [{ interval: "1m", barStartMs: NOON_MS }], []);
    const entries = await run(sql`select entry, digest from corrections order by number`);
    expect(entries).toHaveLength(4);
    let previous: string | null = null;
    for (const { entry = "", digest = "" } of entries) {
      const value = JSON.parse(entry) as Record<string, unknown>; // an object, by the trigger
      expect(value.previous).toBe(previous);
      expect(Object.keys(value)).toEqual(Object.keys(value).toSorted());
      expect(JSON.stringify(value)).toBe(entry);
      previous = digest;
    }
    expect(JSON.parse(entries[0]?.entry ?? "")).toEqual({
      epoch: 1,
      number: 1,
      previous: null,
      revision: 2,
      reason: "import",
      symbol: SYMBOL,
      interval: "1m",
      bar_start: "2026-11-20T14:00:00Z",
      settlement_date: null,
      futures_contract: null,
      recorded_at: new Date(nowMs).toISOString(),
      before: { open: "4003.20", high: "4004.13", low: "4002.75", close: "4003.95", volume: null },
      after: { open: "4003.20", high: "4004.13", low: "4002.75", close: "1.0000", volume: null },
    });
    expect(JSON.parse(entries[3]?.entry ?? "")).toMatchObject({ after: null });
  });

  test("takes what repeats the stored figures for no change, whatever its source", async () => {
    await upsertBars(store, [barRow()]);
    const { revision, recordedAtMs } = await readLedgerHead(store);
    nowMs += MINUTE;
    await upsertBars(store, [barRow({ sourceId: "another", close: "4003.9500" })]);
    expect(await knownAt(recordedAtMs)).toEqual([encodeBar(barRow())]);
    expect(await run(sql`select revision::text from bars`)).toEqual([{ revision: String(revision) }]);
    expect(await run(sql`select number from corrections`)).toEqual([]);
  });

  test("has no correction for what is written alike on the wire, and knows both", async () => {
    await upsertBars(store, [barRow({ close: "4003.9512" })]);
    const { recordedAtMs } = await readLedgerHead(store);
    nowMs += MINUTE;
    await upsertBars(store, [barRow({ close: "4003.9534" })]);
    expect(await run(sql`select number from corrections`)).toEqual([]);
    expect(await run(sql`select close::text from bars_past`)).toEqual([{ close: "4003.9512" }]);
    expect(await knownAt(recordedAtMs)).toEqual([encodeBar(barRow({ close: "4003.95" }))]);
  });

  test("keeps a bar that an operator gave another name or time", async () => {
    await upsertBars(store, [barRow()]);
    const first = nowMs;
    nowMs += MINUTE;
    await runAsOlder("update bars set symbol = 'GLD'");
    nowMs += MINUTE;
    expect([await knownAt(first), await knownAt(nowMs)]).toEqual([[encodeBar(barRow())], []]);
    const entries = await run(sql`select entry from corrections`);
    expect(entries.map(({ entry = "" }) => JSON.parse(entry) as object)).toMatchObject([{ symbol: SYMBOL, after: null }]);
  });

  test("keeps reference rates that were restated or removed, and no live ones", async () => {
    const writer = { token, holder: "writer" };
    const publish = (fx: Parameters<typeof fxTable>[0][]) =>
      writeMoment(store, writer, { ticks: [], bars: [], fx: fx.map((change) => fxTable(change)) });
    const reference = (usd: string) => ({ source: "ecb", role: "reference", base: "EUR", rates: { USD: usd } }) as const;
    const usdAt = async (revision: number) => {
      const days = await readStandingReferenceDays(store, "EUR", "USD", { revision, fromMs: 0, toMs: END_MS });
      return days.map(({ rates }) => rates.USD);
    };
    const revisions = [];
    for (const usd of ["1.10", "1.11", "1.11"]) revisions.push(await publish([reference(usd)]));
    expect(await publish([{}, { rates: { EUR: "0.9" } }]), "live tables take no revision").toBe(0);
    await runAsOlder("delete from fx_tables");
    const { revision } = await readLedgerHead(store);
    expect(await Promise.all([...revisions, revision].map(usdAt))).toEqual([["1.10"], ["1.11"], ["1.11"], []]);
    expect(await run(sql`select role from fx_tables_past`)).toEqual([{ role: "reference" }, { role: "reference" }]);
    expect((await readReferenceDays(store, "EUR", "USD")).revision).toBe(revision);
  });

  test("notes every rate that is restated or removed, exactly, and none that only appears or is written again", async () => {
    const writer = { token, holder: "writer" };
    const publish = (rates: Record<string, string>) =>
      writeMoment(store, writer, {
        ticks: [],
        bars: [],
        fx: [fxTable({ source: "ecb", role: "reference", base: "EUR", rates, observedAtMs: NOON_MS })],
      });
    await publish({ USD: "1.1001", CHF: "0.93" });
    await publish({ USD: "1.10010", CHF: "0.93", JPY: "170" });
    expect(await run(sql`select number from corrections`)).toEqual([]);
    await publish({ USD: "1.1003", JPY: "170" });
    await runAsOlder("delete from fx_tables");
    const entries = await run(sql`select symbol, entry, digest from corrections order by number`);
    expect(entries.map(({ symbol }) => symbol)).toEqual(["CHF", "USD", "JPY", "USD"].map((code) => `EUR-${code}-REFERENCE`));
    const [, usd] = entries.map(({ entry = "" }) => JSON.parse(entry) as Record<string, unknown>); // an object, by the trigger
    expect(usd).toMatchObject({
      reason: "publisher",
      source: "ecb",
      reference_date: "2026-11-20",
      interval: null,
      bar_start: null,
      settlement_date: null,
      before: { open: null, close: "1.10010" },
      after: { open: null, close: "1.1003" },
    });
    for (const { entry = "", digest } of entries) {
      expect(JSON.stringify(JSON.parse(entry))).toBe(entry);
      expect(Object.keys(JSON.parse(entry) as object)).toEqual(Object.keys(JSON.parse(entry) as object).toSorted());
      expect(createHash("sha256").update(entry).digest("hex")).toBe(digest);
    }
  });

  test("names the source and the note of an import, and of nothing else", async () => {
    const origin = { source: "import:lbma", note: 'November, "corrected" \\ 11\u00b0\u0007' };
    await upsertBars(store, [barRow()]);
    await upsertBars({ ...store, importing: origin }, [barRow({ close: "1" })]);
    await replaceBars({ ...store, importing: { ...origin, note: null } }, SYMBOL, [{ interval: "1m", barStartMs: NOON_MS }], []);
    await upsertBars({ ...store, importing: origin }, [barRow({ close: "2" })]);
    await upsertBars({ ...store, importing: origin }, [barRow({ close: "3" })], { reason: "late_source" });
    await runAsOlder("update bars set close = 4");
    const entries = await run(sql`select entry from corrections order by number`);
    const said = entries.map(({ entry = "" }) => JSON.parse(entry) as Record<string, unknown>); // as above
    expect(said.map(({ reason, source, note }) => [reason, source, note])).toEqual([
      ["import", origin.source, origin.note],
      ["import", origin.source, undefined],
      ["late_source", undefined, undefined],
      ["operator", undefined, undefined],
    ]);
    for (const [at, { entry = "" }] of entries.entries()) expect(JSON.stringify(said[at])).toBe(entry);
  });

  test("begins with the first revision, and knows nothing before", async () => {
    expect(await readKnownAt(store, nowMs)).toEqual({ isKnown: false, startsAtMs: null });
    await upsertBars(store, [barRow()]);
    expect(await readKnownAt(store, nowMs - 1)).toEqual({ isKnown: false, startsAtMs: nowMs });
    expect(await readKnownAt(store, nowMs)).toMatchObject({ isKnown: true, state: { revision: 1, recordedAtMs: nowMs } });
  });

  test("never goes back in time, whatever clock a writer has", async () => {
    await upsertBars(store, [barRow()]);
    nowMs -= 10 * MINUTE;
    await upsertBars(store, [barRow({ close: "1" })]);
    expect(await readLedgerHead(store)).toMatchObject({ revision: 2, recordedAtMs: nowMs + 10 * MINUTE });
  });

  test("keeps closes of days, and settlements that were corrected, restated or deleted", async () => {
    const day = barRow({ interval: "1d", barStartMs: NOON_MS - (NOON_MS % 86_400_000) });
    await upsertBars(store, [day]);
    const writer = { token, holder: "writer" };
    const settle = (price: string, observedAtMs = settlementRow().observedAtMs) =>
      writeMoment(store, writer, { ticks: [], bars: [], fx: [], settlements: [settlementRow({ price, observedAtMs })] });
    await settle("4010.5");
    const first = await readLedgerHead(store);
    nowMs += MINUTE;
    await upsertBars(store, [{ ...day, close: "1" }]);
    await settle("4011");
    const second = await readLedgerHead(store);
    nowMs += MINUTE;
    await settle("4012", settlementRow().observedAtMs + 1);
    const third = await readLedgerHead(store);
    await dropSettlements(store, writer, ["2026-11-19"]);

    const picks = [{ day: "2026-11-19", futuresContract: "GCZ26" }];
    const priceAt = async (revision?: number) =>
      (await readSettlements(store, "GC", picks, END_MS, revision)).map(({ price }) => price);
    expect(await priceAt(first.revision)).toEqual(["4010.5"]);
    expect(await priceAt(second.revision)).toEqual(["4011"]);
    expect(await priceAt(third.revision)).toEqual(["4012"]);
    expect(await priceAt()).toEqual([]);
    const closes = await readStandingCloses(store, SYMBOL, { revision: first.revision, fromMs: 0, toMs: END_MS });
    expect(closes.map(({ close }) => close)).toEqual([day.close]);
    expect((await readCloses(store, SYMBOL)).closes.map(({ close }) => close)).toEqual(["1"]);
    const entries = await run(sql`select entry from corrections where interval is null order by number`);
    const brief = entries.map(
      ({ entry = "" }) => JSON.parse(entry) as { before: { close: string }; after: { close: string } | null },
    ); // as above
    const figures = brief.map(({ before, after }) => [before.close, after?.close ?? null]);
    expect(figures.slice(0, 2)).toEqual([
      ["4010.50", "4011.00"],
      ["4011.00", "4012.00"],
    ]);
    // Rows that one statement deletes are noted in the order in which the engine meets them.
    expect(figures.slice(2).sort()).toEqual([
      ["4011.00", null],
      ["4012.00", null],
    ]);
  });

  test("writes days in the form of the wire, however the server writes them", async () => {
    const settlements = [settlementRow({ price: "4010.5" })];
    await writeMoment(store, { token, holder: "writer" }, { ticks: [], bars: [], fx: [], settlements });
    await runAsOlder("set local datestyle to 'SQL, DMY'; update settlements set price = 4011");
    const [{ entry = "" } = {}] = await run(sql`select entry from corrections`);
    expect(JSON.parse(entry)).toMatchObject({ settlement_date: "2026-11-19" });
  });

  test("begins a new epoch after a restore, whose lost time it does not know, with numbers that were never used", async () => {
    await upsertBars(store, [barRow()]);
    await upsertBars(store, [barRow({ close: "1" })]);
    const backup = await readLedgerHead(store);
    const lostMs = nowMs + 10 * MINUTE;
    nowMs += 60 * MINUTE;
    await renumber(store, nowMs);
    expect(await readKnownAt(store, backup.recordedAtMs)).toMatchObject({ isKnown: true, state: { revision: backup.revision } });
    expect(await readKnownAt(store, lostMs)).toEqual({ isKnown: false, startsAtMs: nowMs });
    expect(await knownAt(nowMs)).toEqual([encodeBar(barRow({ close: "1" }))]);
    const begun = await readLedgerHead(store);
    expect(begun.recordedAtMs).toBe(nowMs);
    expect(begun.epoch).toBeGreaterThan(backup.epoch);
    expect(begun.revision).toBeGreaterThan(backup.revision + 60 * MINUTE);
    await upsertBars(store, [barRow({ close: "2" })]);
    const entries = (await run(sql`select entry from corrections order by number`)).map(
      ({ entry = "" }) => JSON.parse(entry) as object,
    ); // as above
    expect(entries).toMatchObject([
      { epoch: 1, number: 1 },
      { epoch: begun.epoch, number: expect.any(Number) },
    ]);
    expect((entries[1] as { number: number }).number).toBeGreaterThan(60 * MINUTE);
  });

  test("knows after a restore what was known while live rates came in and nothing was recorded", async () => {
    await upsertBars(store, [barRow()]);
    const recordedMs = nowMs;
    await run(sql`insert into fx_tables (source, base, observed_at, role, fresh_for_ms, rates)
      values ('live-fx', 'USD', ${new Date(recordedMs + 60 * MINUTE).toISOString()}::text::timestamptz, 'live', 60000, '{"EUR":"0.9"}')`);
    nowMs += 90 * MINUTE;
    await renumber(store, nowMs);
    expect(await knownAt(recordedMs + 59 * MINUTE)).toEqual([encodeBar(barRow())]);
    expect(await readKnownAt(store, recordedMs + 59 * MINUTE + 1)).toEqual({ isKnown: false, startsAtMs: nowMs });
    expect(await knownAt(nowMs)).toEqual([encodeBar(barRow())]);
  });

  test("dates the rows of a COPY with its end, and lets others write meanwhile", async ({ skip }) => {
    const copy = await openBarCopy(store);
    if (!copy) return skip("the embedded engine has no COPY that lasts");
    await copy.add(minutes(10));
    await upsertBars(store, [barRow({ symbol: "GLD" })]);
    const meanwhile = await readLedgerHead(store);
    expect(await copy.finish()).toBe(true);
    nowMs += MINUTE;
    const ended = await readLedgerHead(store);
    expect(ended.revision).toBe(meanwhile.revision + 1);
    const countAt = async (revision: number) => (await readStandingPage(store, { ...EVERYTHING, revision })).count;
    expect(await countAt(meanwhile.revision)).toBe(0);
    expect(await countAt(ended.revision)).toBe(10);
    await upsertBars(store, minutes(10, { close: "1" }));
    expect(await countAt(ended.revision)).toBe(10);
    expect(await knownAt(nowMs - 1)).toEqual(minutes(10).toReversed().map(encodeBar));
  });
});

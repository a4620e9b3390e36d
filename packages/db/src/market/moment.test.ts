/** The writer's writes, and the fence around them, on every engine. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readBars } from "../bars/read.ts";
import { replaceBars, upsertBars } from "../bars/write.ts";
import { BarsRevisedError, StaleTokenError, StoreQueryError } from "../errors.ts";
import { writerFence } from "../schema/records.ts";
import { claimFence, readBarsRevision, readFenceToken } from "../statements/fence.ts";
import type { Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { barRow, fxTable, minutes, NOON_MS, rateSet, tick } from "../testing/rows.ts";
import { readDayPairs } from "./day-pairs.ts";
import { readFxTables, readReferenceSpan } from "./fx-tables.ts";
import { writeMoment } from "./moment.ts";
import { readRateSets, readRateSetsSince } from "./rate-sets.ts";
import { readLastSeqs, readNewestTicks, readTicksSince } from "./ticks.ts";

const OLD = { token: 7, holder: "writer-a" };
const NEW = { token: 8, holder: "writer-b" };

describe.each(testEngines)("the writer's moments on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
  });
  afterAll(() => store.close());

  const moment = (seq: number) => ({
    ticks: [tick(seq, { computedAtMs: NOON_MS + seq })],
    bars: [barRow({ close: `400${seq}`, isClosed: false })],
    fx: [fxTable({ observedAtMs: NOON_MS + seq })],
  });
  const stored = async () => ({
    ticks: await readTicksSince(store, 0),
    bars: await readBars(store, { symbol: "XAU-USD-SPOT", interval: "1m", fromMs: 0, toMs: 4e12, limit: 100 }),
    fx: await readFxTables(store, 0),
  });

  test("are stored completely", async () => {
    await writeMoment(store, OLD, moment(1));
    expect(await stored()).toEqual(moment(1));
    expect(await readFenceToken(store)).toBe(7);
  });

  test("keep text with line feeds, quotes and backslashes as it is", async () => {
    const [source] = tick(1).sources;
    if (!source) throw new Error("the tick has a source");
    const ticks = [1, 2].map((seq) => tick(seq, { sources: [{ ...source, displayName: `Gold\n"API"\\ ${seq}\r\n` }] }));
    await writeMoment(store, OLD, { ticks, bars: [], fx: [] });
    expect(await readTicksSince(store, 0)).toEqual(ticks);
  });

  test("keep the rates beside their ticks digit for digit, once, and find those that stood from an instant on", async () => {
    const sets = [1, 2, 3].map((id) => rateSet(id, NOON_MS + id * 10_000, `0.86430423509075194${id}`));
    await writeMoment(store, OLD, { ...moment(1), rateSets: sets.slice(0, 2) });
    await writeMoment(store, OLD, { ...moment(2), rateSets: [rateSet(2, NOON_MS, "9"), ...sets.slice(2)] });
    expect(await readRateSets(store, [3, 1, 1, 9])).toEqual([sets[0], sets[2]]);
    expect(await readRateSets(store, [])).toEqual([]);
    expect(await readRateSetsSince(store, 0)).toEqual(sets);
    expect(await readRateSetsSince(store, NOON_MS + 20_001)).toEqual(sets.slice(1));
    expect(await readRateSetsSince(store, NOON_MS + 99_000)).toEqual(sets.slice(2));
  });

  test("keep how a day began, once, with or without a day before", async () => {
    const opens = { price: "4003.205", atMs: NOON_MS, rateSet: 2 };
    const first = { instrument: "XAU-USD-SPOT", day: "2026-11-19", opens, before: null } as const;
    const second = { ...first, day: "2026-11-20", before: { ...opens, price: "4001.10", rateSet: 1 } };
    await writeMoment(store, OLD, { ...moment(1), dayPairs: [first, second] });
    await writeMoment(store, OLD, { ...moment(2), dayPairs: [{ ...second, before: null }] });
    expect(await readDayPairs(store, "2026-11-19")).toEqual([first, second]);
    expect(await readDayPairs(store, "2026-11-20")).toEqual([second]);
  });

  test("refuse a token older than the last write's and keep nothing of it", async () => {
    await writeMoment(store, OLD, moment(1));
    await writeMoment(store, NEW, moment(2));
    const before = await stored();
    await expect(writeMoment(store, OLD, moment(3))).rejects.toThrow(StaleTokenError);
    expect(await stored()).toEqual(before);
    expect(await readFenceToken(store)).toBe(8);
  });

  test("refuse the former holder from the claim on, before the new one has written", async () => {
    await writeMoment(store, OLD, moment(1));
    await claimFence(store, NEW.token, NEW.holder);
    await expect(writeMoment(store, OLD, moment(2))).rejects.toThrow(StaleTokenError);
    await expect(claimFence(store, OLD.token, OLD.holder)).rejects.toThrow(StaleTokenError);
    await expect(upsertBars(store, minutes(3), { writer: OLD })).rejects.toThrow(StaleTokenError);
    expect((await stored()).bars).toEqual(moment(1).bars);
  });

  test("refuse a second holder of the same token", async () => {
    await writeMoment(store, OLD, moment(1));
    await expect(writeMoment(store, { ...OLD, holder: "impostor" }, moment(2))).rejects.toThrow(StaleTokenError);
    await writeMoment(store, OLD, moment(2));
    expect((await stored()).ticks).toHaveLength(2);
  });

  test("let exactly one of two writers of one token through when they claim at the same moment", async () => {
    const claims = await Promise.allSettled([claimFence(store, 9, "a"), claimFence(store, 9, "b"), claimFence(store, 9, "c")]);
    expect(claims.filter((claim) => claim.status === "fulfilled")).toHaveLength(1);
  });

  test("say since when their writer writes, by the store's clock", async () => {
    for (const nowMs of [NOON_MS, NOON_MS + 5_000]) await claimFence({ ...store, now: () => nowMs }, 9, "a");
    expect(await store.run((db) => db.select({ since: writerFence.since }).from(writerFence))).toEqual([{ since: NOON_MS }]);
  });

  test("keep nothing of a moment whose sequence number is taken", async () => {
    await writeMoment(store, OLD, moment(1));
    const before = await stored();
    const again = { ...moment(2), ticks: [tick(2), tick(1, { price: "1" })] };
    const failure = await writeMoment(store, OLD, again).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreQueryError);
    expect(failure).toMatchObject({ code: "23505" });
    expect(await stored()).toEqual(before);
  });

  test("report what the database refused without repeating what was sent", async () => {
    const secret = moment(1);
    const bars = [barRow({ close: "4003.95", sourceId: "hush-hush", open: "no number" })];
    const failure: unknown = await writeMoment(store, OLD, { ...secret, bars }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreQueryError);
    expect(failure).not.toHaveProperty("cause");
    expect(JSON.stringify(failure) + String(failure)).not.toContain("hush-hush");
  });

  test("rounds how long a table is fresh to the millisecond, as a source's interval need not be whole seconds", async () => {
    await writeMoment(store, OLD, { ticks: [], bars: [], fx: [fxTable({ freshForMs: 1.001 * 3 * 1_000 + 0.0001 })] });
    expect((await readFxTables(store, 0)).map(({ freshForMs }) => freshForMs)).toEqual([3_003]);
  });

  test("return ticks to the last digit, key order and all", async () => {
    const odd = tick(9_007_199_254_740_991, { price: "4003.200000000000000001000", divergenceBps: null, sources: [] });
    const { bid, ask, ...bare } = tick(1, { instrument: "GLD", volume: "0.00", basis: "council" });
    await writeMoment(store, OLD, { ticks: [odd, bare], bars: [], fx: [] });
    const back = await readTicksSince(store, 0);
    expect(back.map((each) => JSON.stringify(each))).toEqual([bare, odd].map((each) => JSON.stringify(each)));
  });

  test("return the newest tick of each instrument, oldest first", async () => {
    expect(await readNewestTicks(store)).toEqual([]);
    const fund = tick(4, { instrument: "GLD", computedAtMs: NOON_MS - 9 });
    await writeMoment(store, OLD, { ticks: [tick(3), tick(11), fund], bars: [], fx: [] });
    expect(await readNewestTicks(store)).toEqual([fund, tick(11)]);
  });

  test("return the last sequence number of each instrument", async () => {
    expect(await readLastSeqs(store)).toEqual(new Map());
    await writeMoment(store, OLD, { ticks: [tick(3), tick(11), tick(4, { instrument: "GLD" })], bars: [], fx: [] });
    expect(await readLastSeqs(store)).toEqual(
      new Map([
        ["GLD", 4],
        ["XAU-USD-SPOT", 11],
      ]),
    );
  });

  test("return ticks from an instant on and the newest before it of each instrument", async () => {
    const at = (seq: number, ageMs: number, instrument: "GLD" | "XAU-USD-SPOT" = "XAU-USD-SPOT") =>
      tick(seq, { instrument, computedAtMs: NOON_MS - ageMs });
    const ticks = [at(1, 5_000), at(2, 2_000), at(3, 1_000), at(4, 0), at(1, 9_000, "GLD"), at(2, 8_000, "GLD")];
    await writeMoment(store, OLD, { ticks, bars: [], fx: [] });
    expect(await readTicksSince(store, NOON_MS - 1_000)).toEqual([ticks[5], ticks[1], ticks[2], ticks[3]]);
  });

  test("return rates from an instant on, the references of seven days before it, and the newest live table of those", async () => {
    const reference = (ageDays: number) =>
      fxTable({ source: "ecb", role: "reference", base: "EUR", observedAtMs: NOON_MS - ageDays * 86_400_000 });
    const live = (ageMs: number) => fxTable({ observedAtMs: NOON_MS - ageMs });
    const tables = [reference(8), reference(6), reference(1), live(60_000), live(0)];
    const gone = fxTable({ source: "gone", observedAtMs: NOON_MS - 8 * 86_400_000 });
    await writeMoment(store, OLD, { ticks: [], bars: [], fx: [live(61_000), ...tables, gone] });
    expect(await readFxTables(store, NOON_MS - 30_000)).toEqual(tables.slice(1));
    expect(await readFxTables(store, NOON_MS - 60_000)).toEqual([...tables.slice(1, 3), live(61_000), ...tables.slice(3)]);
  });

  test("return the date until which a source's reference rates are stored without a gap, beginning with the first", async () => {
    const reference = (ageDays: number) =>
      fxTable({ source: "ecb", role: "reference", observedAtMs: NOON_MS - ageDays * 86_400_000 });
    expect(await readReferenceSpan(store, "ecb")).toBeNull();
    await writeMoment(store, OLD, { ticks: [], bars: [], fx: [fxTable(), reference(40), reference(35), reference(30)] });
    expect(await readReferenceSpan(store, "ecb")).toEqual({ tables: 3, unbrokenUntilMs: NOON_MS - 30 * 86_400_000 });
    await writeMoment(store, OLD, { ticks: [], bars: [], fx: [reference(1)] });
    expect(await readReferenceSpan(store, "ecb")).toEqual({ tables: 4, unbrokenUntilMs: NOON_MS - 30 * 86_400_000 });
    await writeMoment(store, OLD, { ticks: [], bars: [], fx: [reference(10), reference(20)] });
    expect(await readReferenceSpan(store, "ecb")).toEqual({ tables: 6, unbrokenUntilMs: NOON_MS - 86_400_000 });
  });

  test("replace no closed bar by one made from ticks, and accept a correction from its publisher", async () => {
    const all = () => readBars(store, { symbol: "XAU-USD-SPOT", interval: "1m", fromMs: 0, toMs: 4e12, limit: 10 });
    const imported = barRow({ sourceId: "import:ohlc" });
    await upsertBars(store, [imported]);
    for (const isClosed of [true, false])
      await writeMoment(store, OLD, { ticks: [], bars: [barRow({ close: "1", isClosed })], fx: [] });
    expect(await all()).toEqual([imported]);
    const corrected = barRow({ sourceId: "exchange", close: "4003.99" });
    await writeMoment(store, OLD, { ticks: [], bars: [corrected], fx: [] });
    expect(await all()).toEqual([corrected]);
  });

  test("refuse a moment whose bars were computed from older ones, and keep nothing of it", async () => {
    const revision = await readBarsRevision(store);
    const moment = (seq: number) => ({ ticks: [tick(seq)], bars: [barRow({ isClosed: false })], fx: [] });
    await writeMoment(store, OLD, moment(1), revision);
    await writeMoment(store, OLD, moment(2), revision + 1);
    await replaceBars(store, "XAU-USD-SPOT", [], [barRow({ interval: "1h" })], revision + 2);
    await expect(writeMoment(store, OLD, moment(3), revision + 2)).rejects.toThrow(BarsRevisedError);
    await expect(replaceBars(store, "XAU-USD-SPOT", [], [barRow({ close: "1" })], revision)).rejects.toThrow(BarsRevisedError);
    expect(await readLastSeqs(store)).toEqual(new Map([["XAU-USD-SPOT", 2]]));
    await writeMoment(store, NEW, moment(3), revision + 3);
    await expect(writeMoment(store, OLD, moment(4), revision + 4)).rejects.toThrow(StaleTokenError);
  });

  test("replace rates of the same source and moment, the later in one moment counting", async () => {
    const corrected = fxTable({ rates: { EUR: "0.8611" } });
    await writeMoment(store, OLD, { ticks: [], bars: [], fx: [fxTable(), fxTable({ rates: { EUR: "0.8610" } })] });
    await writeMoment(store, OLD, { ticks: [], bars: [], fx: [corrected] });
    expect(await readFxTables(store, 0)).toEqual([corrected]);
  });
});

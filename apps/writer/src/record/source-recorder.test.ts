/** The record of sources: judged readings, deviations by hand, and terms that end at any moment, on the stores it is written to. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@assay/contract";
import { claimFence, readSourceRecords, type Store, writeMoment } from "@assay/db";
import { emptyTables, testEngines } from "@assay/db/testing";
import { addCounts, noCounts, RECORD_QUARTER_MS, type SourceRecord, type SpotObservation } from "@assay/pricing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BarKeeper } from "../bars/bar-keeper.ts";
import { Desks } from "../desks.ts";
import { Refusals } from "../feed-health.ts";
import { MarketDesk } from "../prices/market-desk.ts";
import { gold, source } from "../testing/readings.ts";
import { SourceRecorder } from "./source-recorder.ts";

const NOON_MS = Date.parse("2026-11-20T12:00:00Z");
const INSTRUMENT = "XAU-USD-SPOT";
const polled = (key: string, more: object = {}) => ({ ...source(key), instruments: [INSTRUMENT], ...more });

const open = (sources = [polled("a"), polled("b"), polled("c")]) => {
  const byKey = new Map(sources.map((each) => [each.key, each]));
  const market = new MarketDesk({ sources: byKey, bars: new BarKeeper("composed"), seqs: new Map(), isOpen: () => true });
  const log = {
    info: () => undefined,
    warn: () => undefined,
    feed: () => undefined,
    archives: () => undefined,
    fault: () => undefined,
  };
  const record = new SourceRecorder(byKey, true);
  const desks = new Desks(market, [], new Refusals([], log), record);
  const take = (atMs: number, ...observations: SpotObservation[]) => desks.take(desks.accept(observations, atMs), atMs);
  return { record, take };
};

/** The counts of each source over what was given out, by key. */
const sumsOf = (records: readonly SourceRecord[], span: SourceRecord["span"] = "quarter") => {
  const sums = new Map<string, SourceRecord["document"]["counts"]>();
  for (const each of records)
    if (each.span === span) sums.set(each.source, addCounts(sums.get(each.source) ?? noCounts(0), each.document.counts));
  return sums;
};

describe("the record", () => {
  /** Moves on by the minute; returns everything that is given out by an instant. */
  const until = (record: SourceRecorder, fromMs: number, toMs: number): SourceRecord[] => {
    const given: SourceRecord[] = [];
    for (let nowMs = fromMs; nowMs <= toMs; nowMs += MINUTE_MS) given.push(...record.take(nowMs));
    return given;
  };
  const LATER_MS = NOON_MS + 2 * RECORD_QUARTER_MS;

  it("measures each reading against the price believed without its source, to the tenth of a basis point", () => {
    const { record, take } = open();
    record.begin([], NOON_MS);
    take(NOON_MS, gold("a", "4000.00", NOON_MS), gold("b", "4001.00", NOON_MS), gold("c", "4004.00", NOON_MS));
    const sums = sumsOf(until(record, NOON_MS, LATER_MS));
    // 2.50 from 4002.50 is 6.246 bps, 1.00 from 4002.00 is 2.499, and 3.50 from 4000.50 is 8.749.
    expect([...sums].map(([key, { deviations }]) => [key, deviations])).toEqual([
      ["a", { 63: 1 }],
      ["b", { 25: 1 }],
      ["c", { 88: 1 }],
    ]);
  });

  it("knows what has come of a source: refused for a while is down since its last accepted reading, however often it speaks", () => {
    const { record, take } = open();
    record.begin([], NOON_MS);
    expect(record.deliveriesOf("a")).toBeNull();
    take(NOON_MS, gold("a", "4000.00", NOON_MS), gold("b", "4001.00", NOON_MS), gold("c", "4004.00", NOON_MS));
    const doubt = (atMs: number) =>
      take(atMs, gold("a", "40000.00", atMs), gold("b", "4001.00", atMs), gold("c", "4004.00", atMs));
    for (const second of [1, 2, 3]) doubt(NOON_MS + second * SECOND_MS);
    expect(record.deliveriesOf("a")).toEqual({ lastAcceptedAtMs: NOON_MS, refusals: 3 });
    expect(record.deliveriesOf("b")).toEqual({ lastAcceptedAtMs: NOON_MS + 3 * SECOND_MS, refusals: 0 });
    const atMs = NOON_MS + 4 * SECOND_MS;
    take(atMs, gold("a", "4000.00", atMs));
    expect(record.deliveriesOf("a")).toEqual({ lastAcceptedAtMs: atMs, refusals: 0 });
  });

  it("leaves out with a source those that repeat its origin, and has no deviation where no price is left", () => {
    const { record, take } = open([polled("a", { origin: "x" }), polled("b", { origin: "x" }), polled("c")]);
    record.begin([], NOON_MS);
    take(NOON_MS, gold("a", "4000.00", NOON_MS));
    take(NOON_MS + SECOND_MS, gold("b", "4000.00", NOON_MS), gold("c", "4004.00", NOON_MS));
    const sums = sumsOf(until(record, NOON_MS, LATER_MS));
    expect([...sums].map(([key, { accepted, deviations }]) => [key, accepted, deviations])).toEqual([
      ["a", 1, {}],
      // 4.00 from 4004.00 is 9.990 bps, from 4000.00 10.000.
      ["b", 1, { 100: 1 }],
      ["c", 1, { 100: 1 }],
    ]);
  });

  it("lists every source from the first second on, on the day that is shown; a restart after midnight keeps yesterday's counts", () => {
    const midnightMs = Date.parse("2026-11-21T00:00:00Z");
    const days = (records: readonly SourceRecord[]) =>
      records.filter(({ span }) => span === "day").map(({ startsAtMs, document: { counts } }) => [startsAtMs, counts.received]);
    for (const [minute, startsAtMs] of [
      [-1, midnightMs - DAY_MS],
      [29, midnightMs - DAY_MS],
      [30, midnightMs],
    ] as const) {
      const nowMs = midnightMs + minute * MINUTE_MS;
      const { record } = open([polled("a")]);
      record.begin([], nowMs);
      const first = record.take(nowMs);
      expect(days(first), `${minute}`).toEqual([[startsAtMs, 0]]);
      const restarted = open([polled("a")]);
      const counted = first.map((each) => ({
        ...each,
        document: { ...each.document, counts: { ...each.document.counts, received: 7 } },
      }));
      restarted.record.begin(counted, nowMs);
      expect(days(restarted.record.take(nowMs)), `${minute}`).toEqual([]);
    }
  });

  it("continues without the records of a metal that was taken out of the catalogue", () => {
    const { record } = open([polled("a")]);
    const document = { info: { displayName: "a", origin: "a", license: null, cadenceMs: 1_000 }, counts: noCounts(NOON_MS) };
    const gone = { source: "a", instrument: "XRH-USD-SPOT", span: "day", startsAtMs: NOON_MS, document } as const;
    record.begin([gone as unknown as SourceRecord], NOON_MS); // stored under another catalogue
    const given = until(record, NOON_MS, LATER_MS);
    expect(new Set(given.map(({ instrument }) => instrument))).toEqual(new Set([INSTRUMENT]));
  });

  it("counts readings by the rule that refused them: of one reading, of all together, and of the feed", () => {
    const { record, take } = open();
    record.begin([], NOON_MS);
    take(NOON_MS, gold("a", "4000.00", NOON_MS), gold("b", "4001.00", NOON_MS), gold("c", "124413.91", NOON_MS));
    take(NOON_MS + SECOND_MS, gold("c", "4700.00", NOON_MS + SECOND_MS));
    // Only repeated, which is refused as it was before.
    take(NOON_MS + 2 * SECOND_MS, gold("c", "4700.00", NOON_MS + SECOND_MS));
    take(NOON_MS + 3 * SECOND_MS, gold("c", "-1", NOON_MS));
    record.judged(gold("a", "4000.00", NOON_MS), "frozen", NOON_MS + 4 * SECOND_MS);
    take(NOON_MS + 4 * SECOND_MS);
    const sums = sumsOf(until(record, NOON_MS, LATER_MS));
    expect(sums.get("a")).toMatchObject({ received: 2, accepted: 1, refused: { frozen: 1 } });
    expect(sums.get("b")).toMatchObject({ received: 1, accepted: 1, refused: {} });
    expect(sums.get("c")).toMatchObject({
      received: 4,
      accepted: 0,
      refused: { out_of_range: 1, jump: 2, not_positive: 1 },
      deviations: {},
    });
  });

  it("lists every source at once, counts nothing that was read before it began, and gives out a quarter 15 minutes late", () => {
    const { record, take } = open();
    take(NOON_MS - SECOND_MS, gold("a", "4000.00", NOON_MS - SECOND_MS));
    record.begin([], NOON_MS);
    take(NOON_MS + SECOND_MS, gold("a", "4000.00", NOON_MS + SECOND_MS));
    const first = record.take(NOON_MS + 2 * SECOND_MS);
    expect(first.map(({ source: key, span, document }) => [key, span, document.counts.received])).toEqual([
      ["a", "day", 0],
      ["b", "day", 0],
      ["c", "day", 0],
    ]);
    expect(first[0]?.document.counts.lastAcceptedAtMs).toBeNull();
    expect(until(record, NOON_MS + MINUTE_MS, LATER_MS - MINUTE_MS)).toEqual([]);
    const [quarter, day] = record.take(LATER_MS);
    expect(quarter).toMatchObject({ source: "a", span: "quarter", startsAtMs: NOON_MS, document: { counts: { received: 1 } } });
    expect(day).toMatchObject({
      source: "a",
      span: "day",
      document: { counts: { received: 1, untilMs: NOON_MS + RECORD_QUARTER_MS } },
    });
  });

  it("expects nothing while the market is closed", () => {
    const { record } = open();
    const saturdayMs = Date.parse("2026-11-21T12:00:00Z");
    record.begin([], saturdayMs);
    const sums = sumsOf(until(record, saturdayMs, saturdayMs + 2 * RECORD_QUARTER_MS));
    expect(sums.get("a")).toMatchObject({ expected: 0, met: 0, incidents: [] });
  });
});

describe.each(testEngines)("records of many terms on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  }, 120_000);
  afterAll(() => store.close());

  const STEP_MS = 30 * SECOND_MS;
  const HOURS_MS = 2 * 3_600_000;

  it("lose at most half an hour at each end of a term, and hold nothing twice", async () => {
    const ends = fc.array(fc.integer({ min: 1, max: HOURS_MS / STEP_MS - 1 }), { maxLength: 3 });
    const repeats = fc.boolean();
    await fc.assert(
      fc.asyncProperty(ends, repeats, async (steps, isRepeated) => {
        await emptyTables(store);
        const endsMs = [...steps.map((step) => NOON_MS + step * STEP_MS).sort((a, b) => a - b), NOON_MS + HOURS_MS];
        const read: number[] = [];
        let fromMs = NOON_MS;
        for (const [index, endMs] of endsMs.entries()) {
          // The writer before was killed: nothing of its memory is left.
          const writer = { token: index + 1, holder: "one" };
          await claimFence(store, writer.token, writer.holder);
          const { record, take } = open([polled("a")]);
          record.begin(await readSourceRecords(store, { span: "day", fromMs: NOON_MS - 24 * 3_600_000 }), fromMs);
          for (let nowMs = fromMs + STEP_MS; nowMs <= endMs; nowMs += STEP_MS) {
            take(nowMs, gold("a", "4000.00", nowMs));
            read.push(nowMs);
            const records = record.take(nowMs);
            if (records.length === 0) continue;
            await writeMoment(store, writer, { ticks: [], bars: [], fx: [], records });
            // The answer to the write was lost, and it is tried again.
            if (isRepeated) await writeMoment(store, writer, { ticks: [], bars: [], fx: [], records });
          }
          fromMs = endMs;
        }
        const quarters = await readSourceRecords(store, { span: "quarter", fromMs: 0 });
        const days = await readSourceRecords(store, { span: "day", fromMs: 0 });
        const kept = sumsOf(quarters).get("a") ?? noCounts(0);
        const { untilMs: _, ...counts } = days[0]?.document.counts ?? noCounts(0);
        // Never more than half an hour of a term, which ends in memory.
        const lost = endsMs.map((endMs) => read.filter((atMs) => atMs > endMs - 2 * RECORD_QUARTER_MS && atMs <= endMs).length);
        expect(days).toHaveLength(1);
        expect(counts).toMatchObject({ received: kept.received, expected: kept.expected, met: kept.met });
        expect(kept.received).toBeLessThanOrEqual(read.length);
        expect(kept.received).toBeGreaterThanOrEqual(read.length - lost.reduce((sum, each) => sum + each, 0));
        expect(kept.expected).toBe(kept.met);
        expect(kept.incidents).toEqual([]);
      }),
      { numRuns: 8 },
    );
  }, 60_000);
});

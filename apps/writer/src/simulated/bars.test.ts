/** Filling the simulated history: what a service is ready with, what follows behind it, and going on after a stop. */
import { BAR_SYMBOLS, DAY_MS, INTERVALS } from "@assay/contract";
import { claimFence, readBars, readHistoryGaps, StaleTokenError, type Store, upsertBars } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import { machineTime } from "@assay/ports";
import { aggregateBars, type BarRow, bucketStart, type HistoryGap } from "@assay/pricing";
import { silentProgress } from "@assay/process";
import { simulatedBars } from "@assay/simulator";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { Gaps } from "../backfill/history-gaps.ts";
import { TermEndedError } from "../term/term-options.ts";
import { isOfShortDay, shortDays } from "../testing/in-process.ts";
import { dueBars, fillOlder, makeNewest, type StoredSeries } from "./bars.ts";

const XAU = "XAU-USD-SPOT";
/** Shortly after midnight, so that the forming day is short, and after the first day of the youngest series. */
const NOW_MS = Date.parse("2004-11-30T00:07:08.900Z");
const MIDNIGHT_MS = Date.parse("2004-11-30T00:00:00Z");
/** Daily bars are due from 1996; those of before this day are not made. */
const DAILY_FROM_MS = Date.parse("2004-11-01T00:00:00Z");
const MARKET = { seed: 7, hours: "always" } as const;
const HISTORY_DAYS = 3;

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

/** Makes short days, and few daily bars. */
const openThread = (): ReturnType<typeof shortDays.bars> => {
  const thread = shortDays.bars();
  const ask: typeof thread.ask = ({ gap, ...options }) => {
    const fromMs = gap.bars === "daily" ? Math.max(gap.fromMs, DAILY_FROM_MS) : gap.fromMs;
    return thread.ask({ gap: { ...gap, fromMs }, ...options });
  };
  return { ...thread, ask };
};

interface Run {
  readonly token: number;
  readonly nowMs?: number;
  /** Ends the run once this many writes of older bars have begun. */
  readonly writes?: number;
}

/** One term: what it is ready with, then the older part. @returns how often readers were notified */
const run = async ({ token, nowMs = NOW_MS, writes = Number.POSITIVE_INFINITY }: Run): Promise<number> => {
  const by = { token, holder: `term ${token}` };
  const gaps = await Gaps.read(store, by);
  const common = { ...MARKET, store, writer: by, gaps, thread: openThread(), clock: machineTime };
  const newest = { progress: silentProgress, nowMs, mayWrite: () => true, historyDays: HISTORY_DAYS };
  const writeNewest = await makeNewest({ ...common, ...newest });
  await writeNewest();
  let begun = 0;
  let notified = 0;
  await fillOlder({
    ...common,
    nowMs,
    log: { info: () => {} },
    signal: new AbortController().signal,
    sharesProcess: false,
    mayWrite: () => {
      begun += 1;
      return begun <= writes;
    },
    onFilled: () => {
      notified += 1;
    },
  });
  return notified;
};

const stored = (symbol: string, interval: BarRow["interval"]): Promise<BarRow[]> =>
  readBars(store, { symbol, interval, fromMs: 0, toMs: NOW_MS + 9 * DAY_MS, limit: 100_000 });

/** Everything that is stored of a series is what the market says of the days up to an instant, every bar once. */
const expectWhole = async (nowMs: number): Promise<void> => {
  const endMs = Math.floor(nowMs / 1_000) * 1_000 + 1_000;
  const symbol = "XAG-USD-SPOT";
  const of = (interval: "1m" | "1d", fromMs: number) => [
    ...simulatedBars(symbol, interval, fromMs, endMs, MARKET.seed, MARKET.hours),
  ];
  const minutes = of("1m", MIDNIGHT_MS - HISTORY_DAYS * DAY_MS).filter(isOfShortDay);
  for (const interval of INTERVALS) {
    const expected =
      interval === "1d" ? of("1d", DAILY_FROM_MS) : interval === "1m" ? minutes : aggregateBars(minutes, interval, endMs);
    expect((await stored(symbol, interval)).toReversed(), interval).toEqual(expected);
  }
  for (const each of BAR_SYMBOLS) {
    const first = await stored(each, "1m").then((bars) => bars.at(-1)?.barStartMs);
    expect(first, each).toBe(MIDNIGHT_MS - HISTORY_DAYS * DAY_MS);
  }
  expect(await readHistoryGaps(store)).toEqual([]);
};

// One store: each test continues where the previous one left it.
describe("the simulated history", () => {
  test("is ready with the daily bars and two days, and records what is missing", async () => {
    await expect(run({ token: 1, writes: 0 })).rejects.toThrow(TermEndedError);
    expect(await stored(XAU, "1d")).toHaveLength(30);
    expect((await stored(XAU, "1m")).at(-1)?.barStartMs).toBe(MIDNIGHT_MS - DAY_MS);
    const gap = { symbol: XAU, bars: "intraday", fromMs: MIDNIGHT_MS - 3 * DAY_MS, untilMs: MIDNIGHT_MS - DAY_MS };
    expect(await readHistoryGaps(store)).toContainEqual(gap);
  });

  test.each([
    { token: 2, writes: 1, days: [1, 2] },
    // The others of that day, and one of the day before.
    { token: 3, writes: BAR_SYMBOLS.length, days: [2, 3] },
  ])("stops at any write, newest day first, and says what is left: term $token", async ({ token, writes, days }) => {
    await expect(run({ token, writes })).rejects.toThrow(TermEndedError);
    const gaps = await readHistoryGaps(store);
    const left = new Set<number>();
    for (const symbol of BAR_SYMBOLS) {
      const oldestMs = (await stored(symbol, "1m")).at(-1)?.barStartMs ?? 0;
      const gap = gaps.find((each) => each.symbol === symbol);
      expect(oldestMs, symbol).toBe(gap?.untilMs ?? MIDNIGHT_MS - HISTORY_DAYS * DAY_MS);
      left.add((MIDNIGHT_MS - oldestMs) / DAY_MS);
    }
    expect([...left].toSorted()).toEqual(days);
  });

  test("is complete at the end, and readers are notified", async () => {
    expect(await run({ token: 4 })).toBeGreaterThan(0);
    await expectWhole(NOW_MS);
    expect(await run({ token: 5 }), "readers are not notified of a complete history").toBe(0);
  });

  test("continues after a stop of two days, and leaves the live bars alone", async () => {
    // As ticks made it, which is not what the market would say again.
    const lived = (await stored("XAG-USD-SPOT", "1h")).find((bar) => bar.isClosed);
    if (!lived) throw new Error("no closed hour");
    await upsertBars(store, [{ ...lived, close: "1.5" }]);
    const laterMs = NOW_MS + 2 * DAY_MS;
    await run({ token: 6, nowMs: laterMs });
    const hours = await stored("XAG-USD-SPOT", "1h");
    expect(hours.find((bar) => bar.barStartMs === lived.barStartMs)?.close).toBe("1.5");
    await upsertBars(store, [lived]);
    await expectWhole(laterMs);
  });

  test("is not written in a term that a newer one has replaced", async () => {
    const before = await stored(XAU, "1d");
    await claimFence(store, 9, "newer");
    await expect(run({ token: 8, nowMs: NOW_MS + 3 * DAY_MS })).rejects.toThrow(StaleTokenError);
    expect(await stored(XAU, "1d")).toEqual(before);
  });
});

const at = (iso: string): number => Date.parse(iso);
const END_MS = at("2026-11-20T12:00:31Z");

/** Every series, as a service stopped at an instant leaves them. */
const stoppedAt = (atMs: number): StoredSeries[] =>
  BAR_SYMBOLS.flatMap((symbol) =>
    INTERVALS.map((interval) => ({ symbol, interval, latestStartMs: bucketStart(atMs, interval) })),
  );

const dailyFrom = (gaps: readonly HistoryGap[]) => gaps.find(({ symbol, bars }) => symbol === XAU && bars === "daily")?.fromMs;

const spans = (gaps: readonly HistoryGap[]) =>
  gaps
    .filter(({ symbol, bars }) => symbol === XAU && bars === "intraday")
    .map(({ fromMs, untilMs }) => [fromMs, untilMs].map((ms) => new Date(ms).toISOString()));

describe("the history of an empty store", () => {
  it("begins in 1996 by the day, and the given days ago below a day: two days at once, the others later", () => {
    const due = dueBars([], [], { historyDays: 30, endMs: END_MS, tradedMs: END_MS });
    expect(dailyFrom(due.newest)).toBe(at("1996-01-01T00:00:00Z"));
    expect(spans(due.newest)).toEqual([["2026-11-19T00:00:00.000Z", "2026-11-20T12:00:31.000Z"]]);
    expect(spans(due.older)).toEqual([["2026-10-21T00:00:00.000Z", "2026-11-19T00:00:00.000Z"]]);
    expect(new Set(due.older.map(({ symbol }) => symbol))).toEqual(new Set(BAR_SYMBOLS));
  });

  it("leaves nothing for later when it is short", () => {
    expect(dueBars([], [], { historyDays: 1, endMs: END_MS, tradedMs: END_MS }).older).toEqual([]);
  });

  it("is ready on a Sunday with the Friday before it, and the day before that", () => {
    const sunday = { endMs: at("2026-11-22T12:00:31Z"), tradedMs: at("2026-11-20T22:00:00Z") };
    const due = dueBars([], [], { historyDays: 2, ...sunday });
    expect(spans(due.newest)).toEqual([["2026-11-19T00:00:00.000Z", "2026-11-22T12:00:31.000Z"]]);
    expect(spans(due.older)).toEqual([["2026-11-18T00:00:00.000Z", "2026-11-19T00:00:00.000Z"]]);
  });
});

describe("the history of a store that has one", () => {
  it("continues from the bars that were forming, whatever else is stored", () => {
    const due = dueBars(stoppedAt(at("2026-11-20T11:59:58Z")), [], { historyDays: 30, endMs: END_MS, tradedMs: END_MS });
    expect(dailyFrom(due.newest)).toBe(at("2026-11-20T00:00:00Z"));
    expect(spans(due.newest)).toEqual([["2026-11-20T11:59:00.000Z", "2026-11-20T12:00:31.000Z"]]);
    expect(due.older).toEqual([]);
  });

  it("builds the forming minute again after a stop within it", () => {
    const due = dueBars(stoppedAt(at("2026-11-20T12:00:07Z")), [], { historyDays: 30, endMs: END_MS, tradedMs: END_MS });
    expect(spans(due.newest)).toEqual([["2026-11-20T12:00:00.000Z", "2026-11-20T12:00:31.000Z"]]);
  });

  it("fills what a stop of days left out behind the newest days, even if a new store's history would be shorter", () => {
    const due = dueBars(stoppedAt(at("2026-11-10T07:30:30Z")), [], { historyDays: 1, endMs: END_MS, tradedMs: END_MS });
    expect(spans(due.newest)).toEqual([["2026-11-19T00:00:00.000Z", "2026-11-20T12:00:31.000Z"]]);
    expect(spans(due.older)).toEqual([["2026-11-10T07:30:00.000Z", "2026-11-19T00:00:00.000Z"]]);
  });

  it("continues an interrupted run, and leaves the days alone that have been written live since", () => {
    const left: HistoryGap = {
      symbol: XAU,
      bars: "intraday",
      fromMs: at("2026-10-21T00:00:00Z"),
      untilMs: at("2026-11-02T00:00:00Z"),
    };
    const due = dueBars(stoppedAt(at("2026-11-17T09:00:00Z")), [left], { historyDays: 30, endMs: END_MS, tradedMs: END_MS });
    expect(spans(due.older)).toEqual([
      ["2026-10-21T00:00:00.000Z", "2026-11-02T00:00:00.000Z"],
      ["2026-11-17T09:00:00.000Z", "2026-11-19T00:00:00.000Z"],
    ]);
  });

  it("is rebuilt where an interval was not written before a stop", () => {
    const stored = stoppedAt(at("2026-11-20T11:59:58Z")).filter(({ interval }) => interval !== "4h");
    const due = dueBars(stored, [], { historyDays: 3, endMs: END_MS, tradedMs: END_MS });
    expect(spans(due.older)).toEqual([["2026-11-17T00:00:00.000Z", "2026-11-19T00:00:00.000Z"]]);
  });

  it("leaves out what no caller can read any more", () => {
    const due = dueBars(stoppedAt(at("2026-05-01T07:00:00Z")), [], { historyDays: 1, endMs: END_MS, tradedMs: END_MS });
    expect(spans(due.older)).toEqual([["2026-10-21T00:00:00.000Z", "2026-11-19T00:00:00.000Z"]]);
    expect(dailyFrom(due.newest)).toBe(at("2026-05-01T00:00:00Z"));
  });
});

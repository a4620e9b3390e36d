/** Filling the simulated history: what a service is ready with, what follows behind it, and going on after a stop. */
import { BAR_SYMBOLS, DAY_MS, INTERVALS } from "@assay/contract";
import { claimFence, readBars, readHistoryGaps, StaleTokenError, type Store, upsertBars } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import { aggregateBars, type BarRow } from "@assay/pricing";
import { silentProgress } from "@assay/process";
import { simulatedBars } from "@assay/simulator";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Gaps } from "../backfill/gaps.ts";
import { TermEndedError } from "../term/term-ended.ts";
import { inProcess } from "../testing/in-process.ts";
import { fillOlder, makeNewest } from "./bars.ts";

/** Early, so that the daily bars since 1996 are few, and after the first day of the youngest series. */
const NOW_MS = Date.parse("2004-11-30T06:07:08.900Z");
const MIDNIGHT_MS = Date.parse("2004-11-30T00:00:00Z");
const MARKET = { seed: 7, hours: "always" } as const;
const HISTORY_DAYS = 4;
const writer = { token: 1, holder: "writer" };

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(() => store.close());

interface Run {
  readonly nowMs?: number;
  readonly by?: typeof writer;
  /** Ends the run once this many writes of older bars have begun. */
  readonly writes?: number;
}

/** One term: what it is ready with, then the older part. */
const run = async ({ nowMs = NOW_MS, by = writer, writes = Number.POSITIVE_INFINITY }: Run = {}): Promise<number> => {
  const gaps = await Gaps.read(store, by);
  const common = { ...MARKET, store, writer: by, gaps, thread: inProcess.bars() };
  const newest = { progress: silentProgress, nowMs, mayWrite: () => true, historyDays: HISTORY_DAYS };
  const writeNewest = await makeNewest({ ...common, ...newest });
  await writeNewest();
  let begun = 0;
  let told = 0;
  await fillOlder({
    ...common,
    ...{ log: { info: () => {} }, signal: new AbortController().signal, sharesProcess: false },
    mayWrite: () => {
      begun += 1;
      return begun <= writes;
    },
    onFilled: () => {
      told += 1;
    },
  });
  return told;
};

const stored = (symbol: string, interval: BarRow["interval"]): Promise<BarRow[]> =>
  readBars(store, { symbol, interval, fromMs: 0, toMs: NOW_MS + 9 * DAY_MS, limit: 100_000 });

/** Everything that is stored of a series is what the market says of the days up to an instant, every bar once. */
const expectWhole = async (nowMs: number): Promise<void> => {
  const endMs = Math.floor(nowMs / 1_000) * 1_000 + 1_000;
  const symbol = "XAG-USD-SPOT";
  const minutes = [...simulatedBars(symbol, "1m", MIDNIGHT_MS - HISTORY_DAYS * DAY_MS, endMs, MARKET.seed, MARKET.hours)];
  for (const interval of INTERVALS) {
    const expected =
      interval === "1d"
        ? [...simulatedBars(symbol, "1d", 0, endMs, MARKET.seed, MARKET.hours)]
        : interval === "1m"
          ? minutes
          : aggregateBars(minutes, interval, endMs);
    expect((await stored(symbol, interval)).toReversed(), interval).toEqual(expected);
  }
  for (const each of BAR_SYMBOLS) {
    const first = await stored(each, "1m").then((bars) => bars.at(-1)?.barStartMs);
    expect(first, each).toBe(MIDNIGHT_MS - HISTORY_DAYS * DAY_MS);
  }
  expect(await readHistoryGaps(store)).toEqual([]);
};

describe("the simulated history", () => {
  test("is complete at the end, and readers are notified", async () => {
    expect(await run()).toBeGreaterThan(0);
    await expectWhole(NOW_MS);
    expect(await run(), "there is nothing to tell of a history that is whole").toBe(0);
  });

  test("is ready with the daily bars and two days, and records what is missing", async () => {
    await expect(run({ writes: 0 })).rejects.toThrow(TermEndedError);
    expect(await stored("XAU-USD-SPOT", "1d")).toHaveLength(3_257);
    expect((await stored("XAU-USD-SPOT", "1m")).at(-1)?.barStartMs).toBe(MIDNIGHT_MS - DAY_MS);
    const gap = { symbol: "XAU-USD-SPOT", bars: "intraday", fromMs: MIDNIGHT_MS - 4 * DAY_MS, untilMs: MIDNIGHT_MS - DAY_MS };
    expect(await readHistoryGaps(store)).toContainEqual(gap);
  });

  test.each([1, 14])("continues after a stop at its write %i, newest day first", async (writes) => {
    await expect(run({ writes })).rejects.toThrow(TermEndedError);
    const before = await readHistoryGaps(store);
    const oldest = (await stored("XAU-USD-SPOT", "1m")).at(-1)?.barStartMs;
    expect(before.find(({ symbol }) => symbol === "XAU-USD-SPOT")?.untilMs).toBe(oldest);
    await run({ by: { token: 2, holder: "next" } });
    await expectWhole(NOW_MS);
  });

  test("continues after a stop of two days, and leaves the live bars alone", async () => {
    await run();
    // As ticks made it, which is not what the market would say again.
    const lived = (await stored("XAG-USD-SPOT", "1h")).find((bar) => bar.isClosed);
    if (!lived) throw new Error("no closed hour");
    await upsertBars(store, [{ ...lived, close: "1.5" }]);
    const laterMs = NOW_MS + 3 * DAY_MS;
    await run({ nowMs: laterMs });
    const hours = await stored("XAG-USD-SPOT", "1h");
    expect(hours.find((bar) => bar.barStartMs === lived.barStartMs)?.close).toBe("1.5");
    await upsertBars(store, [lived]);
    await expectWhole(laterMs);
  });

  test("is not written in a term that a newer one has replaced", async () => {
    await claimFence(store, 9, "newer");
    await expect(run()).rejects.toThrow(StaleTokenError);
    expect(await stored("XAU-USD-SPOT", "1d")).toEqual([]);
  });
});

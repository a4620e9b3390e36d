/** The simulated market's past: daily bars from 1996 and thirty days of every other interval, from where the store ends. */
import { setImmediate } from "node:timers/promises";
import { BAR_SYMBOLS, INTERVAL_MS, INTERVALS, INTRADAY_DEPTH_DAYS, type Interval } from "@assay/contract";
import { analyze, readSeriesSources, type Store, upsertBars, type WriterToken } from "@assay/db";
import { aggregateBars, type BarRow, bucketStart, type DailySymbol, type SimulatedHours, simulatedBars } from "@assay/pricing";
import type { BarKeeper } from "../bar-keeper.ts";
import { TermEndedError } from "../term-ended.ts";
import type { Progress } from "./progress.ts";

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(1996, 0, 1);
const BATCH = 10_000;
/** Bars made between two turns of the event loop: some tens of milliseconds, where a whole series takes a second. */
const BARS_PER_TURN = 1_000;

/** Where a series goes on. */
type Starts = (symbol: DailySymbol, interval: Interval, earliestMs: number) => number;

/** What the backfill works with. */
export interface SimulatedBackfill {
  readonly store: Store;
  readonly writer: WriterToken;
  readonly seed: number;
  readonly hours: SimulatedHours;
  /** Receives the bars that are forming at the end. */
  readonly keeper: BarKeeper;
  readonly progress: Progress;
  readonly nowMs: number;
  /** Whether a write may begin. */
  readonly mayWrite: () => boolean;
}

const DAILY: readonly DailySymbol[] = [...BAR_SYMBOLS, "XPT-USD-SPOT", "XPD-USD-SPOT"];
const INTRADAY = INTERVALS.filter((interval) => interval !== "1d");

/** A series goes on from its newest stored bar, which may have been forming, so it is made again. */
const storedStarts = async (store: Store): Promise<Starts> => {
  const series = await readSeriesSources(store);
  const newest = new Map(series.map(({ symbol, interval, latestStartMs }) => [`${symbol} ${interval}`, latestStartMs]));
  return (symbol, interval, earliestMs) => Math.max(earliestMs, newest.get(`${symbol} ${interval}`) ?? earliestMs);
};

/** Gathers bars as they are made, and lets the lease's timers have their turn: one that is renewed too late is lost. */
const gathered = async (making: Iterable<BarRow>): Promise<BarRow[]> => {
  const bars: BarRow[] = [];
  for (const bar of making) {
    bars.push(bar);
    if (bars.length % BARS_PER_TURN === 0) await setImmediate();
  }
  return bars;
};

/** The intraday bars of a series: minutes as the market made them, the coarser ones out of the minutes. */
async function* intradayBars(
  symbol: DailySymbol,
  startOf: (interval: Interval) => number,
  endMs: number,
  { seed, hours }: Pick<SimulatedBackfill, "seed" | "hours">,
): AsyncGenerator<readonly BarRow[]> {
  const fromMs = Math.min(...INTRADAY.map(startOf));
  const minutes = await gathered(simulatedBars(symbol, "1m", fromMs, endMs, seed, hours));
  for (const interval of INTRADAY) {
    const wanted = minutes.filter((bar) => bar.barStartMs >= startOf(interval));
    yield interval === "1m" ? wanted : aggregateBars(wanted, interval, endMs);
  }
}

/** Every bar that is missing, a series after the other. */
async function* missingBars(options: SimulatedBackfill, starts: Starts, endMs: number): AsyncGenerator<readonly BarRow[]> {
  const { seed, hours, nowMs } = options;
  for (const symbol of DAILY)
    yield await gathered(simulatedBars(symbol, "1d", starts(symbol, "1d", FIRST_DAY_MS), endMs, seed, hours));
  const intradayFromMs = bucketStart(nowMs - INTRADAY_DEPTH_DAYS * DAY_MS, "1d");
  for (const symbol of BAR_SYMBOLS) {
    yield* intradayBars(symbol, (interval) => starts(symbol, interval, intradayFromMs), endMs, options);
  }
}

const expected = (starts: Starts, nowMs: number): number => {
  const count = (symbol: DailySymbol, interval: Interval, earliestMs: number): number =>
    Math.max(0, Math.ceil((nowMs - starts(symbol, interval, earliestMs)) / INTERVAL_MS[interval]));
  const intradayFromMs = nowMs - INTRADAY_DEPTH_DAYS * DAY_MS;
  const intraday = BAR_SYMBOLS.flatMap((symbol) => INTRADAY.map((interval) => count(symbol, interval, intradayFromMs)));
  return [...DAILY.map((symbol) => count(symbol, "1d", FIRST_DAY_MS)), ...intraday].reduce((sum, each) => sum + each, 0);
};

/**
 * Fills the store up to now. It may be stopped at any point: the next run goes on from the newest bar of each series.
 * @returns how many bars were written
 */
export const backfillSimulated = async (options: SimulatedBackfill): Promise<number> => {
  const { store, writer, keeper, progress, nowMs, mayWrite } = options;
  const starts = await storedStarts(store);
  // A bar ends before the second of the live tick that follows it, so the fill ends with the second of now.
  const endMs = Math.floor(nowMs / 1_000) * 1_000 + 1_000;
  const line = progress.line("history", expected(starts, nowMs));
  let written = 0;
  let batch: BarRow[] = [];
  const flush = async (): Promise<void> => {
    if (!mayWrite()) throw new TermEndedError("the lease ran out");
    await upsertBars(store, batch, { writer });
    written += batch.length;
    line.advance(batch.length);
    batch = [];
    // The embedded engine answers without a turn of the event loop; the lease's timers need one.
    await setImmediate();
  };
  for await (const bars of missingBars(options, starts, endMs)) {
    for (const bar of bars) if (!bar.isClosed) keeper.put(bar);
    batch.push(...bars);
    await setImmediate();
    if (batch.length >= BATCH) await flush();
  }
  await flush();
  line.done();
  if (written > BATCH) await analyze(store);
  return written;
};

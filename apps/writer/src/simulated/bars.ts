/** Backfills the simulated market: daily bars from 1996 and some days of every other interval, from where the store ends. */
import { setImmediate } from "node:timers/promises";
import { BAR_SYMBOLS, INTERVAL_MS, INTERVALS, type Interval } from "@assay/contract";
import { analyze, readSeriesSources, upsertBars } from "@assay/db";
import { aggregateBars, type BarRow, DAILY_SYMBOLS, type DailySymbol } from "@assay/pricing";
import { type SimulatedHours, simulatedBars } from "@assay/simulator";
import { TermEndedError } from "../term/term-ended.ts";
import type { PastWriting } from "../term/term-options.ts";
import { type SeriesStarts, seriesStarts } from "./series-starts.ts";

const BATCH = 10_000;
/** Bars built before yielding to the event loop: tens of milliseconds, where a whole series takes a second. */
const BARS_PER_TURN = 1_000;

/** What building and writing the bars depends on. */
export interface BarsFill extends PastWriting {
  readonly seed: number;
  readonly hours: SimulatedHours;
  /** Days of intraday bars an empty store starts with. */
  readonly historyDays: number;
}

const INTRADAY = INTERVALS.filter((interval) => interval !== "1d");

/** Collects bars, yielding so that the lease's timers run: one renewed too late is lost. */
const gathered = async (making: Iterable<BarRow>): Promise<BarRow[]> => {
  const bars: BarRow[] = [];
  for (const bar of making) {
    bars.push(bar);
    if (bars.length % BARS_PER_TURN === 0) await setImmediate();
  }
  return bars;
};

/** The intraday bars of a series: minutes from the simulated market, and coarser ones built from them. */
async function* intradayBars(
  symbol: DailySymbol,
  startOf: (interval: Interval) => number,
  endMs: number,
  { seed, hours }: Pick<BarsFill, "seed" | "hours">,
): AsyncGenerator<readonly BarRow[]> {
  const fromMs = Math.min(...INTRADAY.map(startOf));
  const minutes = await gathered(simulatedBars(symbol, "1m", fromMs, endMs, seed, hours));
  for (const interval of INTRADAY) {
    const wanted = minutes.filter((bar) => bar.barStartMs >= startOf(interval));
    yield interval === "1m" ? wanted : aggregateBars(wanted, interval, endMs);
  }
}

/** Every missing bar, one series after another. */
async function* missingBars(options: BarsFill, starts: SeriesStarts, endMs: number): AsyncGenerator<readonly BarRow[]> {
  const { seed, hours } = options;
  for (const symbol of DAILY_SYMBOLS) yield await gathered(simulatedBars(symbol, "1d", starts(symbol, "1d"), endMs, seed, hours));
  for (const symbol of BAR_SYMBOLS) yield* intradayBars(symbol, (interval) => starts(symbol, interval), endMs, options);
}

const expected = (starts: SeriesStarts, nowMs: number): number => {
  const count = (symbol: DailySymbol, interval: Interval): number =>
    Math.max(0, Math.ceil((nowMs - starts(symbol, interval)) / INTERVAL_MS[interval]));
  const intraday = BAR_SYMBOLS.flatMap((symbol) => INTRADAY.map((interval) => count(symbol, interval)));
  return [...DAILY_SYMBOLS.map((symbol) => count(symbol, "1d")), ...intraday].reduce((sum, each) => sum + each, 0);
};

/**
 * Fills the store up to now. It may be interrupted: the next run continues from the newest bar of each series.
 * @returns the number of bars written
 */
export const fillBars = async (options: BarsFill): Promise<number> => {
  const { store, writer, keeper, progress, nowMs, mayWrite } = options;
  const starts = seriesStarts(await readSeriesSources(store), nowMs, options.historyDays);
  // A bar ends before the second of the next live tick, so the backfill ends with the current second.
  const endMs = Math.floor(nowMs / 1_000) * 1_000 + 1_000;
  const step = progress.step("history", expected(starts, nowMs));
  let written = 0;
  let batch: BarRow[] = [];
  const flush = async (): Promise<void> => {
    if (!mayWrite()) throw new TermEndedError("the lease ran out");
    await upsertBars(store, batch, { writer });
    written += batch.length;
    step.advance(batch.length);
    batch = [];
    // The embedded engine answers without yielding to the event loop; the lease's timers need that.
    await setImmediate();
  };
  for await (const bars of missingBars(options, starts, endMs)) {
    for (const bar of bars) if (!bar.isClosed) keeper.put(bar);
    batch.push(...bars);
    await setImmediate();
    if (batch.length >= BATCH) await flush();
  }
  await flush();
  step.done();
  if (written > BATCH) await analyze(store);
  return written;
};

/**
 * The bars of the simulated history, from where the store ends: those a service is ready with, which are the daily bars since 1996
 * and the newest two days of every other interval, and the older days, written while it runs.
 */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { BAR_SYMBOLS, DAY_MS, INTERVAL_MS, INTERVALS } from "@assay/contract";
import { analyze, readSeriesSources, upsertBars } from "@assay/db";
import {
  aggregateBars,
  type BarRow,
  barEnd,
  barsMissing,
  bucketStart,
  DAILY_SYMBOLS,
  type DailySymbol,
  type HistoryGap,
} from "@assay/pricing";
import { type SimulatedHours, simulatedBars } from "@assay/simulator";
import { TermEndedError } from "../term/term-ended.ts";
import type { OlderWriting, PastWriting } from "../term/term-options.ts";
import { type DueBars, dueBars } from "./due-bars.ts";

const BATCH = 10_000;
/** Bars built before yielding to the event loop: tens of milliseconds, where a whole series takes a second. */
const BARS_PER_TURN = 1_000;
/** How often readers are told of older bars: telling makes them read those series again. */
const TELL_EVERY_MS = 5_000;

/** What the bars depend on. */
export interface SimulatedBars {
  readonly seed: number;
  readonly hours: SimulatedHours;
}

/** What building and writing the bars a service is ready with depends on. */
export interface NewestFill extends PastWriting, SimulatedBars {
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

/** The bars of a gap: minutes from the simulated market, and coarser ones built from the minutes of their time. */
const intradayBars = async (gap: HistoryGap, { seed, hours }: SimulatedBars): Promise<BarRow[]> => {
  const { fromMs, untilMs } = gap;
  const symbol = gap.symbol as DailySymbol; // gaps are planned for the series we make
  const minutes = await gathered(simulatedBars(symbol, "1m", bucketStart(fromMs, "1d"), untilMs, seed, hours));
  const isDue = (bar: BarRow): boolean => barEnd(bar) >= fromMs;
  return INTRADAY.flatMap((interval) => (interval === "1m" ? minutes : aggregateBars(minutes, interval, untilMs)).filter(isDue));
};

/** Every bar a service is ready with, one series after another. */
async function* newestBars(bars: SimulatedBars, due: DueBars, endMs: number): AsyncGenerator<readonly BarRow[]> {
  const { seed, hours } = bars;
  for (const symbol of DAILY_SYMBOLS)
    yield await gathered(simulatedBars(symbol, "1d", due.dailyFromMs(symbol), endMs, seed, hours));
  for (const gap of due.newest) yield await intradayBars(gap, bars);
}

const expected = ({ dailyFromMs, newest }: DueBars, endMs: number): number =>
  DAILY_SYMBOLS.map((symbol) => Math.max(0, Math.ceil((endMs - dailyFromMs(symbol)) / INTERVAL_MS["1d"]))).reduce(
    (sum, each) => sum + each,
    barsMissing(newest),
  );

/**
 * Writes the bars a service is ready with, after recording which older ones are missing. It may be interrupted: the next run
 * continues from what is stored.
 * @returns the number of bars written
 */
export const fillNewest = async (options: NewestFill): Promise<number> => {
  const { store, writer, keeper, gaps, progress, nowMs, mayWrite, historyDays } = options;
  // A bar ends before the second of the next live tick, so the backfill ends with the current second.
  const endMs = Math.floor(nowMs / 1_000) * 1_000 + 1_000;
  const due = dueBars(await readSeriesSources(store), gaps.all, { historyDays, endMs });
  for (const symbol of BAR_SYMBOLS)
    await gaps.set(
      symbol,
      "intraday",
      due.older.filter((gap) => gap.symbol === symbol),
    );
  const step = progress.step("history", expected(due, endMs));
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
  for await (const bars of newestBars(options, due, endMs)) {
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

/** Writes one day of a series, or what is missing of it. @returns the number of bars written */
const fillDay = async (symbol: string, dayMs: number, options: OlderWriting & SimulatedBars): Promise<number> => {
  const { store, writer, gaps, mayWrite, signal } = options;
  const left = gaps.of(symbol, "intraday");
  const last = left.at(-1);
  if (!last || last.untilMs <= dayMs) return 0;
  const bars = await intradayBars({ ...last, fromMs: Math.max(last.fromMs, dayMs) }, options);
  if (signal.aborted || !mayWrite()) throw new TermEndedError("the lease ran out");
  await upsertBars(store, bars, { writer });
  const rest = last.fromMs < dayMs ? [{ ...last, untilMs: dayMs }] : [];
  await gaps.set(symbol, "intraday", [...left.slice(0, -1), ...rest]);
  return bars.length;
};

/**
 * Writes the older bars, newest day first. What is left is recorded after each day of a series, so that an interrupted run is
 * continued by the next one.
 * @returns the number of bars written
 */
export const fillOlder = async (options: OlderWriting & SimulatedBars): Promise<number> => {
  const { store, gaps, sharesProcess, signal, onFilled, log } = options;
  const first = barsMissing(gaps.all);
  let written = 0;
  let toldMs = performance.now();
  for (;;) {
    const untilMs = Math.max(...gaps.all.filter((gap) => gap.bars === "intraday").map((gap) => gap.untilMs));
    if (!Number.isFinite(untilMs)) break;
    const dayMs = bucketStart(untilMs - 1, "1d");
    for (const symbol of BAR_SYMBOLS) {
      const startedMs = performance.now();
      written += await fillDay(symbol, dayMs, options);
      // Half of the time is for requests.
      if (sharesProcess) await sleep(performance.now() - startedMs, undefined, { signal });
    }
    if (performance.now() - toldMs < TELL_EVERY_MS) continue;
    toldMs = performance.now();
    onFilled();
    const days = Math.round((dayMs - Math.min(...gaps.all.map((gap) => gap.fromMs))) / DAY_MS);
    const percent = Math.floor(100 * (1 - barsMissing(gaps.all) / first));
    log.info(`history: ${percent} % of the older bars are there, ${days} days are left`, { percent, days });
  }
  if (written === 0) return 0;
  onFilled();
  await analyze(store);
  log.info(`history: complete, ${written} older bars added`, { bars: written });
  return written;
};

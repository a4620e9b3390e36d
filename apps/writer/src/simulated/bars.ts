/**
 * The bars of the simulated history, from where the store ends: those a service is ready with, which are the daily bars since 1996
 * and the newest two days of every other interval, and the older days, written while it runs.
 */
import { BAR_SYMBOLS, DAY_MS, INTERVALS, INTRADAY_DEPTH_DAYS, MINUTE_MS } from "@assay/contract";
import { analyze, type BarLines, readSeriesSources, type SeriesSource, upsertBars, writeBarLines } from "@assay/db";
import { barEnd, barsMissing, bucketStart, DAILY_SYMBOLS, type HistoryGap, joinGaps, marketStateAt } from "@assay/pricing";
import { type OlderWriting, type PastWriting, TermEndedError } from "../term/term-options.ts";
import { Filling } from "../writer-log.ts";
import { makeBars, makeLines, type SimulatedBars } from "./make-bars.ts";

/** The first day of the simulated history. */
export const FIRST_DAY_MS = Date.UTC(1996, 0, 1);
const INTRADAY = INTERVALS.filter((interval) => interval !== "1d");

/** The days of intraday bars a service is ready with, besides the newest. */
const READY_DAYS = 1;

/** A stored series, as far as the plan depends on it. */
export type StoredSeries = Pick<SeriesSource, "symbol" | "interval" | "latestStartMs">;

interface DueBars {
  /** Built before the service is ready: the daily bars, and those below a day of the newest days. */
  readonly newest: readonly HistoryGap[];
  /** Built while it runs. */
  readonly older: readonly HistoryGap[];
}

/**
 * A series continues from its newest stored bars, which may have been forming, so that those are built again. However short a new
 * store's history is, a long downtime leaves no gap within the depth callers can read.
 * @param stored the stored series
 * @param gaps what an earlier run left to be filled in
 * @param historyDays days of intraday bars an empty store starts with, besides the newest
 * @param endMs bars that start earlier are built
 * @param tradedMs the newest instant of trading: the newest days end there
 */
export const dueBars = (
  stored: readonly StoredSeries[],
  gaps: readonly HistoryGap[],
  { historyDays, endMs, tradedMs }: { readonly historyDays: number; readonly endMs: number; readonly tradedMs: number },
): DueBars => {
  const newest = new Map(stored.map((each) => [`${each.symbol} ${each.interval}`, each.latestStartMs]));
  const dayBefore = (ms: number, days: number): number => bucketStart(ms - days * DAY_MS, "1d");
  /** The last minute of the newest bar that ends first: the newest bars of all intervals hold it, and are built again. */
  const storedUntilMs = (symbol: string): number => {
    const ends = INTRADAY.map((interval) => {
      const barStartMs = newest.get(`${symbol} ${interval}`);
      return barStartMs === undefined ? dayBefore(tradedMs, historyDays) : barEnd({ barStartMs, interval }) - MINUTE_MS;
    });
    return Math.min(...ends);
  };
  const reachMs = dayBefore(endMs, INTRADAY_DEPTH_DAYS);
  const due = BAR_SYMBOLS.flatMap((symbol) => {
    const left = gaps.filter((gap) => gap.symbol === symbol && gap.bars === "intraday");
    const all = joinGaps([...left, { symbol, bars: "intraday", fromMs: storedUntilMs(symbol), untilMs: endMs }]);
    return all.map((gap) => ({ ...gap, fromMs: Math.max(gap.fromMs, reachMs) }));
  });
  const daily = DAILY_SYMBOLS.map((symbol): HistoryGap => {
    const fromMs = newest.get(`${symbol} 1d`) ?? FIRST_DAY_MS;
    return { symbol, bars: "daily", fromMs, untilMs: endMs };
  });
  const readyMs = dayBefore(tradedMs, READY_DAYS);
  return {
    newest: [...daily, ...due.flatMap((gap) => joinGaps([{ ...gap, fromMs: Math.max(gap.fromMs, readyMs) }]))],
    older: due.flatMap((gap) => joinGaps([{ ...gap, untilMs: Math.min(gap.untilMs, readyMs) }])),
  };
};

/** After fewer bars the planner's statistics are still good. */
const WORTH_ANALYZING = 10_000;
/** Fewer bars, as after a short stop, are made in less time than a thread takes to start. */
const WORTH_A_THREAD = 1_000;
/** How often readers are notified of older bars: each time, they read those series again. */
const NOTIFY_EVERY_MS = 5_000;

/** What building and writing the bars a service is ready with depends on. */
interface NewestFill extends PastWriting, SimulatedBars {
  /** Days of intraday bars an empty store starts with. */
  readonly historyDays: number;
}

const isWorthAThread = (gap: HistoryGap): boolean => barsMissing([gap]) >= WORTH_A_THREAD;

/** The bars of gaps, in their order. The thread works ahead of whoever writes them; they are a tenth of the size of rows. */
const made = (
  gaps: readonly HistoryGap[],
  { thread, seed, hours }: Pick<OlderWriting, "thread"> & SimulatedBars,
): { readonly gap: HistoryGap; readonly lines: Promise<readonly BarLines[]> }[] => {
  let before: Promise<unknown> = Promise.resolve();
  return gaps.map((gap) => {
    const request = { gap, seed, hours };
    const lines = before.then(() => (isWorthAThread(gap) ? thread.ask(request) : makeLines(gap, request)));
    // Awaited after a write; until then its rejection must not count as unhandled.
    lines.catch(() => {});
    before = lines;
    return { gap, lines };
  });
};

const countOf = (lines: readonly BarLines[]): number => lines.reduce((sum, { bars }) => sum + bars, 0);

/**
 * Plans the bars a service is ready with, lets the thread make them, and records which older ones are missing.
 * @returns what writes the bars, and counts them. It may be interrupted: the next run continues from what is stored
 */
export const makeNewest = async (options: NewestFill): Promise<() => Promise<number>> => {
  const { store, writer, gaps, progress, nowMs, clock, mayWrite, historyDays, hours } = options;
  // A bar ends before the second of the next live tick, so the backfill ends with the current second.
  const endMs = Math.floor(nowMs / 1_000) * 1_000 + 1_000;
  const market = marketStateAt(nowMs);
  const tradedMs = hours === "always" || market.open ? endMs : market.sinceMs;
  const due = dueBars(await readSeriesSources(store), gaps.all, { historyDays, endMs, tradedMs });
  const long = made(due.newest.filter(isWorthAThread), options);
  for (const symbol of BAR_SYMBOLS)
    await gaps.set(
      symbol,
      "intraday",
      due.older.filter((gap) => gap.symbol === symbol),
    );
  return async () => {
    const step = progress.step("building: bars", barsMissing(due.newest));
    let written = 0;
    const write = async (bars: number, writing: () => Promise<void>): Promise<void> => {
      if (!mayWrite()) throw new TermEndedError("the lease ran out");
      await writing();
      written += bars;
      step.advance(bars);
      // The embedded engine answers without yielding to the event loop; the lease's timers need that.
      await clock.turn();
    };
    try {
      for (const { lines } of long)
        for (const part of await lines) await write(part.bars, () => writeBarLines(store, [part], { writer }));
      const short = due.newest.filter((gap) => !isWorthAThread(gap)).flatMap((gap) => makeBars(gap, options));
      await write(short.length, () => upsertBars(store, short, { writer, reason: "late_source" }));
    } finally {
      step.done();
    }
    if (written > WORTH_ANALYZING) await analyze(store);
    return written;
  };
};

/** What is missing of one day: the newest day of which anything is, one gap for each series. */
const newestDay = (gaps: readonly HistoryGap[]): HistoryGap[] => {
  const dayMs = bucketStart(Math.max(...gaps.map((gap) => gap.untilMs)) - 1, "1d");
  return gaps.filter((gap) => gap.untilMs > dayMs).map((gap) => ({ ...gap, fromMs: Math.max(gap.fromMs, dayMs) }));
};

/**
 * Writes the older bars, newest day first. What is left is recorded after each day of a series, so that an interrupted run is
 * continued by the next one.
 * @returns the number of bars written
 */
export const fillOlder = async (options: OlderWriting & SimulatedBars): Promise<number> => {
  const { store, writer, gaps, clock, mayWrite, sharesProcess, signal, onFilled, log } = options;
  const left = (): HistoryGap[] => gaps.all.filter((gap) => gap.bars === "intraday");
  const first = barsMissing(left());
  if (first === 0) return 0;
  const filling = new Filling({ log, clock }, "filling: older bars", first);
  let written = 0;
  let notifiedMs = clock.elapsed();
  for (let day = newestDay(left()); day.length > 0; day = newestDay(left())) {
    for (const { gap, lines } of made(day, options)) {
      const parts = await lines;
      if (signal.aborted || !mayWrite()) throw new TermEndedError("the lease ran out");
      const startedMs = clock.elapsed();
      await writeBarLines(store, parts, { writer });
      const rest = gaps
        .of(gap.symbol, "intraday")
        .map((each) => (each.untilMs === gap.untilMs ? { ...each, untilMs: gap.fromMs } : each));
      await gaps.set(
        gap.symbol,
        "intraday",
        rest.filter((each) => each.fromMs < each.untilMs),
      );
      written += countOf(parts);
      filling.done(written);
      // Half of the time is for requests.
      if (sharesProcess) await clock.sleep(clock.elapsed() - startedMs, signal);
    }
    if (clock.elapsed() - notifiedMs < NOTIFY_EVERY_MS) continue;
    notifiedMs = clock.elapsed();
    onFilled();
  }
  onFilled();
  await analyze(store);
  log.info(`filling: complete, ${written} older bars added`, { bars: written });
  return written;
};

/**
 * The bars of the simulated history, from where the store ends: those a service is ready with, which are the daily bars since 1996
 * and the newest two days of every other interval, and the older days, written while it runs.
 */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { BAR_SYMBOLS } from "@assay/contract";
import { analyze, type BarLines, readSeriesSources, upsertBars, writeBarLines } from "@assay/db";
import { barsMissing, bucketStart, type HistoryGap, marketStateAt } from "@assay/pricing";
import { TermEndedError } from "../term/term-ended.ts";
import type { OlderWriting, PastWriting } from "../term/term-options.ts";
import { dueBars } from "./due-bars.ts";
import { makeBars, makeLines, type SimulatedBars } from "./make-bars.ts";

/** After fewer bars the planner's statistics are still good. */
const WORTH_ANALYZING = 10_000;
/** Fewer bars, as after a short stop, are made in less time than a thread takes to start. */
const WORTH_A_THREAD = 1_000;
/** How often readers are notified of older bars: each time, they read those series again. */
const TELL_EVERY_MS = 5_000;

/** What building and writing the bars a service is ready with depends on. */
export interface NewestFill extends PastWriting, SimulatedBars {
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
  const { store, writer, gaps, progress, nowMs, mayWrite, historyDays, hours } = options;
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
    const step = progress.step("history", barsMissing(due.newest));
    let written = 0;
    const write = async (bars: number, writing: () => Promise<void>): Promise<void> => {
      if (!mayWrite()) throw new TermEndedError("the lease ran out");
      await writing();
      written += bars;
      step.advance(bars);
      // The embedded engine answers without yielding to the event loop; the lease's timers need that.
      await setImmediate();
    };
    for (const { lines } of long)
      for (const part of await lines) await write(part.bars, () => writeBarLines(store, [part], { writer }));
    const short = due.newest.filter((gap) => !isWorthAThread(gap)).flatMap((gap) => makeBars(gap, options));
    await write(short.length, () => upsertBars(store, short, { writer }));
    step.done();
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
  const { store, writer, gaps, mayWrite, sharesProcess, signal, onFilled, log } = options;
  const left = (): HistoryGap[] => gaps.all.filter((gap) => gap.bars === "intraday");
  const first = barsMissing(left());
  let written = 0;
  let toldMs = performance.now();
  for (let day = newestDay(left()); day.length > 0; day = newestDay(left())) {
    for (const { gap, lines } of made(day, options)) {
      const parts = await lines;
      if (signal.aborted || !mayWrite()) throw new TermEndedError("the lease ran out");
      const startedMs = performance.now();
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
      // Half of the time is for requests.
      if (sharesProcess) await sleep(performance.now() - startedMs, undefined, { signal });
    }
    if (performance.now() - toldMs < TELL_EVERY_MS) continue;
    toldMs = performance.now();
    onFilled();
    const percent = Math.floor(100 * (1 - barsMissing(left()) / first));
    log.info(`history: ${percent} % of the older bars are written`, { percent });
  }
  if (first === 0) return 0;
  onFilled();
  await analyze(store);
  log.info(`history: complete, ${written} older bars added`, { bars: written });
  return written;
};

/**
 * The bars of the simulated history, from where the store ends: those a service is ready with, which are the daily bars since 1996
 * and the newest two days of every other interval, and the older days, written while it runs.
 */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { BAR_SYMBOLS } from "@assay/contract";
import { analyze, readSeriesSources, upsertBars } from "@assay/db";
import { type BarRow, barsMissing, bucketStart, type HistoryGap, marketStateAt } from "@assay/pricing";
import { TermEndedError } from "../term/term-ended.ts";
import type { OlderWriting, PastWriting } from "../term/term-options.ts";
import { dueBars } from "./due-bars.ts";
import { makeBars, type SimulatedBars } from "./make-bars.ts";

const BATCH = 10_000;
/** Fewer bars, as after a short stop, are made in less time than a thread takes to start. */
const WORTH_A_THREAD = 1_000;
/** How often readers are notified of older bars: each time, they read those series again. */
const TELL_EVERY_MS = 5_000;

/** What building and writing the bars a service is ready with depends on. */
export interface NewestFill extends PastWriting, SimulatedBars {
  /** Days of intraday bars an empty store starts with. */
  readonly historyDays: number;
}

/** The bars of gaps, one gap after another: while one is written, the next is made. */
async function* made(
  gaps: readonly HistoryGap[],
  { thread, seed, hours }: Pick<OlderWriting, "thread"> & SimulatedBars,
): AsyncGenerator<{ readonly gap: HistoryGap; readonly bars: readonly BarRow[] }> {
  const ask = (gap: HistoryGap): Promise<readonly BarRow[]> => {
    if (barsMissing([gap]) < WORTH_A_THREAD) return Promise.resolve(makeBars(gap, { seed, hours }));
    const asked = thread.ask({ gap, seed, hours });
    // Awaited after a write; until then its rejection must not count as unhandled.
    asked.catch(() => {});
    return asked;
  };
  let next = gaps[0] && ask(gaps[0]);
  for (const [index, gap] of gaps.entries()) {
    const bars = (await next) ?? [];
    const following = gaps[index + 1];
    next = following && ask(following);
    yield { gap, bars };
  }
}

/**
 * Writes the bars a service is ready with, after recording which older ones are missing. It may be interrupted: the next run
 * continues from what is stored.
 * @returns the number of bars written
 */
export const fillNewest = async (options: NewestFill): Promise<number> => {
  const { store, writer, gaps, progress, nowMs, mayWrite, historyDays, hours } = options;
  // A bar ends before the second of the next live tick, so the backfill ends with the current second.
  const endMs = Math.floor(nowMs / 1_000) * 1_000 + 1_000;
  const market = marketStateAt(nowMs);
  const tradedMs = hours === "always" || market.open ? endMs : market.sinceMs;
  const due = dueBars(await readSeriesSources(store), gaps.all, { historyDays, endMs, tradedMs });
  for (const symbol of BAR_SYMBOLS)
    await gaps.set(
      symbol,
      "intraday",
      due.older.filter((gap) => gap.symbol === symbol),
    );
  const step = progress.step("history", barsMissing(due.newest));
  let written = 0;
  let batch: BarRow[] = [];
  const flush = async (): Promise<void> => {
    if (!mayWrite()) throw new TermEndedError("the lease ran out");
    await upsertBars(store, batch, { writer });
    written += batch.length;
    step.advance(batch.length);
    batch = [];
  };
  for await (const { bars } of made(due.newest, options)) {
    batch.push(...bars);
    // The embedded engine answers without yielding to the event loop; the lease's timers need that.
    await setImmediate();
    if (batch.length >= BATCH) await flush();
  }
  await flush();
  step.done();
  if (written > BATCH) await analyze(store);
  return written;
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
    for await (const { gap, bars } of made(day, options)) {
      if (signal.aborted || !mayWrite()) throw new TermEndedError("the lease ran out");
      const startedMs = performance.now();
      await upsertBars(store, bars, { writer });
      const rest = gaps
        .of(gap.symbol, "intraday")
        .map((each) => (each.untilMs === gap.untilMs ? { ...each, untilMs: gap.fromMs } : each));
      await gaps.set(
        gap.symbol,
        "intraday",
        rest.filter((each) => each.fromMs < each.untilMs),
      );
      written += bars.length;
      // Half of the time is for requests.
      if (sharesProcess) await sleep(performance.now() - startedMs, undefined, { signal });
    }
    if (performance.now() - toldMs < TELL_EVERY_MS) continue;
    toldMs = performance.now();
    onFilled();
    const percent = Math.floor(100 * (1 - barsMissing(left()) / first));
    log.info(`history: ${percent} % of the older bars are there`, { percent });
  }
  if (first === 0) return 0;
  onFilled();
  await analyze(store);
  log.info(`history: complete, ${written} older bars added`, { bars: written });
  return written;
};

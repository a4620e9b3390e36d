/** The simulated market's past: daily bars from 1996 and thirty days of every other interval, from where the store ends. */
import { BAR_SYMBOLS, INTERVAL_MS, INTERVALS, INTRADAY_DEPTH_DAYS, type Interval } from "@assay/contract";
import { analyze, readSeriesSources, type Store, upsertBars, type WriterToken } from "@assay/db";
import { type BarRow, bucketStart, type DailySymbol, type SimulatedHours, simulatedBars } from "@assay/pricing";
import type { BarKeeper } from "../bar-keeper.ts";
import { TermEndedError } from "../term-ended.ts";
import type { Progress } from "./progress.ts";

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(1996, 0, 1);
const BATCH = 20_000;

/** A series to be filled. */
interface Job {
  readonly symbol: DailySymbol;
  readonly interval: Interval;
  readonly fromMs: number;
}

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

const plan = async ({ store, nowMs }: SimulatedBackfill): Promise<Job[]> => {
  const stored = new Map(
    (await readSeriesSources(store)).map((series) => [`${series.symbol} ${series.interval}`, series.latestStartMs]),
  );
  const job = (symbol: DailySymbol, interval: Interval, earliestMs: number): Job => ({
    symbol,
    interval,
    // The newest stored bar may have been forming, so it is made again.
    fromMs: Math.max(earliestMs, stored.get(`${symbol} ${interval}`) ?? earliestMs),
  });
  const intradayFromMs = bucketStart(nowMs - INTRADAY_DEPTH_DAYS * DAY_MS, "1d");
  return [
    ...[...BAR_SYMBOLS, "XPT-USD-SPOT" as const, "XPD-USD-SPOT" as const].map((symbol) => job(symbol, "1d", FIRST_DAY_MS)),
    ...BAR_SYMBOLS.flatMap((symbol) =>
      INTERVALS.filter((interval) => interval !== "1d").map((interval) => job(symbol, interval, intradayFromMs)),
    ),
  ];
};

const expected = (jobs: readonly Job[], nowMs: number): number =>
  jobs.reduce((sum, { interval, fromMs }) => sum + Math.max(0, Math.ceil((nowMs - fromMs) / INTERVAL_MS[interval])), 0);

/**
 * Fills the store up to now. It may be stopped at any point: the next run goes on from the newest bar of each series.
 * @returns how many bars were written
 */
export const backfillSimulated = async (options: SimulatedBackfill): Promise<number> => {
  const { store, writer, seed, hours, keeper, progress, nowMs, mayWrite } = options;
  const jobs = await plan(options);
  // A bar ends before the second of the live tick that follows it, so the fill ends with the second of now.
  const endMs = Math.floor(nowMs / 1_000) * 1_000 + 1_000;
  const line = progress.line("history", expected(jobs, nowMs));
  let written = 0;
  let batch: BarRow[] = [];
  const flush = async (): Promise<void> => {
    if (!mayWrite()) throw new TermEndedError("the lease ran out");
    await upsertBars(store, batch, { writer });
    written += batch.length;
    line.advance(batch.length);
    batch = [];
  };
  for (const { symbol, interval, fromMs } of jobs) {
    for (const bar of simulatedBars(symbol, interval, fromMs, endMs, seed, hours)) {
      if (!bar.isClosed) keeper.put(bar);
      batch.push(bar);
      if (batch.length >= BATCH) await flush();
    }
  }
  await flush();
  line.done();
  if (written > BATCH) await analyze(store);
  return written;
};

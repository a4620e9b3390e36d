/** Loads the store's current bars, from which a writer continues. */
import { BAR_SYMBOLS, INTERVALS } from "@assay/contract";
import { readBars, readBarsRevision, readLastSeqs, readRunningBars, type Store } from "@assay/db";
import { aggregateBars, type BarRow, bucketStart, type Instrument } from "@assay/pricing";

/** As of one revision. */
export interface StoredBars {
  readonly revision: number;
  readonly seqs: ReadonlyMap<Instrument, number>;
  /** By series, oldest first. */
  readonly bars: readonly BarRow[];
}

/** Missing bars of current intervals, built from the minutes of their time. */
const missingBars = async (store: Store, running: readonly BarRow[], nowMs: number): Promise<BarRow[]> => {
  const newest = new Map(running.map((bar) => [`${bar.symbol} ${bar.interval}`, bar.barStartMs]));
  const missing: BarRow[] = [];
  for (const symbol of BAR_SYMBOLS) {
    const minuteMs = newest.get(`${symbol} 1m`) ?? Number.NEGATIVE_INFINITY;
    const lacking = INTERVALS.filter((interval) => {
      const startMs = bucketStart(nowMs, interval);
      return minuteMs >= startMs && (newest.get(`${symbol} ${interval}`) ?? Number.NEGATIVE_INFINITY) < startMs;
    });
    if (lacking.length === 0) continue;
    const fromMs = bucketStart(nowMs, "1d");
    const minutes = (await readBars(store, { symbol, interval: "1m", fromMs, toMs: nowMs, limit: 1_500 })).toReversed();
    for (const interval of lacking) {
      const [bar] = aggregateBars(
        minutes.filter(({ barStartMs }) => barStartMs >= bucketStart(nowMs, interval)),
        interval,
      );
      if (bar) missing.push({ ...bar, isClosed: false });
    }
  }
  return missing;
};

/**
 * Loads them. A concurrent write raises the revision, so that a write based on this read is refused.
 * @param sinceMs earlier bars are long over
 */
export const readStoredBars = async (store: Store, sinceMs: number, nowMs: number): Promise<StoredBars> => {
  const revision = await readBarsRevision(store);
  const seqs = await readLastSeqs(store);
  const running = await readRunningBars(store, sinceMs, nowMs);
  return { revision, seqs, bars: [...running, ...(await missingBars(store, running, nowMs))] };
};

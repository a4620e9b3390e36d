/** What the store holds of the bars a writer continues: as they are, and without the ticks that were withdrawn. */
import { BAR_SYMBOLS, INTERVALS } from "@assay/contract";
import {
  readBars,
  readBarsRevision,
  readLastSeqs,
  readRunningBars,
  readStretch,
  type Store,
  type WithdrawnBars,
} from "@assay/db";
import { aggregateBars, type BarRow, barEnd, bucketStart, type Instrument, withoutWithdrawn } from "@assay/pricing";
import type { BarUndo } from "../prices/price-desk.ts";

interface StoredBars {
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

/** A series without withdrawn ticks, and its current bars. */
interface Restored {
  readonly withdrawnBars: WithdrawnBars;
  /** Its newest bar of each interval and every other one not closed, oldest first. */
  readonly running: readonly BarRow[];
}

const nameOf = ({ interval, barStartMs }: Pick<BarRow, "interval" | "barStartMs">): string => `${interval} ${barStartMs}`;

/**
 * Computes a withdrawal from what is stored.
 * @param seqs the last stored tick of each instrument
 * @returns null when nothing of the run is stored, or it was already withdrawn
 */
export const takeBack = async (
  store: Store,
  undo: BarUndo,
  seqs: ReadonlyMap<Instrument, number>,
  nowMs: number,
): Promise<Restored | null> => {
  const { instrument, symbol, fromSeq, fromMs, untilSeq } = undo;
  const seq = seqs.get(instrument) ?? 0;
  if (seq < fromSeq || seq >= untilSeq) return null;
  const before = await readStretch(store, symbol, INTERVALS, bucketStart(fromMs, "1d"), nowMs + 1);
  const after = withoutWithdrawn(before, undo, nowMs);
  const left = new Set(after.map(nameOf));
  const same = new Set(before);
  const newest = new Map(after.map((bar) => [bar.interval, bar]));
  return {
    withdrawnBars: {
      symbol,
      removed: before.filter((bar) => !left.has(nameOf(bar))),
      restored: after.filter((bar) => !same.has(bar)),
    },
    running: after.filter((bar) => newest.get(bar.interval) === bar || !bar.isClosed),
  };
};

/** The bars a series continues from after a withdrawal: its older stored bars, and the restored ones of the affected range. */
export const withRestored = (stored: readonly BarRow[], undo: BarUndo, { withdrawnBars, running }: Restored): BarRow[] => {
  const isOld = (bar: BarRow): boolean => bar.symbol !== withdrawnBars.symbol || barEnd(bar) <= bucketStart(undo.fromMs, "1d");
  return [...stored.filter(isOld), ...running];
};

/** A moment's bars of withdrawn series are written with these, replacing existing ones. */
export const joinedWith = (
  withdrawnBars: readonly WithdrawnBars[],
  bars: readonly BarRow[],
): { readonly withdrawnBars: readonly WithdrawnBars[]; readonly bars: readonly BarRow[] } => ({
  withdrawnBars: withdrawnBars.map(({ symbol, removed, restored }) => {
    const own = bars.filter((bar) => bar.symbol === symbol);
    const names = new Set(own.map(nameOf));
    return {
      symbol,
      removed: removed.filter((key) => !names.has(nameOf(key))),
      restored: [...restored.filter((bar) => !names.has(nameOf(bar))), ...own],
    };
  }),
  bars: bars.filter((bar) => withdrawnBars.every(({ symbol }) => symbol !== bar.symbol)),
});

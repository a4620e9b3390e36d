/** What withdrawn ticks left in the store, and what replaces it. */
import { INTERVALS } from "@assay/contract";
import { readStretch, type Store, type TakenBack } from "@assay/db";
import { type BarRow, barEnd, bucketStart, type Instrument, withoutWithdrawn } from "@assay/pricing";
import type { BarUndo } from "../prices/price-desk.ts";

/** A series without withdrawn ticks, and its current bars. */
export interface Restored {
  readonly takenBack: TakenBack;
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
    takenBack: {
      symbol,
      removed: before.filter((bar) => !left.has(nameOf(bar))),
      restored: after.filter((bar) => !same.has(bar)),
    },
    running: after.filter((bar) => newest.get(bar.interval) === bar || !bar.isClosed),
  };
};

/** The bars a series continues from after a withdrawal: its older stored bars, and the restored ones of the affected range. */
export const withRestored = (stored: readonly BarRow[], undo: BarUndo, { takenBack, running }: Restored): BarRow[] => {
  const isOld = (bar: BarRow): boolean => bar.symbol !== takenBack.symbol || barEnd(bar) <= bucketStart(undo.fromMs, "1d");
  return [...stored.filter(isOld), ...running];
};

/** A moment's bars of withdrawn series are written with these, replacing existing ones. */
export const joinedWith = (
  takenBack: readonly TakenBack[],
  bars: readonly BarRow[],
): { readonly takenBack: readonly TakenBack[]; readonly bars: readonly BarRow[] } => ({
  takenBack: takenBack.map(({ symbol, removed, restored }) => {
    const own = bars.filter((bar) => bar.symbol === symbol);
    const names = new Set(own.map(nameOf));
    return {
      symbol,
      removed: removed.filter((key) => !names.has(nameOf(key))),
      restored: [...restored.filter((bar) => !names.has(nameOf(bar))), ...own],
    };
  }),
  bars: bars.filter((bar) => takenBack.every(({ symbol }) => symbol !== bar.symbol)),
});

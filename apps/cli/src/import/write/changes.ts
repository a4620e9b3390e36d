/**
 * What becomes of the stored bars of some days when a file's rows are written over them. Nothing is read or written here.
 *
 * A longer bar that the file covers whole is built from the file. One that it covers only in part is built from all the bars of
 * the interval below that the store will hold of its time, where none is stored, or where the stored one equals what they added
 * up to before: then it was built from them, by the import of a neighbouring file or by ticks. Any other has its own source and
 * is kept, except one still forming, which takes in the new rows.
 */
import { INTERVAL_MS, type Interval } from "@assay/contract";
import type { BarKey } from "@assay/db";
import { addedUp, type BarRow, bucketStart, higherOf, isGrown, isSameFigure, lowerOf } from "@assay/pricing";
import { type Coverage, coarserBars, covers, type Written } from "../stored-bars.ts";

export interface Rewriting {
  /** From the file's first bar to the end of its last. */
  readonly coverage: Coverage;
  /** The file's interval, and the longer ones that are built. */
  readonly intervals: readonly Interval[];
  /** Whether a stored bar is removed unless the file has it. */
  readonly isGone: (bar: BarRow) => boolean;
  readonly nowMs: number;
}

export interface Changes {
  /** Bars to write: those that differ from what is stored. */
  readonly written: readonly BarRow[];
  /** Bars to remove, none of which is written. */
  readonly removed: readonly BarKey[];
  /** How many bars of each longer interval are built, changed or not. */
  readonly built: Written;
}

/** By their start; null for a bar that is removed. */
type Bars = ReadonlyMap<number, BarRow>;
type BarChanges = Map<number, BarRow | null>;

const isSame = (a: BarRow, b: BarRow): boolean =>
  (["open", "high", "low", "close", "volume"] as const).every((figure) => isSameFigure(a[figure], b[figure]));

const isEqual = (a: BarRow, b: BarRow): boolean => isSame(a, b) && a.isClosed === b.isClosed && a.sourceId === b.sourceId;

/**
 * Merges a forming bar with another of its time: the higher high, the lower low, and the other's close. What one does not know is
 * the other's.
 */
const joined = (bar: BarRow, later: BarRow): BarRow => ({
  ...bar,
  open: bar.open ?? later.open,
  high: higherOf(bar.high, later.high) ?? bar.high ?? later.high,
  low: lowerOf(bar.low, later.low) ?? bar.low ?? later.low,
  close: later.close,
});

const withChanges = (bars: Bars, changes: BarChanges): BarRow[] => {
  const after = new Map<number, BarRow | null>([...bars, ...changes]);
  return [...after.values()].filter((bar) => bar !== null).sort((a, b) => a.barStartMs - b.barStartMs);
};

/** The changes of the file's own interval. */
const rowChanges = (rows: readonly BarRow[], stored: Bars, { isGone }: Rewriting): BarChanges => {
  const changes: BarChanges = new Map();
  for (const bar of stored.values()) if (isGone(bar)) changes.set(bar.barStartMs, null);
  for (const row of rows) {
    const stood = stored.get(row.barStartMs);
    // The file was made while the bar was forming: the ticks since then are newer.
    const isJoined = stood && !row.isClosed && !stood.isClosed && isGrown(stood) && !isGone(stood);
    const sourceId = isJoined && row.interval === "1m" ? stood.sourceId : row.sourceId;
    changes.set(row.barStartMs, isJoined ? joined({ ...row, sourceId }, stood) : row);
  }
  return changes;
};

/** What a longer bar becomes that the file covers only in part; undefined when it is kept. */
const becoming = (
  made: BarRow | undefined,
  stood: BarRow | undefined,
  derived: BarRow | undefined,
  isRunning: boolean,
): BarRow | null | undefined => {
  if (!stood) return made;
  if (derived && (isSame(stood, derived) || (isRunning && isGrown(stood)))) return made ?? null;
  return made && isRunning && !stood.isClosed ? joined(stood, made) : undefined;
};

/** Keeps closed bars that are not to go from becoming forming again. */
const keepClosed = (changes: BarChanges, stored: Bars, isGone: (bar: BarRow) => boolean): void => {
  for (const [startMs, bar] of changes) {
    const stood = stored.get(startMs);
    if (bar && !bar.isClosed && stood?.isClosed && !isGone(stood)) changes.delete(startMs);
  }
};

/**
 * Computes what is written and removed.
 * @param rows the file's rows of these days, oldest first
 * @param stored the bars of these days at all of the intervals
 */
export const changesOf = (rows: readonly BarRow[], stored: readonly BarRow[], rewriting: Rewriting): Changes => {
  const { coverage, intervals, isGone, nowMs } = rewriting;
  const [finest, ...coarser] = intervals;
  const storedAt = (interval: Interval | undefined): Bars =>
    new Map(stored.filter((bar) => bar.interval === interval).map((bar) => [bar.barStartMs, bar]));
  const [written, removed, built] = [[] as BarRow[], [] as BarKey[], new Map<Interval, number>()];
  const settle = (changes: BarChanges, before: Bars): void => {
    for (const [startMs, bar] of changes) {
      const stood = before.get(startMs);
      if (!bar) removed.push(...(stood ? [stood] : []));
      else if (!stood || !isEqual(bar, stood)) written.push(bar);
    }
  };

  let before = storedAt(finest);
  const own = rowChanges(rows, before, rewriting);
  const touched = [...own.keys()];
  keepClosed(own, before, isGone);
  settle(own, before);
  let after = withChanges(before, own);
  const ofFile = coarserBars(rows, nowMs);
  for (const interval of coarser) {
    const lengthMs = INTERVAL_MS[interval];
    const isWhole = (startMs: number): boolean => startMs + lengthMs <= nowMs && covers(coverage, startMs, lengthMs);
    const standing = storedAt(interval);
    const file = new Map((ofFile.get(interval) ?? []).map((bar) => [bar.barStartMs, bar]));
    const starts = new Set(touched.map((ms) => bucketStart(ms, interval)));
    for (const bar of standing.values()) if (isGone(bar) && isWhole(bar.barStartMs)) starts.add(bar.barStartMs);
    const isPartial = [...starts].some((startMs) => !isWhole(startMs));
    const made = addedUp(isPartial ? after : [], interval, nowMs);
    const derived = addedUp(isPartial ? [...before.values()] : [], interval, nowMs);
    const changes: BarChanges = new Map();
    for (const startMs of starts) {
      const bar = made.get(startMs);
      const named = bar && { ...bar, sourceId: file.get(startMs)?.sourceId ?? bar.sourceId };
      const becomes = isWhole(startMs)
        ? (file.get(startMs) ?? null)
        : becoming(named, standing.get(startMs), derived.get(startMs), startMs + lengthMs > nowMs);
      if (becomes !== undefined) changes.set(startMs, becomes);
    }
    built.set(interval, [...changes.values()].filter((bar) => bar !== null).length);
    keepClosed(changes, standing, isGone);
    settle(changes, standing);
    after = withChanges(standing, changes);
    before = standing;
  }
  return { written, removed, built };
};

/**
 * A day the file covers only in part, its first or last, or one that is still in progress. Its rows and the coarser bars around
 * them are written together, because a coarser bar depends on what was stored before.
 */
import { DAY_MS, INTERVAL_MS, type Interval } from "@assay/contract";
import { readNewestBars, readStretch, replaceBars, type Store } from "@assay/db";
import type { Clock } from "@assay/ports";
import { type BarRow, barEnd, bucketStart, higherOf, isGrown, isSameFigure, lowerOf } from "@assay/pricing";
import { addedUp, coarserBars, coarserIntervals, keyOf, onlyNewestForming, toStored } from "../stored-bars.ts";
import { writeAtRevision } from "./revision.ts";

/** Whether a writer may still add bars to a day: one that has just ended may have some about to be closed. */
export const stillGrows = (dayMs: number, nowMs: number): boolean => dayMs + 2 * DAY_MS > nowMs;

/** From the first instant a file covers to the end of the last, exclusive. */
export interface Coverage {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Whether a time range is entirely in the file. */
export const covers = (coverage: Coverage, startMs: number, lengthMs: number): boolean =>
  startMs >= coverage.fromMs && startMs + lengthMs <= coverage.untilMs;

/** What the store will hold once rows are written over existing ones: a forming bar never replaces a closed one. */
const overlaid = (standing: readonly BarRow[], rows: readonly BarRow[]): readonly BarRow[] => {
  const byStart = new Map(standing.map((bar) => [bar.barStartMs, bar]));
  for (const bar of rows) if (bar.isClosed || !byStart.get(bar.barStartMs)?.isClosed) byStart.set(bar.barStartMs, bar);
  return [...byStart.values()].sort((a, b) => a.barStartMs - b.barStartMs);
};

export const isSame = (a: BarRow, b: BarRow): boolean =>
  (["open", "high", "low", "close", "volume"] as const).every((figure) => isSameFigure(a[figure], b[figure]));

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

/** How such a day is written. */
interface DayWrite {
  readonly store: Store;
  readonly coverage: Coverage;
  readonly isAggregating: boolean;
  readonly clock: Clock;
}

/**
 * What a coarser bar becomes after its finer bars changed; undefined when it is unchanged.
 * @param made what the finer bars add up to now
 * @param other the stored bar of its time
 * @param derived what its finer bars added up to before
 */
const becoming = (
  made: BarRow | undefined,
  other: BarRow | undefined,
  derived: BarRow | undefined,
  nowMs: number,
): BarRow | undefined => {
  if (!other || !made) return made;
  const isRunning = barEnd(made) > nowMs;
  if (derived && (isSame(other, derived) || (isRunning && isGrown(other)))) return made;
  // Imported or edited by others: once its time is over it stays; while forming it takes in the new rows.
  return isRunning && !other.isClosed ? joined(other, made) : undefined;
};

/** Computes a day's rows and the coarser bars around them, each interval built from the previous one, over what is stored now. */
const barsOf = (
  rows: readonly BarRow[],
  finest: Interval,
  stored: readonly BarRow[],
  { coverage, isAggregating, clock }: DayWrite,
): BarRow[] => {
  const nowMs = clock();
  const storedAt = (interval: Interval) => stored.filter((bar) => bar.interval === interval);
  let before = storedAt(finest);
  const standing = new Map(before.map((bar) => [bar.barStartMs, bar]));
  const written = rows.map(toStored).map((bar) => {
    const ticks = standing.get(bar.barStartMs);
    // The file was made while the bar was forming: the ticks since then are newer.
    const isJoined = ticks && !bar.isClosed && !ticks.isClosed && isGrown(ticks);
    return isJoined ? joined(finest === "1m" ? { ...bar, sourceId: ticks.sourceId } : bar, ticks) : bar;
  });
  if (!isAggregating) return written;
  let after = overlaid(before, written);
  for (const [coarser, bars] of coarserBars(rows, nowMs)) {
    const others = storedAt(coarser);
    const stood = new Map(others.map((bar) => [bar.barStartMs, bar]));
    const [made, wasMade] = [addedUp(after, coarser, nowMs), addedUp(before, coarser, nowMs)];
    const changed = bars.flatMap((bar) => {
      const isWhole = barEnd(bar) <= nowMs && covers(coverage, bar.barStartMs, INTERVAL_MS[coarser]);
      const [now, other, derived] = [made, stood, wasMade].map((each) => each.get(bar.barStartMs));
      const kept = isWhole ? bar : becoming(now && { ...now, sourceId: bar.sourceId }, other, derived, nowMs);
      return kept ? [toStored(kept)] : [];
    });
    written.push(...changed);
    before = others;
    after = overlaid(others, changed);
  }
  return written;
};

/**
 * Writes such a day, all or nothing, and only over the bars it was computed from: if a writer or another import wrote first, it
 * is computed again.
 *
 * A coarser bar the file covers only in part is built from all finer bars the store will hold of its time. It is written where
 * none exists, or where the existing one equals what the finer ones added up to before: then it was built from them, by the
 * import of a neighbouring file or by ticks. Any other bar has its own source and is kept, except one still forming, which
 * takes in the new rows.
 * @param rows the day's bars in the file, oldest first
 * @returns the day's bars, with those that a closed bar overrides
 */
export const writeDay = async (rows: readonly BarRow[], write: DayWrite): Promise<readonly BarRow[]> => {
  const [first] = rows;
  if (!first) return [];
  const { symbol, interval } = first;
  const intervals = write.isAggregating ? [interval, ...coarserIntervals(interval)] : [interval];
  const dayMs = bucketStart(first.barStartMs, "1d");
  return writeAtRevision(write.store, dayMs, async (revision) => {
    const stored = await readStretch(write.store, symbol, intervals, dayMs, dayMs + DAY_MS);
    const closed = new Set(stored.filter(({ isClosed }) => isClosed).map(keyOf));
    const bars = barsOf(rows, interval, stored, write);
    const written = bars.filter((bar) => bar.isClosed || !closed.has(keyOf(bar)));
    const standing = [...(await readNewestBars(write.store, symbol, intervals)), ...stored];
    await replaceBars(write.store, symbol, [], onlyNewestForming(standing, written), revision);
    return bars;
  });
};

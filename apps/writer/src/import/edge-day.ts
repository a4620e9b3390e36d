/**
 * A day the file holds only a part of, its first or last, or one that still grows. Its rows and the coarser bars around them go into
 * the store together, because what a coarser bar may become rests on what stood there before.
 */
import { INTERVAL_MS, type Interval } from "@assay/contract";
import { readBars, type Store, upsertBars } from "@assay/db";
import { aggregateBars, type BarRow, barEnd, bucketStart, compareDecimalText, isGrown } from "@assay/pricing";
import { coarserBars } from "./coarser.ts";
import { toStored } from "./stored.ts";
import { writeAtRevision } from "./write-at-revision.ts";

const DAY_MS = INTERVAL_MS["1d"];

/** Whether a day may still get bars from a writer: one that has just ended may have some that are about to be closed. */
export const stillGrows = (dayMs: number, nowMs: number): boolean => dayMs + 2 * DAY_MS > nowMs;

/** From the first instant a file covers to the first one after it. */
export interface Coverage {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Whether a stretch of time lies in the file as a whole. */
export const covers = (coverage: Coverage, startMs: number, lengthMs: number): boolean =>
  startMs >= coverage.fromMs && startMs + lengthMs <= coverage.untilMs;

/** Stored bars that begin in a stretch of time, oldest first. */
const readSpan = async (store: Store, symbol: string, interval: Interval, startMs: number, lengthMs: number) => {
  const limit = lengthMs / INTERVAL_MS[interval];
  const rows = await readBars(store, { symbol, interval, fromMs: startMs, toMs: startMs + lengthMs - 1, limit });
  return rows.toReversed();
};

/** What the store will hold once rows are written over others: a forming bar never replaces a closed one. */
const overlaid = (standing: readonly BarRow[], rows: readonly BarRow[]): readonly BarRow[] => {
  const byStart = new Map(standing.map((bar) => [bar.barStartMs, bar]));
  for (const bar of rows) if (bar.isClosed || !byStart.get(bar.barStartMs)?.isClosed) byStart.set(bar.barStartMs, bar);
  return [...byStart.values()].sort((a, b) => a.barStartMs - b.barStartMs);
};

/** Whether two bars have the same figures. */
export const isSame = (a: BarRow, b: BarRow): boolean =>
  (["open", "high", "low", "close"] as const).every((figure) => compareDecimalText(a[figure], b[figure]) === 0) &&
  (a.volume === null || b.volume === null ? a.volume === b.volume : compareDecimalText(a.volume, b.volume) === 0);

/** The rows of a bar's time, made into it. */
const madeOf = (rows: readonly BarRow[], bar: BarRow, nowMs: number): BarRow | undefined => {
  const span = rows.filter(({ barStartMs }) => barStartMs >= bar.barStartMs && barStartMs < barEnd(bar));
  const [made] = aggregateBars(span, bar.interval, span.at(-1)?.isClosed ? nowMs : undefined);
  return made && { ...made, sourceId: bar.sourceId };
};

/** A forming bar that takes in another of its time: as high and low as either, ending where the other ends. */
const joined = (bar: BarRow, later: BarRow): BarRow => ({
  ...bar,
  high: compareDecimalText(later.high, bar.high) > 0 ? later.high : bar.high,
  low: compareDecimalText(later.low, bar.low) < 0 ? later.low : bar.low,
  close: later.close,
});

/** How such a day is written. */
export interface DayWrite {
  readonly store: Store;
  readonly coverage: Coverage;
  readonly isAggregating: boolean;
  readonly clock: () => number;
}

/** What a coarser bar becomes whose finer bars were changed; undefined when it stays as it is. */
const becoming = (
  bar: BarRow,
  other: BarRow | undefined,
  finer: { readonly before: readonly BarRow[]; readonly after: readonly BarRow[] },
  nowMs: number,
): BarRow | undefined => {
  const made = madeOf(finer.after, bar, nowMs);
  if (!other || !made) return made;
  const isRunning = barEnd(bar) > nowMs;
  const derived = madeOf(finer.before, bar, nowMs);
  if (derived && (isSame(other, derived) || (isRunning && isGrown(other)))) return made;
  // Somebody's own: over, it stays; running, it takes in what is new.
  return isRunning && !other.isClosed ? joined(other, made) : undefined;
};

/** What a day's rows become, and the coarser bars around them, each interval made of the one before it, over what is stored now. */
const barsOf = async (rows: readonly BarRow[], first: BarRow, write: DayWrite): Promise<BarRow[]> => {
  const { store, coverage, isAggregating } = write;
  const nowMs = write.clock();
  const { symbol, interval } = first;
  const dayMs = bucketStart(first.barStartMs, "1d");
  let before = await readSpan(store, symbol, interval, dayMs, DAY_MS);
  const standing = new Map(before.map((bar) => [bar.barStartMs, bar]));
  const written = rows.map(toStored).map((bar) => {
    const ticks = standing.get(bar.barStartMs);
    // The file was made while the bar formed: what ticks have made of it since is later.
    const isJoined = ticks && !bar.isClosed && !ticks.isClosed && isGrown(ticks);
    return isJoined ? joined(interval === "1m" ? { ...bar, sourceId: ticks.sourceId } : bar, ticks) : bar;
  });
  if (!isAggregating) return written;
  let after = overlaid(before, written);
  for (const [coarser, bars] of coarserBars(rows, nowMs)) {
    const others = await readSpan(store, symbol, coarser, dayMs, DAY_MS);
    const changed = bars.flatMap((bar) => {
      const isWhole = barEnd(bar) <= nowMs && covers(coverage, bar.barStartMs, INTERVAL_MS[coarser]);
      const other = others.find(({ barStartMs }) => barStartMs === bar.barStartMs);
      const kept = isWhole ? bar : becoming(bar, other, { before, after }, nowMs);
      return kept ? [toStored(kept)] : [];
    });
    written.push(...changed);
    before = others;
    after = overlaid(others, changed);
  }
  return written;
};

/**
 * Writes such a day, all or nothing, and only over the bars it was computed from: when a writer or another import was faster, it is
 * computed again.
 *
 * A coarser bar of which the file has only a part is built of all finer bars the store will hold of its time. It is written where
 * none stands, or where the one that stands is just what the finer ones came to before: then it was made of them, by the
 * import of a neighbouring file perhaps, or by ticks. Any other is somebody's own and stays, but for one that still forms, which
 * takes the new rows in.
 * @param rows the day's bars in the file, oldest first
 * @returns what was written
 */
export const writeDay = async (rows: readonly BarRow[], write: DayWrite): Promise<readonly BarRow[]> => {
  const [first] = rows;
  if (!first) return [];
  return writeAtRevision(write.store, first.barStartMs, async (revises) => {
    const written = await barsOf(rows, first, write);
    await upsertBars(write.store, written, { isAtomic: true, revises });
    return written;
  });
};

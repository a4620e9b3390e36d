/** A series without what withdrawn ticks made of it: their minutes are gone, and coarser bars are made of the finer ones that are left. */
import { INTERVAL_MS, INTERVALS, type Interval } from "@assay/contract";
import { aggregateBars } from "./aggregate-bars.ts";
import { barEnd, bucketStart, closeDue } from "./bars.ts";
import { compareDecimalText } from "./scaled.ts";
import type { BarRow } from "./spot-price.ts";

/** A run of ticks that is withdrawn. */
export interface WithdrawnRun {
  /** When its first tick was taken in. */
  readonly fromMs: number;
  /** The source that bars grown from ticks name. */
  readonly sourceId: string;
  /** The forming bars before its first tick. */
  readonly kept: readonly BarRow[];
}

const isSame = (a: BarRow, b: BarRow | undefined): boolean =>
  b !== undefined &&
  (["open", "high", "low", "close"] as const).every((figure) => compareDecimalText(a[figure], b[figure]) === 0);

/** Whether a bar has its high or low of withdrawn minutes: it was forming when they were, whoever stated it. */
const isTouched = (bar: BarRow, before: BarRow | undefined, after: BarRow | undefined): boolean =>
  before !== undefined &&
  (["high", "low"] as const).some(
    (figure) =>
      compareDecimalText(bar[figure], before[figure]) === 0 &&
      (!after || compareDecimalText(before[figure], after[figure]) * (figure === "high" ? 1 : -1) > 0),
  );

const madeOf = (finer: readonly BarRow[], interval: Interval, startMs: number): BarRow | undefined =>
  aggregateBars(
    finer.filter(({ barStartMs }) => barStartMs >= startMs && barStartMs < startMs + INTERVAL_MS[interval]),
    interval,
  )[0];

/** What a bar becomes that reaches past the first withdrawn tick; undefined when it is gone. */
const becoming = (
  bar: BarRow | undefined,
  was: BarRow | undefined,
  made: { readonly before: BarRow | undefined; readonly after: BarRow | undefined },
  { sourceId }: WithdrawnRun,
  isRunning: boolean,
): BarRow | undefined => {
  if (!bar) return (isRunning ? made.after : undefined) ?? was;
  if (bar.sourceId === sourceId) return made.after ?? was;
  // An import built it of the withdrawn minutes, among others.
  if (isSame(bar, made.before) || isTouched(bar, made.before, made.after))
    return made.after ? { ...made.after, sourceId: bar.sourceId } : was;
  // Somebody's own, which took the ticks in only while it was forming.
  if (was?.sourceId === bar.sourceId) return was;
  return bar.isClosed || !made.after ? bar : { ...made.after, sourceId: bar.sourceId };
};

/**
 * Takes a run of ticks out of a series.
 * @param stored the series from the start of the run's first day on, all intervals, oldest first
 * @param run what is withdrawn
 * @param nowMs now; bars whose time is over by then are closed
 * @returns the same stretch as it is without the run, oldest first of each interval; bars that stay as they are, are the same objects
 */
export const withoutWithdrawn = (stored: readonly BarRow[], run: WithdrawnRun, nowMs: number): BarRow[] => {
  const all: BarRow[] = [];
  let finer: { readonly before: readonly BarRow[]; readonly after: readonly BarRow[] } = { before: [], after: [] };
  for (const interval of INTERVALS) {
    const before = stored.filter((bar) => bar.interval === interval);
    const standing = new Map(before.map((bar) => [bar.barStartMs, bar]));
    const was = run.kept.find((bar) => bar.interval === interval && barEnd(bar) > run.fromMs);
    const runningMs = bucketStart(nowMs, interval);
    const starts = new Set([...standing.keys(), ...(was ? [was.barStartMs] : []), runningMs]);
    const after = [...starts]
      .sort((a, b) => a - b)
      .flatMap((startMs) => {
        const bar = standing.get(startMs);
        if (startMs + INTERVAL_MS[interval] <= run.fromMs) return bar ?? [];
        const own = was?.barStartMs === startMs ? was : undefined;
        const made = { before: madeOf(finer.before, interval, startMs), after: madeOf(finer.after, interval, startMs) };
        const becomes = becoming(bar, own, made, run, startMs === runningMs);
        if (!becomes || becomes === bar) return becomes ?? [];
        const row = { ...becomes, isClosed: false };
        return closeDue(row, nowMs) ?? row;
      });
    all.push(...after);
    finer = { before, after };
  }
  return all;
};

/**
 * Removes withdrawn ticks from a series: their minutes are deleted, and coarser bars are rebuilt from the remaining finer ones.
 */
import { INTERVAL_MS, INTERVALS } from "@assay/contract";
import { compareDecimalText } from "../number/scaled.ts";
import { addedUp } from "./aggregate.ts";
import { type BarRow, barEnd, bucketStart, closeDue, isSameFigure } from "./bar.ts";

export interface WithdrawnRun {
  /** When its first tick was received. */
  readonly fromMs: number;
  /** The source of bars made from these ticks. */
  readonly sourceId: string;
  /** The forming bars before its first tick. */
  readonly kept: readonly BarRow[];
}

const isSame = (a: BarRow, b: BarRow | undefined): boolean =>
  b !== undefined && (["open", "high", "low", "close"] as const).every((figure) => isSameFigure(a[figure], b[figure]));

/** Whether a bar's high or low may come from withdrawn minutes: it was forming at the time, whatever its source. */
const isTouched = (bar: BarRow, before: BarRow | undefined, after: BarRow | undefined): boolean =>
  before !== undefined &&
  (["high", "low"] as const).some((figure) => {
    const was = before[figure];
    if (was === null || !isSameFigure(bar[figure], was)) return false;
    const becomes = after?.[figure] ?? null;
    return becomes === null || compareDecimalText(was, becomes) * (figure === "high" ? 1 : -1) > 0;
  });

/** The new version of a bar that extends past the first withdrawn tick; undefined when it is deleted. */
const becoming = (
  bar: BarRow | undefined,
  was: BarRow | undefined,
  made: { readonly before: BarRow | undefined; readonly after: BarRow | undefined },
  { sourceId }: WithdrawnRun,
  isRunning: boolean,
): BarRow | undefined => {
  if (!bar) return (isRunning ? made.after : undefined) ?? was;
  if (bar.sourceId === sourceId) return made.after ?? was;
  // An import built it from the withdrawn minutes, among others.
  if (isSame(bar, made.before) || isTouched(bar, made.before, made.after))
    return made.after ? { ...made.after, sourceId: bar.sourceId } : was;
  // A reported or imported bar, which included the ticks only while it was forming.
  if (was?.sourceId === bar.sourceId) return was;
  return bar.isClosed || !made.after ? bar : { ...made.after, sourceId: bar.sourceId };
};

/**
 * Removes a run of ticks from a series.
 * @param stored the series from the start of the run's first day on, all intervals, oldest first
 * @param nowMs now; bars whose interval has ended by then are closed
 * @returns the same range without the run, oldest first per interval; unchanged bars are the same objects
 */
export const withoutWithdrawn = (stored: readonly BarRow[], run: WithdrawnRun, nowMs: number): BarRow[] => {
  const all: BarRow[] = [];
  let finer: { readonly before: readonly BarRow[]; readonly after: readonly BarRow[] } = { before: [], after: [] };
  for (const interval of INTERVALS) {
    const before = stored.filter((bar) => bar.interval === interval);
    const standing = new Map(before.map((bar) => [bar.barStartMs, bar]));
    const was = run.kept.find((bar) => bar.interval === interval && barEnd(bar) > run.fromMs);
    const [madeBefore, madeAfter] = [addedUp(finer.before, interval), addedUp(finer.after, interval)];
    const runningMs = bucketStart(nowMs, interval);
    const starts = new Set([...standing.keys(), ...(was ? [was.barStartMs] : []), runningMs]);
    const after = [...starts]
      .sort((a, b) => a - b)
      .flatMap((startMs) => {
        const bar = standing.get(startMs);
        if (startMs + INTERVAL_MS[interval] <= run.fromMs) return bar ?? [];
        const own = was?.barStartMs === startMs ? was : undefined;
        const made = { before: madeBefore.get(startMs), after: madeAfter.get(startMs) };
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

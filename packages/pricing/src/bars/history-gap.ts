/** What a series lacks: the parts of its past that are still being filled in, and how many bars it has when none is missing. */
import { INTERVAL_MS, INTERVALS, type Interval } from "@assay/contract";
import type { Session } from "../conventions/exchange-calendar.ts";

/** Bars of a series that may be missing: those that end after `fromMs` and start before `untilMs`. */
export interface HistoryGap {
  readonly symbol: string;
  /** Its daily bars, or those of every interval below a day. */
  readonly bars: "daily" | "intraday";
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The name under which missing days of reference rates are recorded, as if they were daily bars. */
export const REFERENCE_GAP = "reference-rates";

const intervalsOf = ({ bars }: HistoryGap): readonly Interval[] =>
  INTERVALS.filter((interval) => (interval === "1d") === (bars === "daily"));

/**
 * Whether a window of a series may lack bars.
 * @param window.fromMs the first bar start, inclusive
 * @param window.toMs the last bar start, inclusive
 */
export const lacksBars = (
  gaps: readonly HistoryGap[],
  { symbol, interval, fromMs, toMs }: { symbol: string; interval: Interval; fromMs: number; toMs: number },
): boolean =>
  gaps.some(
    (gap) =>
      gap.symbol === symbol &&
      intervalsOf(gap).includes(interval) &&
      fromMs < gap.untilMs &&
      toMs > gap.fromMs - INTERVAL_MS[interval],
  );

/** How many bars the gaps have room for, as if the market never closed. */
export const barsMissing = (gaps: readonly HistoryGap[]): number =>
  gaps
    .flatMap((gap) => intervalsOf(gap).map((interval) => Math.ceil((gap.untilMs - gap.fromMs) / INTERVAL_MS[interval])))
    .reduce((sum, count) => sum + count, 0);

/** The same gaps, oldest first, joined where they overlap or touch. They are of one series, and all daily or all intraday. */
export const joinGaps = (gaps: readonly HistoryGap[]): readonly HistoryGap[] => {
  const joined: HistoryGap[] = [];
  for (const gap of gaps.filter(({ fromMs, untilMs }) => fromMs < untilMs).toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1);
    if (last && gap.fromMs <= last.untilMs) joined[joined.length - 1] = { ...last, untilMs: Math.max(last.untilMs, gap.untilMs) };
    else joined.push(gap);
  }
  return joined;
};

/**
 * The number of bars that hold any open time.
 * @param intervalMs the length of a bar; bars begin at multiples of it
 * @param hours open hours, in order and apart
 */
export const expectedBars = (intervalMs: number, hours: readonly Session[]): number => {
  let count = 0;
  let nextBar = Number.NEGATIVE_INFINITY;
  for (const { fromMs, toMs } of hours) {
    const first = Math.max(nextBar, Math.floor(fromMs / intervalMs));
    nextBar = Math.max(nextBar, Math.ceil(toMs / intervalMs));
    count += Math.max(0, nextBar - first);
  }
  return count;
};

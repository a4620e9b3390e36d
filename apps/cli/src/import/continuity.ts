/** Counts a file's missing bars, and its bars in hours when the market is closed, for the summary. */
import { DAY_MS, INTERVAL_MS, type Interval } from "@assay/contract";
import { bucketStart, type DailySymbol, type MarketState, marketStateAt } from "@assay/pricing";
import { coarserIntervals } from "./coarser.ts";
import type { StartSet } from "./start-set.ts";

/** A period without bars. */
export interface Hole {
  readonly fromMs: number;
  readonly untilMs: number;
  /** How many bars are missing. */
  readonly bars: number;
}

/** The counts. */
export interface Continuity {
  /** Bars entirely in closed hours; null when the market's hours are unknown. */
  readonly closedHourBars: number | null;
  /** Bars missing between the first and the last, while the market is open. */
  readonly missingBars: number;
  readonly holes: number;
  readonly longest: Hole | null;
  /** Coarser intervals whose first or last bar the file covers only in part. */
  readonly partialFirst: readonly Interval[];
  readonly partialLast: readonly Interval[];
}

/** Looks up the market's state at mostly rising instants, recomputing only when it changes. */
const stateReader = (): ((ms: number) => MarketState) => {
  let state: MarketState = { open: false, sinceMs: Number.NEGATIVE_INFINITY, nextChangeMs: Number.NEGATIVE_INFINITY };
  let readMs = Number.POSITIVE_INFINITY;
  return (ms) => {
    if (ms < readMs || ms >= state.nextChangeMs) state = marketStateAt(ms);
    readMs = ms;
    return state;
  };
};

/** Daily bars are named by their date: those on Saturdays are suspicious, those on Sundays may be valid. */
const weekdayOf = (ms: number): number => new Date(ms).getUTCDay();

/** Buckets at least partly within open hours, in a range of starts. */
const openBuckets = (fromMs: number, untilMs: number, interval: Interval): number => {
  const lengthMs = INTERVAL_MS[interval];
  let count = 0;
  if (interval === "1d") {
    for (let ms = fromMs; ms < untilMs; ms += DAY_MS) if (weekdayOf(ms) !== 0 && weekdayOf(ms) !== 6) count += 1;
    return count;
  }
  let nextMs = fromMs;
  while (nextMs < untilMs) {
    const { open, nextChangeMs } = marketStateAt(nextMs);
    if (open) {
      const buckets = Math.ceil((Math.min(nextChangeMs, untilMs) - nextMs) / lengthMs);
      count += buckets;
      nextMs += buckets * lengthMs;
      continue;
    }
    if (nextChangeMs >= untilMs) break;
    nextMs = bucketStart(nextChangeMs, interval);
    // A bucket that starts in closed hours may still be open before its end, and then counts.
    if (nextMs === nextChangeMs) continue;
    count += 1;
    nextMs += lengthMs;
  }
  return count;
};

/**
 * Counts gaps and closed-hours bars.
 * @param starts the file's bars
 */
export const continuityOf = (starts: StartSet, symbol: DailySymbol, interval: Interval): Continuity => {
  const lengthMs = INTERVAL_MS[interval];
  // GLD trades on a stock exchange, with shorter hours.
  const isKnown = symbol !== "GLD" || interval === "1d";
  const stateAt = stateReader();
  let [closedHourBars, missingBars, holes] = [0, 0, 0];
  let longest: Hole | null = null;
  let [firstMs, untilMs] = [Number.NaN, Number.NaN];
  const isClosedAt = (ms: number): boolean => {
    if (interval === "1d") return weekdayOf(ms) === 6;
    const { open, nextChangeMs } = stateAt(ms);
    return !open && nextChangeMs >= ms + lengthMs;
  };
  const leaveOut = (fromMs: number, toMs: number): void => {
    const bars = openBuckets(fromMs, toMs, interval);
    if (bars === 0) return;
    missingBars += bars;
    holes += 1;
    if (bars > (longest?.bars ?? 0)) longest = { fromMs, untilMs: toMs, bars };
  };
  starts.forEach((startMs) => {
    if (Number.isNaN(firstMs)) firstMs = startMs;
    else if (isKnown && startMs > untilMs) leaveOut(untilMs, startMs);
    if (isKnown && isClosedAt(startMs)) closedHourBars += 1;
    untilMs = startMs + lengthMs;
  });
  const coarser = Number.isNaN(firstMs) ? [] : coarserIntervals(interval);
  return {
    closedHourBars: isKnown ? closedHourBars : null,
    ...{ missingBars, holes, longest },
    partialFirst: coarser.filter((each) => openBuckets(bucketStart(firstMs, each), firstMs, interval) > 0),
    partialLast: coarser.filter((each) => {
      const lastMs = bucketStart(untilMs - 1, each);
      return openBuckets(untilMs, lastMs + INTERVAL_MS[each], interval) > 0;
    }),
  };
};

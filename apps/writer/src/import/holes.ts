/** Coarser bars with a hole: some of a file's rows are missing in them though the market was open. */
import { INTERVAL_MS, type Interval } from "@assay/contract";
import { bucketStart, type DailySymbol, marketStateAt } from "@assay/pricing";
import { coarserIntervals } from "./coarser.ts";

/** Bars with a hole by interval; intervals without any are left out. */
export type Holes = ReadonlyMap<Interval, number>;

/** A stretch of time without rows: from the first missing start to the next row. */
export interface Gap {
  readonly fromMs: number;
  readonly untilMs: number;
}

const isTrading = (fromMs: number, untilMs: number): boolean => {
  const { open, nextChangeMs } = marketStateAt(fromMs);
  return open || nextChangeMs < untilMs;
};

/** A fund trades on an exchange by day: what is missing between two of its days is its night. */
const isNight = (symbol: DailySymbol, { fromMs, untilMs }: Gap): boolean =>
  symbol === "GLD" && bucketStart(fromMs, "1d") !== bucketStart(untilMs, "1d");

/**
 * Counts them.
 * @param gaps between the first and the last row of a file, in order of time
 */
export const holesOf = (
  { symbol, interval }: { readonly symbol: DailySymbol; readonly interval: Interval },
  gaps: Iterable<Gap>,
): Holes => {
  const holes = new Map<Interval, number>();
  const counted = new Map<Interval, number>();
  for (const gap of gaps) {
    if (isNight(symbol, gap)) continue;
    for (const coarser of coarserIntervals(interval)) {
      // Those the gap begins or ends in have rows beside it; any between have none, and are not there.
      const edges = new Set([bucketStart(gap.fromMs, coarser), bucketStart(gap.untilMs, coarser)]);
      for (const startMs of edges) {
        const endMs = startMs + INTERVAL_MS[coarser];
        const hasRows = startMs < gap.fromMs || endMs > gap.untilMs;
        const [fromMs, untilMs] = [Math.max(startMs, gap.fromMs), Math.min(endMs, gap.untilMs)];
        if (!hasRows || fromMs >= untilMs || counted.get(coarser) === startMs || !isTrading(fromMs, untilMs)) continue;
        counted.set(coarser, startMs);
        holes.set(coarser, (holes.get(coarser) ?? 0) + 1);
      }
    }
  }
  return holes;
};

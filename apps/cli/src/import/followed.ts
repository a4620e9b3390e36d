/** Closes what an import follows: only a series' newest bar is forming, and where no ticks arrive nothing else closes the others. */
import type { Interval } from "@assay/contract";
import type { BarRow } from "@assay/pricing";

/** Identifies a bar of a series. */
export const keyOf = ({ interval, barStartMs }: Pick<BarRow, "interval" | "barStartMs">): string => `${interval} ${barStartMs}`;

/**
 * Closes the forming bars that written ones follow, as a tick closes the bar before its own.
 * @param standing bars that remain stored
 * @returns the closed ones, to be written with the others
 */
export const followedBy = (written: readonly BarRow[], standing: readonly BarRow[]): BarRow[] => {
  const own = new Set(written.map(keyOf));
  const newest = new Map<Interval, number>();
  for (const { interval, barStartMs } of written)
    newest.set(interval, Math.max(barStartMs, newest.get(interval) ?? barStartMs));
  return standing.flatMap((bar) => {
    const isFollowed = bar.barStartMs < (newest.get(bar.interval) ?? bar.barStartMs);
    return bar.isClosed || !isFollowed || own.has(keyOf(bar)) ? [] : [{ ...bar, isClosed: true }];
  });
};

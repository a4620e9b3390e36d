/** Only the newest bar of a series is forming: a write closes those that a newer one follows, as a tick closes the bar before its own. */
import type { Interval } from "@assay/contract";
import type { BarRow } from "@assay/pricing";

/** Identifies a bar of a series. */
export const keyOf = ({ interval, barStartMs }: Pick<BarRow, "interval" | "barStartMs">): string => `${interval} ${barStartMs}`;

/**
 * Closes the forming bars that newer ones follow.
 * @param standing the newest stored bar of every interval and any others, without those to be removed
 * @param written bars about to be written over them
 * @returns what is to be written instead
 */
export const onlyNewestForming = (standing: readonly BarRow[], written: readonly BarRow[]): BarRow[] => {
  const bars = new Map([...standing, ...written].map((bar) => [keyOf(bar), bar]));
  const newest = new Map<Interval, number>();
  for (const { interval, barStartMs } of bars.values())
    newest.set(interval, Math.max(barStartMs, newest.get(interval) ?? barStartMs));
  const unchanged = new Set(standing);
  return [...bars.values()]
    .map((bar) => (bar.isClosed || bar.barStartMs === newest.get(bar.interval) ? bar : { ...bar, isClosed: true }))
    .filter((bar) => !unchanged.has(bar));
};

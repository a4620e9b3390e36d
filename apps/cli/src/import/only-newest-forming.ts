/** Only the newest bar of a series is forming: like a tick, an import that writes a newer one closes those before it. */
import type { Interval } from "@assay/contract";
import type { BarRow } from "@assay/pricing";

/** Identifies a bar of a series. */
export const keyOf = ({ interval, barStartMs }: Pick<BarRow, "interval" | "barStartMs">): string => `${interval} ${barStartMs}`;

/**
 * Closes forming bars that have a newer one after them.
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

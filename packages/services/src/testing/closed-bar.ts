/** A closed bar for tests, complete by default. */
import type { BarSymbol, Interval } from "@assay/contract";
import type { BarRow } from "@assay/pricing";

export const closedBar = (symbol: BarSymbol, interval: Interval, barStartMs: number, change: Partial<BarRow> = {}): BarRow => ({
  symbol,
  interval,
  barStartMs,
  open: "4003.2",
  high: "4004.125",
  low: "4002.75",
  close: "4003.95",
  volume: null,
  isClosed: true,
  sourceId: "composed",
  ...change,
});

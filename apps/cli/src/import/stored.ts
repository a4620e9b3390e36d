/** Converts bars to their stored form. */
import type { BarRow } from "@assay/pricing";
import { isSpotSeries } from "./symbols.ts";

/**
 * A bar as its series stores it: spot series have no volume on the wire, and a broker's tick count is not a volume. It is
 * carried up to here, so that coarser bars are checked and summed like any other.
 */
export const toStored = (bar: BarRow): BarRow =>
  bar.volume !== null && isSpotSeries(bar.symbol) ? { ...bar, volume: null } : bar;

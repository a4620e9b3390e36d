/** Bars as they are stored. */
import type { BarRow } from "@assay/pricing";
import { isSpotSeries } from "./symbols.ts";

/**
 * A bar as its series keeps it: spot series have no volume on the wire, and a broker's count of its own quotes is not one.
 * Until here it is carried along, so that coarser bars are checked and summed like any other.
 */
export const toStored = (bar: BarRow): BarRow =>
  bar.volume !== null && isSpotSeries(bar.symbol) ? { ...bar, volume: null } : bar;

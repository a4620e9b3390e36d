/** Filters a country's dealer quotes: drops those whose unit is implausible, even when spot or the rate became known later. */
import type { PhysicalCountry } from "@assay/contract";
import { type Fraction, isUnitSlip } from "@assay/pricing";
import type { DealersView, HeldQuote } from "./dealers-view.ts";

/** The quotes shown, and the sources some were left out of. */
export interface Believable {
  readonly quotes: readonly HeldQuote[];
  readonly leftOut: readonly string[];
}

/**
 * Drops quotes that were accepted before they could be checked.
 * @param spot spot per gram in the country's currency; null when unknown, and then nothing is left out
 */
export const believable = (dealers: DealersView, country: PhysicalCountry, spot: Fraction | null, nowMs: number): Believable => {
  const held = dealers.quotes(country, nowMs);
  if (!spot) return { quotes: held, leftOut: [] };
  const isOff = ({ quote }: HeldQuote): boolean => isUnitSlip(quote, spot);
  return {
    quotes: held.filter((one) => !isOff(one)),
    leftOut: [...new Set(held.filter(isOff).map(({ quote }) => quote.source))],
  };
};

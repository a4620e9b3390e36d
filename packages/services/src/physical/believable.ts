/** The quotes of a country that are shown: none of another unit than it claims, whenever spot or the rate became known. */
import type { PhysicalCountry } from "@assay/contract";
import { type Fraction, isUnitSlip } from "@assay/pricing";
import type { DealersView, HeldQuote } from "./dealers-view.ts";

/** What is shown, and of which sources something is left out. */
export interface Believable {
  readonly quotes: readonly HeldQuote[];
  readonly leftOut: readonly string[];
}

/**
 * Sorts out what was taken in before it could be judged.
 * @param spot spot per gram in the country's currency; null when it is not known, and then nothing is left out
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

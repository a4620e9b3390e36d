/** Groups a venue's markets into one observation per metal. */
import { SURFACE_METALS } from "@assay/contract";
import type { DigitalMarket, MarketsObservation } from "@assay/pricing";

/**
 * @param source the feed's key
 * @param markets of any metal
 * @returns each dated by its oldest book
 */
export const observationsByMetal = (source: string, markets: readonly DigitalMarket[]): MarketsObservation[] =>
  SURFACE_METALS.flatMap((metal) => {
    const ofMetal = markets.filter((market) => market.metal === metal);
    if (ofMetal.length === 0) return [];
    const observedAtMs = Math.min(...ofMetal.map(({ retrievedAtMs }) => retrievedAtMs));
    return [{ kind: "markets", source, markets: ofMetal, observedAtMs }];
  });

/** Encodes dealers' quotes for the wire. */
import { type AssayContract, formatTimestamp, type OutputOf } from "@assay/contract";
import { type Fraction, premiumOf } from "@assay/pricing";
import type { HeldQuote } from "./dealers-view.ts";

type WireQuote = OutputOf<AssayContract["physical"]["get"]>["quotes"][number];

/**
 * One quote compared with spot.
 * @param spot spot per gram in the quote's currency; null when unknown
 * @returns undefined for a quote without purity or weight, which validation never lets in
 */
export const encodeQuote = (
  { quote, fetchedAtMs, freshUntilMs }: HeldQuote,
  spot: Fraction | null,
  nowMs: number,
): WireQuote[] => {
  const premium = premiumOf(quote, spot);
  if (!premium) return [];
  return [
    {
      id: quote.id,
      source: quote.source,
      dealer: quote.dealer,
      kind: quote.kind,
      metal: quote.metal,
      product: quote.product,
      form: quote.form,
      karat: quote.karat,
      fineness: premium.fineness,
      weight: quote.weight,
      weight_unit: quote.weightUnit,
      weight_grams: premium.weightGrams,
      sell_price: quote.sell,
      buyback_price: quote.buyback,
      price_per_fine_gram: premium.pricePerFineGram,
      premium_over_spot_bps: premium.premiumOverSpotBps,
      buyback_premium_bps: premium.buybackPremiumBps,
      spread_bps: premium.spreadBps,
      tax_included: quote.taxIncluded,
      source_url: quote.sourceUrl,
      quoted_at: formatTimestamp(new Date(quote.observedAtMs)),
      fetched_at: formatTimestamp(new Date(fetchedAtMs)),
      is_stale: nowMs > freshUntilMs,
    },
  ];
};

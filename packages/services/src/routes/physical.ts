/** Prices and premiums of physical metal, by country. */
import {
  type AssayContract,
  formatTimestamp,
  type OutputOf,
  PHYSICAL_COUNTRIES,
  PHYSICAL_MARKETS,
  upperCase,
  type Verb,
} from "@assay/contract";
import {
  type Fraction,
  type FxRate,
  premiumOf,
  presentFigure,
  presentWhole,
  type StandingPrice,
  spotPerGram,
  toSignificantText,
} from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { believable, type HeldQuote } from "../market/dealer-book.ts";

const SYMBOL = "XAU-USD-SPOT";

/** `GET /v1/physical`: all twelve countries by code; one without any data yet has no quotes and is stale. */
export const listPhysical =
  ({ market: prices, dealers }: Pick<ServiceDeps, "market" | "dealers">): Verb<AssayContract["physical"]["list"], VerbContext> =>
  async (_, { caller, asOfMs, nowMs }) => {
    await dealers.refresh(nowMs);
    const countries = PHYSICAL_MARKETS.map((market) => {
      const { price, rate: fx } = prices.standingOf({ instrument: SYMBOL, currency: market.currency }, asOfMs);
      const { quotes: held } = believable(dealers, market.country, price && fx && spotPerGram(price.price, fx), nowMs);
      const fetchedAtMs = held.length === 0 ? null : Math.max(...held.map((one) => one.fetchedAtMs));
      return {
        ...market,
        sources: new Set(held.map(({ quote }) => quote.source)).size,
        quotes: held.length,
        last_fetched_at: fetchedAtMs === null ? null : formatTimestamp(fetchedAtMs),
        is_stale: held.every(({ freshUntilMs }) => nowMs > freshUntilMs),
      };
    });
    return { countries, computed_at: formatTimestamp(nowMs), meta: { tier: caller.tier, count: countries.length } };
  };

const RATE_DIGITS = 18;
const PER_GRAM_DECIMALS = 4;

type Output = OutputOf<AssayContract["physical"]["get"]>;

/**
 * One quote compared with spot.
 * @param spot spot per gram in the quote's currency; null when unknown
 * @returns undefined for a quote without purity or weight, which validation never lets in
 */
const encodeQuote = ({ quote, fetchedAtMs, freshUntilMs }: HeldQuote, spot: Fraction | null, nowMs: number): Output["quotes"] => {
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
      quoted_at: formatTimestamp(quote.observedAtMs),
      fetched_at: formatTimestamp(fetchedAtMs),
      is_stale: nowMs > freshUntilMs,
    },
  ];
};

const referenceOf = (
  price: StandingPrice,
  fx: FxRate | null,
  spot: Fraction | null,
  isStale: boolean,
): Output["spot_reference"] => ({
  symbol: SYMBOL,
  price_usd: presentWhole(price.price),
  fx_rate: fx && toSignificantText(fx, RATE_DIGITS),
  fx_source: fx?.source ?? null,
  price_local_per_gram: spot && presentFigure(spot, PER_GRAM_DECIMALS),
  computed_at: formatTimestamp(price.computedAtMs),
  is_stale: isStale,
});

/** `GET /v1/physical/{country}`: the latest quotes of a country, each compared with spot and the rate of the same instant. */
export const getPhysical =
  ({ market, dealers }: Pick<ServiceDeps, "market" | "dealers">): Verb<AssayContract["physical"]["get"], VerbContext> =>
  async (input, { caller, asOfMs, nowMs, fail }) => {
    const wanted = upperCase(input.country);
    const found = PHYSICAL_MARKETS.find(({ country }) => country === wanted);
    if (!found) return fail("not_found", { message: `There is no such country; use one of ${PHYSICAL_COUNTRIES.join(", ")}.` });
    await dealers.refresh(nowMs);
    const { price, rate: fx, stale } = market.standingOf({ instrument: SYMBOL, currency: found.currency }, asOfMs);
    const spot = price && fx && spotPerGram(price.price, fx);
    const { quotes: shown, leftOut } = believable(dealers, found.country, spot, nowMs);
    const quotes = shown.flatMap((held) => encodeQuote(held, spot, nowMs));
    return {
      ...found,
      spot_reference: price && referenceOf(price, fx, spot, stale.isStale),
      quotes,
      errors: [
        ...dealers.errors(found.country, nowMs),
        ...leftOut.map((source) => `${source}: a price whose unit cannot be the stated one is left out`),
      ],
      meta: { tier: caller.tier, count: quotes.length },
    };
  };

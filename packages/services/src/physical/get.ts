/** GET /v1/physical/{country}: a country's dealers compared with spot. */
import { type AssayContract, formatTimestamp, type OutputOf, PHYSICAL_MARKETS, upperCase, type Verb } from "@assay/contract";
import {
  type Fraction,
  type FxRate,
  presentPrice,
  type StandingPrice,
  spotPerGram,
  toFixedText,
  toSignificantText,
} from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { believable } from "./believable.ts";
import { encodeQuote } from "./encode.ts";

const SYMBOL = "XAU-USD-SPOT";
const RATE_DIGITS = 18;
const PER_GRAM_DECIMALS = 4;

type SpotReference = OutputOf<AssayContract["physical"]["get"]>["spot_reference"];

const referenceOf = (price: StandingPrice, fx: FxRate | null, spot: Fraction | null, nowMs: number): SpotReference => ({
  symbol: SYMBOL,
  price_usd: presentPrice(price.price),
  fx_rate: fx && toSignificantText(fx, RATE_DIGITS),
  fx_source: fx?.source ?? null,
  price_local_per_gram: spot && toFixedText(spot, PER_GRAM_DECIMALS),
  computed_at: formatTimestamp(new Date(price.computedAtMs)),
  is_stale: nowMs > price.freshUntilMs,
});

/** The latest quotes of a country, each compared with spot and the rate of the same instant. */
export const getPhysical =
  ({ market, dealers }: Pick<ServiceDeps, "market" | "dealers">): Verb<AssayContract["physical"]["get"], VerbContext> =>
  async (input, { caller, asOfMs, nowMs, fail }) => {
    const wanted = upperCase(input.country);
    const found = PHYSICAL_MARKETS.find(({ country }) => country === wanted);
    if (!found) return fail("not_found");
    await dealers.refresh(nowMs);
    const price = market.priceAt(SYMBOL, asOfMs);
    const fx = market.fxRate(found.currency, asOfMs);
    const spot = price && fx && spotPerGram(price.price, fx);
    const { quotes: shown, leftOut } = believable(dealers, found.country, spot, nowMs);
    const quotes = shown.flatMap((held) => encodeQuote(held, spot, nowMs));
    return {
      ...found,
      spot_reference: price && referenceOf(price, fx, spot, nowMs),
      quotes,
      errors: [
        ...dealers.errors(found.country, nowMs),
        ...leftOut.map((source) => `${source}: a price whose unit cannot be the stated one is left out`),
      ],
      meta: { tier: caller.tier, count: quotes.length },
    };
  };

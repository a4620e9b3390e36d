/** GET /v1/physical/{country}: a country's dealers beside spot. */
import { formatTimestamp, type getPhysical, type OutputOf, PHYSICAL_MARKETS, upperCase, type Verb } from "@assay/contract";
import { type Fraction, type FxRate, presentPrice, spotPerGram, type Tick, toFixedText, toSignificantText } from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { believable } from "./believable.ts";
import { encodeQuote } from "./encode.ts";

const SYMBOL = "XAU-USD-SPOT";
const RATE_DIGITS = 18;
const PER_GRAM_DECIMALS = 4;

type SpotReference = OutputOf<typeof getPhysical>["spot_reference"];

const referenceOf = (tick: Tick, fx: FxRate | null, spot: Fraction | null, nowMs: number): SpotReference => ({
  symbol: SYMBOL,
  price_usd: presentPrice(tick.price),
  fx_rate: fx && toSignificantText(fx, RATE_DIGITS),
  fx_source: fx?.source ?? null,
  price_local_per_gram: spot && toFixedText(spot, PER_GRAM_DECIMALS),
  computed_at: formatTimestamp(new Date(tick.computedAtMs)),
  is_stale: nowMs > tick.freshUntilMs,
});

/** The latest quotes of a country, each beside spot and the rate of one moment. */
export const getCountryQuotes =
  ({ market, dealers }: Pick<ServiceDeps, "market" | "dealers">): Verb<typeof getPhysical, VerbContext> =>
  async (input, { caller, asOfMs, nowMs, fail }) => {
    const wanted = upperCase(input.country);
    const found = PHYSICAL_MARKETS.find(({ country }) => country === wanted);
    if (!found) return fail("not_found");
    await dealers.refresh(nowMs);
    const tick = market.tickAt(SYMBOL, asOfMs);
    const fx = market.fxRate(found.currency, asOfMs);
    const spot = tick && fx && spotPerGram(tick.price, fx);
    const { quotes: shown, leftOut } = believable(dealers, found.country, spot, nowMs);
    const quotes = shown.flatMap((held) => encodeQuote(held, spot, nowMs));
    return {
      ...found,
      spot_reference: tick && referenceOf(tick, fx, spot, nowMs),
      quotes,
      errors: [
        ...dealers.errors(found.country, nowMs),
        ...leftOut.map((source) => `${source}: a price of another unit than it claims is left out`),
      ],
      meta: { tier: caller.tier, count: quotes.length },
    };
  };

/** GET /v1/physical: the countries, and how fresh their quotes are. */
import { type AssayContract, formatTimestamp, PHYSICAL_MARKETS, type Verb } from "@assay/contract";
import { spotPerGram } from "@assay/pricing";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { believable } from "./believable.ts";

/** All twelve countries by code; one without any data yet has no quotes and is stale. */
export const listPhysical =
  ({ market: prices, dealers }: Pick<ServiceDeps, "market" | "dealers">): Verb<AssayContract["physical"]["list"], VerbContext> =>
  async (_, { caller, asOfMs, nowMs }) => {
    await dealers.refresh(nowMs);
    const price = prices.priceAt("XAU-USD-SPOT", asOfMs);
    const countries = PHYSICAL_MARKETS.map((market) => {
      const fx = prices.fxRate(market.currency, asOfMs);
      const { quotes: held } = believable(dealers, market.country, price && fx && spotPerGram(price.price, fx), nowMs);
      const fetchedAtMs = held.length === 0 ? null : Math.max(...held.map((one) => one.fetchedAtMs));
      return {
        ...market,
        sources: new Set(held.map(({ quote }) => quote.source)).size,
        quotes: held.length,
        last_fetched_at: fetchedAtMs === null ? null : formatTimestamp(new Date(fetchedAtMs)),
        is_stale: held.every(({ freshUntilMs }) => nowMs > freshUntilMs),
      };
    });
    return { countries, computed_at: formatTimestamp(new Date(nowMs)), meta: { tier: caller.tier, count: countries.length } };
  };

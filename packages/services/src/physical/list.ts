/** GET /v1/physical: the countries, and how fresh each of them is. */
import { formatTimestamp, type listPhysical, PHYSICAL_MARKETS, type Verb } from "@assay/contract";
import type { VerbContext } from "../context.ts";
import type { DealersView } from "./dealers-view.ts";

/** All twelve countries by code; one nothing was heard of yet has no quotes and is stale. */
export const listCountries =
  (dealers: DealersView): Verb<typeof listPhysical, VerbContext> =>
  (_, { caller, nowMs }) => {
    const countries = PHYSICAL_MARKETS.map((market) => {
      const held = dealers.quotes(market.country);
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

/** Whether a price is stale at a moment, and why. */
import type { FxRate } from "./fx-cross.ts";
import type { SpotPrice } from "./spot-price.ts";

/** Why a price is stale: the market is closed, its sources fell silent, or its currency rate is not a live one. */
export type StaleReason = "market_closed" | "feed_down" | "fx_fallback";

/** Whether a price is stale; the reason only when it is. */
export type Staleness = { readonly isStale: false } | { readonly isStale: true; readonly reason: StaleReason };

const FRESH: Staleness = { isStale: false };

/**
 * Judges a price at a moment.
 *
 * Past its freshness window it is stale: `market_closed` while the market is closed, else `feed_down`. A fresh price crossed
 * with a rate that is no fresh live one is stale with `fx_fallback`; USD and pegs need no live rate, and the lev has the
 * role of its euro leg.
 * @param price the composed price, or what of it matters here
 * @param fx the rate it is crossed with; undefined for USD
 * @param atMs the moment, epoch milliseconds
 * @param marketOpen whether the market is open then
 */
export const staleness = (
  price: Pick<SpotPrice, "freshUntilMs">,
  fx: Pick<FxRate, "role" | "isStale"> | undefined,
  atMs: number,
  marketOpen: boolean,
): Staleness => {
  if (atMs > price.freshUntilMs) return { isStale: true, reason: marketOpen ? "feed_down" : "market_closed" };
  if (fx && (fx.isStale || fx.role === "reference")) return { isStale: true, reason: "fx_fallback" };
  return FRESH;
};

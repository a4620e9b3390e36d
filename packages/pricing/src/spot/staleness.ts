/** Whether a symbol's price is stale at a moment, and why. */
import type { FxRate } from "../fx/cross.ts";
import type { StandingPrice } from "./standing-price.ts";

/** Why a price is stale: the market is closed, its sources are silent, or its currency rate is not live. */
export type StaleReason = "market_closed" | "feed_down" | "fx_fallback";

/** Whether a price is stale; the reason only when it is. */
export type Staleness = { readonly isStale: false } | { readonly isStale: true; readonly reason: StaleReason };

const FRESH: Staleness = { isStale: false };

/**
 * The only place that judges staleness, so that every answer gives the same reason.
 *
 * Without a price, or past its freshness window, it is stale: `market_closed` while the market is closed, otherwise `feed_down`.
 * A settlement has its own schedule, and is `feed_down` in either case. A fresh price without a rate, or converted with a rate
 * that is not fresh and live, is stale with `fx_fallback`; USD and pegs need no live rate, and the lev has the role of its euro
 * leg.
 * @param price the price, or its relevant fields; null when there is none
 * @param fx the rate it is converted with; null when there is none
 * @param atMs the moment, epoch milliseconds
 * @param marketOpen whether the market is open then
 */
export const staleness = (
  price: Pick<StandingPrice, "freshUntilMs" | "basis"> | null,
  fx: Pick<FxRate, "role" | "isStale"> | null,
  atMs: number,
  marketOpen: boolean,
): Staleness => {
  if (price === null || atMs > price.freshUntilMs) {
    const isSilent = marketOpen || price?.basis === "settlement";
    return { isStale: true, reason: isSilent ? "feed_down" : "market_closed" };
  }
  if (fx === null || fx.isStale || fx.role === "reference") return { isStale: true, reason: "fx_fallback" };
  return FRESH;
};

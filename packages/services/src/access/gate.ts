/** What a tier may ask for: symbols, contracts, intervals and depth. */

import type { BarSymbol } from "@assay/contract";
import {
  INTRADAY_DEPTH_DAYS,
  type Interval,
  Refusal,
  TIER_NAMES,
  TIER_REACH,
  type TierCatalog,
  type TierName,
  tierAtLeast,
} from "@assay/contract";
import type { PriceSymbol } from "@assay/pricing";
import type { Caller } from "../context.ts";

const DAY_MS = 86_400_000;

const gated = (caller: Caller, required: TierName): never => {
  throw new Refusal("plan_gated", { tier: caller.tier, required_tier: required });
};

const lowestTier = (allows: (tier: TierName) => boolean): TierName => TIER_NAMES.find(allows) ?? "realtime_pro";

/** Refuses a caller below a route's tier. */
export const requireTier = (caller: Caller, required: TierName): void => {
  if (!tierAtLeast(caller.tier, required)) gated(caller, required);
};

/** Whether a tier may see a metal's contract. */
export const allowsSymbol = (
  catalog: TierCatalog,
  tier: TierName,
  symbol: Pick<PriceSymbol, "metal" | "contractType">,
): boolean =>
  catalog.tiers[tier].allowed_bases.includes(symbol.metal) && catalog.tiers[tier].allowed_contracts.includes(symbol.contractType);

/** Refuses a metal or contract outside the caller's tier. */
export const requireSymbol = (
  catalog: TierCatalog,
  caller: Caller,
  symbol: Pick<PriceSymbol, "metal" | "contractType">,
): void => {
  if (!allowsSymbol(catalog, caller.tier, symbol))
    gated(
      caller,
      lowestTier((tier) => allowsSymbol(catalog, tier, symbol)),
    );
};

/** Refuses a bar series or interval outside the caller's tier. */
export const requireBars = (caller: Caller, symbol: BarSymbol, interval: Interval): void => {
  if (symbol !== "XAU-USD-SPOT" && !caller.reach.allBarSymbols)
    gated(
      caller,
      lowestTier((tier) => TIER_REACH[tier].allBarSymbols),
    );
  if (interval !== "1d" && !caller.reach.intraday)
    gated(
      caller,
      lowestTier((tier) => TIER_REACH[tier].intraday),
    );
};

/** Midnight UTC of the day a depth reaches back to, epoch milliseconds; -Infinity for the full history. */
const floorOf = (days: number | null, nowMs: number): number =>
  days === null ? Number.NEGATIVE_INFINITY : Math.floor((nowMs - days * DAY_MS) / DAY_MS) * DAY_MS;

/**
 * The earliest instant a caller may ask bars for: midnight UTC of the day the tier's depth reaches back to.
 * @returns epoch milliseconds; -Infinity for the full history
 */
export const depthFloor = (caller: Caller, interval: Interval, nowMs: number): number =>
  floorOf(interval === "1d" ? caller.reach.dailyDepthDays : INTRADAY_DEPTH_DAYS, nowMs);

/**
 * The lowest tier that sees anything of a window.
 * @param endMs the first instant behind the window
 * @returns null when none does: intervals below a day have one depth for all
 */
export const tierReaching = (interval: Interval, endMs: number, nowMs: number): TierName | null => {
  if (interval !== "1d") return null;
  return TIER_NAMES.find((tier) => endMs > floorOf(TIER_REACH[tier].dailyDepthDays, nowMs)) ?? null;
};

/** Refuses a calendar year that does not lie wholly within the caller's depth; of the running year, what has passed of it. */
export const requireYear = (caller: Caller, year: number, nowMs: number): void => {
  const reaches = (days: number | null): boolean => Date.UTC(year, 0, 1) >= floorOf(days, nowMs);
  if (!reaches(caller.reach.dailyDepthDays))
    gated(
      caller,
      lowestTier((tier) => reaches(TIER_REACH[tier].dailyDepthDays)),
    );
};

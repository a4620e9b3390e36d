/** What a tier may request: symbols, contracts, intervals and depth. */

import {
  type BarSymbol,
  DAY_MS,
  type FailWith,
  INTRADAY_DEPTH_DAYS,
  type Interval,
  TIER_NAMES,
  TIER_REACH,
  type TierCatalog,
  type TierName,
  tierAtLeast,
} from "@assay/contract";
import type { PriceSymbol } from "@assay/pricing";
import type { Caller } from "../context.ts";

type FailGated = FailWith<"plan_gated">;

const gated = (caller: Caller, required: TierName, fail: FailGated): never =>
  fail("plan_gated", { tier: caller.tier, required_tier: required });

const lowestTier = (allows: (tier: TierName) => boolean): TierName => TIER_NAMES.find(allows) ?? "realtime_pro";

/** Refuses a caller below a route's tier. */
export const requireTier = (caller: Caller, required: TierName, fail: FailGated): void => {
  if (!tierAtLeast(caller.tier, required)) gated(caller, required, fail);
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
  fail: FailGated,
): void => {
  if (!allowsSymbol(catalog, caller.tier, symbol))
    gated(
      caller,
      lowestTier((tier) => allowsSymbol(catalog, tier, symbol)),
      fail,
    );
};

/** Refuses a key whose tier does not include agent access. Callers without a key have the keyless limits there, too. */
export const requireMcp = (catalog: TierCatalog, caller: Caller, fail: FailGated): void => {
  if (caller.key !== null && !catalog.tiers[caller.tier].includes_mcp)
    gated(
      caller,
      lowestTier((tier) => catalog.tiers[tier].includes_mcp),
      fail,
    );
};

/** Refuses a bar series or interval outside the caller's tier. */
export const requireBars = (caller: Caller, symbol: BarSymbol, interval: Interval, fail: FailGated): void => {
  if (symbol !== "XAU-USD-SPOT" && !caller.reach.allBarSymbols)
    gated(
      caller,
      lowestTier((tier) => TIER_REACH[tier].allBarSymbols),
      fail,
    );
  if (interval !== "1d" && !caller.reach.intraday)
    gated(
      caller,
      lowestTier((tier) => TIER_REACH[tier].intraday),
      fail,
    );
};

/** Midnight UTC of the day the depth reaches back to, epoch milliseconds; -Infinity for the full history. */
const floorOf = (days: number | null, nowMs: number): number =>
  days === null ? Number.NEGATIVE_INFINITY : Math.floor((nowMs - days * DAY_MS) / DAY_MS) * DAY_MS;

/**
 * The earliest instant a caller may request bars for: midnight UTC of the day the tier's depth reaches back to.
 * @returns epoch milliseconds; -Infinity for the full history
 */
export const depthFloor = (caller: Caller, interval: Interval, nowMs: number): number =>
  floorOf(interval === "1d" ? caller.reach.dailyDepthDays : INTRADAY_DEPTH_DAYS, nowMs);

/**
 * The lowest tier that can see any part of a window.
 * @param endMs the end of the window, exclusive
 * @returns null when no tier can: intervals below a day have one depth for all
 */
export const tierReaching = (interval: Interval, endMs: number, nowMs: number): TierName | null => {
  if (interval !== "1d") return null;
  return TIER_NAMES.find((tier) => endMs > floorOf(TIER_REACH[tier].dailyDepthDays, nowMs)) ?? null;
};

/** Refuses a calendar year that is not wholly within the caller's depth; for the current year, the part that has passed. */
export const requireYear = (caller: Caller, year: number, nowMs: number, fail: FailGated): void => {
  const reaches = (days: number | null): boolean => Date.UTC(year, 0, 1) >= floorOf(days, nowMs);
  if (!reaches(caller.reach.dailyDepthDays))
    gated(
      caller,
      lowestTier((tier) => reaches(TIER_REACH[tier].dailyDepthDays)),
      fail,
    );
};

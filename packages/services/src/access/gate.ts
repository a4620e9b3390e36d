/** What a tier may request, symbols, contracts, intervals and depth, and which instant its callers see. */
import {
  allowsSymbol,
  BAR_SYMBOLS,
  type BarSymbol,
  DAY_MS,
  type FailWith,
  INTRADAY_DEPTH_DAYS,
  type Interval,
  symbolHint,
  TIER_NAMES,
  TIER_REACH,
  type TierCatalog,
  type TierName,
  tierAtLeast,
} from "@assay/contract";
import { type PriceSymbol, readBarSymbol } from "@assay/pricing";
import type { Caller } from "../context.ts";
import { refuseParameter } from "../input.ts";

export { allowsSymbol };

type FailGated = FailWith<"plan_gated">;

/** Refuses a caller whose tier does not allow something, and names the lowest tier that does. */
const requireAllowed = (caller: Caller, allows: (tier: TierName) => boolean, fail: FailGated): void => {
  if (allows(caller.tier)) return;
  fail("plan_gated", { tier: caller.tier, required_tier: TIER_NAMES.find(allows) ?? "realtime_pro" });
};

/** Refuses a caller below a route's tier. */
export const requireTier = (caller: Caller, required: TierName, fail: FailGated): void =>
  requireAllowed(caller, (tier) => tierAtLeast(tier, required), fail);

/** Refuses a metal or contract outside the caller's tier. */
export const requireSymbol = (
  catalog: TierCatalog,
  caller: Caller,
  symbol: Pick<PriceSymbol, "metal" | "contractType">,
  fail: FailGated,
): void => requireAllowed(caller, (tier) => allowsSymbol(catalog, tier, symbol), fail);

/**
 * Whether the service knows of no right to more than everyone has: no key, and no tier that the operator gives to callers without one.
 */
export const isAnonymous = ({ key, tier }: Pick<Caller, "key" | "tier">): boolean => key === null && tier === "free";

/** Refuses a key whose tier does not include agent access. Callers without a key have the keyless limits there, too. */
export const requireMcp = (catalog: TierCatalog, caller: Caller, fail: FailGated): void => {
  if (caller.key !== null) requireAllowed(caller, (tier) => catalog.tiers[tier].includes_mcp, fail);
};

/** Refuses a bar series or interval outside the caller's tier. */
export const requireBars = (caller: Caller, symbol: BarSymbol, interval: Interval, fail: FailGated): void => {
  if (symbol !== "XAU-USD-SPOT") requireAllowed(caller, (tier) => TIER_REACH[tier].allBarSymbols, fail);
  if (interval !== "1d") requireAllowed(caller, (tier) => TIER_REACH[tier].intraday, fail);
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

/** Parses a series' name and refuses one outside the caller's tier. */
export const requireSeries = (
  text: string,
  interval: Interval,
  caller: Caller,
  fail: FailWith<"validation_error" | "plan_gated">,
): BarSymbol => {
  const symbol =
    readBarSymbol(text) ??
    refuseParameter(fail, "symbol", symbolHint(text, `must name a series with bars: ${BAR_SYMBOLS.join(", ")}`));
  requireBars(caller, symbol, interval, fail);
  return symbol;
};

/** Refuses a calendar year that is not wholly within the caller's depth; for the current year, the part that has passed. */
export const requireYear = (caller: Caller, year: number, nowMs: number, fail: FailGated): void =>
  requireAllowed(caller, (tier) => Date.UTC(year, 0, 1) >= floorOf(TIER_REACH[tier].dailyDepthDays, nowMs), fail);

/**
 * The instant a caller may see prices of.
 * @param nowMs now, epoch milliseconds
 * @returns now for paid tiers, 15 minutes earlier for the tier free
 */
export const asOf = (caller: Pick<Caller, "reach">, nowMs: number): number => nowMs - caller.reach.delayMs;

/** The instant bars are seen as of: Infinity for callers without delay, who see the current forming bar. */
export const barsAsOf = (caller: Caller, asOfMs: number): number =>
  caller.reach.delayMs === 0 ? Number.POSITIVE_INFINITY : asOfMs;

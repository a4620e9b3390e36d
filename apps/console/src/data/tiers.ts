/**
 * What the console knows of tiers: their names, what each opens, and how deep its bars go. Tests compare it with the contract.
 */
import type { TierName } from "@assay/sdk";

const NAMES: Readonly<Record<TierName, string>> = {
  free: "Free",
  basic: "Basic",
  physical: "Physical",
  pro: "Pro",
  realtime_pro: "Realtime Pro",
};

/** The name of a tier; one that is newer than the console, as it is. */
export const tierText = (tier: string): string => (Object.hasOwn(NAMES, tier) ? NAMES[tier as TierName] : tier); // just looked up

const ORDER = Object.keys(NAMES);

export const includesTier = (has: TierName, needed: TierName): boolean => ORDER.indexOf(has) >= ORDER.indexOf(needed);

/** The lowest tier that opens what a page is made of, by resource and action. */
export const OPENS_WITH = {
  "physical.get": "physical",
  "surface.get": "pro",
  "settlements.list": "pro",
  "account.usage": "free",
  "stream.sse": "pro",
} as const satisfies Record<string, TierName>;

/** Days of daily bars that a tier can ask for; null for all there are. */
export const DAILY_DEPTH_DAYS: Readonly<Record<TierName, number | null>> = {
  free: 30,
  basic: 365,
  physical: 365,
  pro: null,
  realtime_pro: null,
};

/** Whether a tier has bars shorter than a day. */
export const hasIntraday = (tier: TierName): boolean => DAILY_DEPTH_DAYS[tier] === null;

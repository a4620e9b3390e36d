/** What callers without a key may see: the routes they reach, and the rest in words. */
import type { Route } from "./route.ts";
import { latenessOf, type TierCatalog, type TierName, tierAtLeast, tierTitle } from "./tiers.ts";

/**
 * Whether a route refuses callers without a key. A route that requires a key of any tier is about that key; the others require it for
 * its tier, which such callers may have.
 * @param keyless the tier of callers without a key
 */
export const needsKey = ({ access }: Pick<Route, "access">, keyless: TierName): boolean =>
  access.auth === "required" && (access.tier === "free" || !tierAtLeast(keyless, access.tier));

/** What callers without a key have on a service: tier, delay and limits. */
export const keylessText = ({ keyless: { tier, perMinute, perHour }, tiers }: TierCatalog): string => {
  const { max_concurrent_streams: streams } = tiers[tier];
  const open = streams === 0 ? "" : `, and ${streams} streams at once`;
  const seen = `Without a key: the tier ${tierTitle(tier)}, prices ${latenessOf(tier)}`;
  const account = tier === "free" ? "" : " Account routes need a key.";
  return `${seen}; ${perMinute} requests a minute and ${perHour} an hour for each address${open}.${account}`;
};

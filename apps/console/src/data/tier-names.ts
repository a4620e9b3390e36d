/** Tiers as people call them. */
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

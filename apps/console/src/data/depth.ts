/** What bars a tier can ask for: the contract's own figures, compared with it by a test. */
import type { TierName } from "@assay/sdk";

/** Days of daily bars; null for all there are. */
export const DAILY_DEPTH_DAYS: Readonly<Record<TierName, number | null>> = {
  free: 30,
  basic: 365,
  physical: 365,
  pro: null,
  realtime_pro: null,
};

/** Whether a tier has bars shorter than a day. */
export const hasIntraday = (tier: TierName): boolean => DAILY_DEPTH_DAYS[tier] === null;

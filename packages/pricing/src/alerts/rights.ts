/** What the owner of an alert may have at an instant: asked when the alert is judged, and again when its event is sent. */
import { allowsSymbol, DELAY_MS, TIER_REACH, type TierCatalog, type TierName } from "@assay/contract";
import type { PriceSymbol } from "../conventions/symbols.ts";
import type { JudgeView } from "./alert.ts";

export interface AlertOwner {
  readonly tier: TierName;
  /** Until when one of its keys authenticates, epoch milliseconds; Infinity when one never ends, and 0 when none does. */
  readonly livesUntilMs: number;
  /** Whether the operator has suspended its alerts. */
  readonly isSuspended: boolean;
}

/** Why an alert is not judged: its owner's alerts are suspended, no key of it lives, its tier lacks the symbol or as many alerts. */
export type PausedReason = "suspended" | "no_key" | "tier" | "limit";

/** Whether an organisation may be sent anything at all. */
export const ownerPaused = ({ isSuspended, livesUntilMs }: AlertOwner, nowMs: number): PausedReason | null => {
  if (isSuspended) return "suspended";
  return livesUntilMs > nowMs ? null : "no_key";
};

/**
 * Why an alert is paused; null when it is judged.
 * @param symbol null for one that the catalogue no longer has, whose alert waits until it does
 * @param older how many alerts its owner has that were made before it: the newest are beyond the limit
 */
export const alertPaused = (
  catalog: Pick<TierCatalog, "tiers">,
  owner: AlertOwner,
  { symbol, older }: { readonly symbol: Pick<PriceSymbol, "metal" | "contractType"> | null; readonly older: number },
  nowMs: number,
): PausedReason | null => {
  const paused = ownerPaused(owner, nowMs);
  if (paused) return paused;
  if (symbol && !allowsSymbol(catalog, owner.tier, symbol)) return "tier";
  return older < catalog.tiers[owner.tier].max_alerts ? null : "limit";
};

/** How late each view is. */
export const DELAY_OF: Readonly<Record<JudgeView, number>> = { live: 0, delayed: DELAY_MS };

/** Whose prices a tier's alerts are judged on. */
export const viewOf = (tier: TierName): JudgeView => (TIER_REACH[tier].delayMs === 0 ? "live" : "delayed");

/** Callers: without a key, with a bad key, or with a tier's key. */
import { TIER_NAMES, TIER_REACH, type TierName } from "@assay/contract";

export interface Caller {
  readonly name: string;
  readonly kind: "keyless" | "bad key" | "key";
  /** The tier it gets; `free` without a key. */
  readonly tier: TierName;
  readonly headers: Readonly<Record<string, string>>;
}

export const KEYLESS: Caller = { name: "without a key", kind: "keyless", tier: "free", headers: {} };

export const keyed = (tier: TierName, key: string): Caller => ({
  name: `tier ${tier}`,
  kind: "key",
  tier,
  headers: { authorization: `Bearer ${key}` },
});

/** A caller with an invalid key, sent in one of several ways. */
export const badKey = (headers: Readonly<Record<string, string>>): Caller => ({
  name: "invalid key",
  kind: "bad key",
  tier: "free",
  headers,
});

/** Invalid keys, by what is wrong with them. */
export const BAD_KEYS: readonly Readonly<Record<string, string>>[] = [
  { authorization: "Bearer not-a-key" },
  { "x-api-key": "not-a-key" },
  { authorization: `Bearer assay_live_${"0".repeat(38)}` },
  { authorization: "Bearer" },
];

export const isDelayed = ({ kind, tier }: Caller): boolean => kind !== "bad key" && TIER_REACH[tier].delayMs > 0;

export const highestFirst = (callers: readonly Caller[]): Caller[] =>
  callers.toSorted((left, right) => TIER_NAMES.indexOf(right.tier) - TIER_NAMES.indexOf(left.tier));

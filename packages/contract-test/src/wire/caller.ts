/** Callers: without a key, with a bad key, or with a tier's key. */
import { TIER_NAMES, TIER_REACH, type TierName } from "@assay/contract";

/** A caller of the service under test. */
export interface Caller {
  /** Its name in reports. */
  readonly name: string;
  readonly kind: "keyless" | "bad key" | "key";
  /** The tier it gets; `free` without a key. */
  readonly tier: TierName;
  /** How it authenticates. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A caller without a key. */
export const KEYLESS: Caller = { name: "without a key", kind: "keyless", tier: "free", headers: {} };

/** The bearer of a tier's key. */
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

/** Whether a caller sees delayed prices. */
export const isDelayed = ({ kind, tier }: Caller): boolean => kind !== "bad key" && TIER_REACH[tier].delayMs > 0;

/** Callers from the highest tier down. */
export const highestFirst = (callers: readonly Caller[]): Caller[] =>
  callers.toSorted((left, right) => TIER_NAMES.indexOf(right.tier) - TIER_NAMES.indexOf(left.tier));

/** What this reader may see: what their key opens, or without one what the service gives to everyone. */
import type { TierName } from "@assay/sdk";
import { computed, signal } from "@preact/signals";
import { key } from "./key.ts";
import { includesTier, OPENS_WITH } from "./tiers.ts";

/** The tier of callers without a key; null until the service has said. */
const everyone = signal<TierName | null>(null);

/** Notes what the service gives to callers without a key. */
export const noteKeylessTier = (tier: TierName): void => {
  everyone.value = tier;
};

/** The tier in use without a key where it is more than everyone has by default; else null. */
export const openTier = computed(() => (key.value === null && everyone.value !== "free" ? everyone.value : null));

/** Whether the routes are asked; otherwise the page is made of the document that all readers share. */
export const isAsking = computed(() => key.value !== null || openTier.value !== null);

/** A part of the console that is for a tier. */
export type Tiered = Exclude<keyof typeof OPENS_WITH, "account.usage">;

/** Whether a part may be asked for: with any key the service decides. */
export const opens = (part: Tiered): boolean =>
  key.value !== null || (openTier.value !== null && includesTier(openTier.value, OPENS_WITH[part]));

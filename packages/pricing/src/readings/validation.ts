/** Shared parts of the validation rules: the verdict, and the timestamp rules for every kind of reading. */
import { DAY_MS } from "@assay/contract";

/** Maximum clock skew of a publisher into the future, in milliseconds. */
export const MAX_CLOCK_SKEW_MS = 5_000;

/**
 * Maximum age of a reading, in milliseconds: a week. A stale reading sets no price, but over a weekend a correct source repeats
 * Friday's last reading, which is not a fault; an older one means a broken publisher or a wrong timestamp.
 */
export const MAX_AGE_MS = 7 * DAY_MS;

/** A refusal: the rule's name, and the figures behind it for the log and the status. */
export interface Refusal<Rule extends string> {
  readonly ok: false;
  readonly rule: Rule;
  readonly detail: string;
}

/** The verdict on a reading: ok, or the first rule it breaks. */
export type Verdict<Rule extends string> = { readonly ok: true } | Refusal<Rule>;

export const PASSED = { ok: true } as const;

export const refused = <Rule extends string>(rule: Rule, detail: string): Refusal<Rule> => ({ ok: false, rule, detail });

export type TimeRule = "unreadable_time" | "from_the_future" | "too_old";

/**
 * Validates a reading's observation time.
 * @param observedAtMs its timestamp, epoch milliseconds
 * @param freshForMs its freshness; a reading is never too old while it is fresh
 */
export const validateTime = (observedAtMs: number, nowMs: number, freshForMs: number): Verdict<TimeRule> => {
  if (!Number.isFinite(observedAtMs)) return refused("unreadable_time", "no instant");
  const aheadMs = observedAtMs - nowMs;
  if (aheadMs > MAX_CLOCK_SKEW_MS) return refused("from_the_future", `${aheadMs} ms ahead, at most ${MAX_CLOCK_SKEW_MS}`);
  const limitMs = Math.max(MAX_AGE_MS, freshForMs);
  if (-aheadMs > limitMs) return refused("too_old", `${-aheadMs} ms old, at most ${limitMs}`);
  return PASSED;
};

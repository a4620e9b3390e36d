/** What the validation rules share: their verdict, and the rules of time every kind of reading obeys. */

/** How far ahead of our clock a publisher's may be, in milliseconds. */
export const MAX_CLOCK_SKEW_MS = 5_000;

/**
 * How old a reading may be, in milliseconds: a week. Past its freshness it sets no price, but over a weekend an honest source
 * repeats Friday's last reading, which is no fault; one older than this is a broken publisher or a wrong timestamp.
 */
export const MAX_AGE_MS = 7 * 86_400_000;

/** A refusal: the rule's name, and the figures behind it for the log and the status. */
export interface Refusal<Rule extends string> {
  readonly ok: false;
  readonly rule: Rule;
  readonly detail: string;
}

/** What the rules say of a reading: nothing, or the first one it breaks. */
export type Verdict<Rule extends string> = { readonly ok: true } | Refusal<Rule>;

/** Passed. */
export const PASSED = { ok: true } as const;

/** Makes a refusal. */
export const refused = <Rule extends string>(rule: Rule, detail: string): Refusal<Rule> => ({ ok: false, rule, detail });

/** The rules of time. */
export type TimeRule = "unreadable_time" | "from_the_future" | "too_old";

/**
 * Checks when a reading says it was observed.
 * @param observedAtMs what it says, epoch milliseconds
 * @param nowMs now
 * @param freshForMs how long it would be fresh; a reading is never too old while it is fresh
 */
export const validateTime = (observedAtMs: number, nowMs: number, freshForMs: number): Verdict<TimeRule> => {
  if (!Number.isFinite(observedAtMs)) return refused("unreadable_time", "no instant");
  const aheadMs = observedAtMs - nowMs;
  if (aheadMs > MAX_CLOCK_SKEW_MS) return refused("from_the_future", `${aheadMs} ms ahead, at most ${MAX_CLOCK_SKEW_MS}`);
  const limitMs = Math.max(MAX_AGE_MS, freshForMs);
  if (-aheadMs > limitMs) return refused("too_old", `${-aheadMs} ms old, at most ${limitMs}`);
  return PASSED;
};

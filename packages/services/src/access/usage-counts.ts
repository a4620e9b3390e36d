/** Calls and refusals by tier since the start, for the operator's metrics. */
import { TIER_NAMES, type TierName } from "@assay/contract";

/** A tier, or callers without a key. */
export type CallerTier = TierName | "keyless";

/** The codes of exceeded limits. */
export const LIMIT_CODES = ["rate_limited", "rate_limit_exceeded", "quota_exceeded"] as const;
/** One of them. */
export type LimitCode = (typeof LIMIT_CODES)[number];

/** The counts of one tier. */
interface TierCounts {
  calls: number;
  readonly refused: Record<LimitCode, number>;
}

/** The counts of one process. */
export class UsageCounts {
  readonly #tiers: ReadonlyMap<CallerTier, TierCounts> = new Map(
    (["keyless", ...TIER_NAMES] as const).map((tier) => [
      tier,
      { calls: 0, refused: { rate_limited: 0, rate_limit_exceeded: 0, quota_exceeded: 0 } },
    ]),
  );

  called(tier: CallerTier): void {
    const counts = this.#tiers.get(tier);
    if (counts) counts.calls += 1;
  }

  refused(tier: CallerTier, code: LimitCode): void {
    const counts = this.#tiers.get(tier);
    if (counts) counts.refused[code] += 1;
  }

  /** As figures: calls by tier, and refusals by tier and code. */
  read() {
    const calls = { name: "assay_calls_total", help: "Calls counted against a limit, by tier" };
    const refused = { name: "assay_limited_calls_total", help: "Calls refused by a limit, by tier and code" };
    return [...this.#tiers].flatMap(([tier, counts]) => [
      { ...calls, kind: "counter" as const, labels: { tier }, value: counts.calls },
      ...LIMIT_CODES.map((code) => ({
        ...refused,
        kind: "counter" as const,
        labels: { tier, code },
        value: counts.refused[code],
      })),
    ]);
  }
}

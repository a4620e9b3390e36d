/** A feed's health: last success, failures since, refusals. Plain data that may be published. */

/** How a feed is doing. Contains no address, header, payload or figure of the publisher's. */
export interface FeedHealth {
  readonly required: boolean;
  readonly expectedIntervalMs: number;
  readonly lastSuccessAtMs: number | null;
  /** Failures since the last success. */
  readonly consecutiveFailures: number;
  readonly successes: number;
  readonly failures: number;
  /** Refused observations since the start, in total and by rule. */
  readonly rejectedObservations: number;
  readonly rejectedByRule: Readonly<Record<string, number>>;
  /** The class of the last failure, or the rule of the last refusal, as one word; kept after a success. */
  readonly lastError: string | null;
  readonly lastErrorAtMs: number | null;
  /** Since when a figure that should change has been frozen; null when none is. */
  readonly frozenSinceMs: number | null;
}

/** A feed's health, updated as it runs. */
export interface HealthRecord {
  succeeded(atMs: number): void;
  failed(errorClass: string, atMs: number): void;
  /** Part of a reading failed; the reading as a whole may still succeed. */
  noted(errorClass: string, atMs: number): void;
  rejected(rule: string, atMs: number): void;
  frozen(sinceMs: number | null): void;
  read(): FeedHealth;
}

/** The health before the first reading. */
export const healthRecord = (feed: { readonly required: boolean; readonly intervalMs: number }): HealthRecord => {
  let health: FeedHealth = {
    required: feed.required,
    expectedIntervalMs: feed.intervalMs,
    lastSuccessAtMs: null,
    consecutiveFailures: 0,
    successes: 0,
    failures: 0,
    rejectedObservations: 0,
    rejectedByRule: {},
    lastError: null,
    lastErrorAtMs: null,
    frozenSinceMs: null,
  };
  const change = (to: Partial<FeedHealth>): void => {
    health = { ...health, ...to };
  };
  const noted = (errorClass: string, atMs: number): void => change({ lastError: errorClass, lastErrorAtMs: atMs });
  return {
    succeeded: (atMs) => change({ lastSuccessAtMs: atMs, consecutiveFailures: 0, successes: health.successes + 1 }),
    failed: (errorClass, atMs) => {
      noted(errorClass, atMs);
      change({ consecutiveFailures: health.consecutiveFailures + 1, failures: health.failures + 1 });
    },
    noted,
    rejected: (rule, atMs) => {
      noted(rule, atMs);
      change({
        rejectedObservations: health.rejectedObservations + 1,
        rejectedByRule: { ...health.rejectedByRule, [rule]: (health.rejectedByRule[rule] ?? 0) + 1 },
      });
    },
    frozen: (sinceMs) => change({ frozenSinceMs: sinceMs }),
    read: () => health,
  };
};

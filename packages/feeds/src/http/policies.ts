/** Retries with growing, jittered pauses, and a circuit breaker per source. */
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  type IPolicy,
  retry,
  TaskCancelledError,
} from "cockatiel";
import { FeedError, toFeedError } from "../feed/error.ts";

/** Timeouts and retries of the HTTP client; durations in milliseconds. */
export interface Patience {
  /** Timeout of one attempt, not counting the wait for the host's queue. */
  readonly timeoutMs: number;
  /** Number of retries. */
  readonly retries: number;
  /** The average first pause between attempts; later ones grow. */
  readonly retryDelayMs: number;
  /** Consecutive failures that open the breaker. */
  readonly breakAfter: number;
  /** How long the breaker stays open at first, on average; doubles with each failed trial, up to ten minutes. */
  readonly breakMs: number;
}

/** Defaults for feeds with intervals from ten seconds to six hours. */
export const DEFAULT_PATIENCE: Patience = { timeoutMs: 10_000, retries: 1, retryDelayMs: 500, breakAfter: 5, breakMs: 30_000 };

const LONGEST_RETRY_DELAY_MS = 5_000;
const LONGEST_BREAK_MS = 600_000;

/** A transient fault for which the upstream sent no Retry-After. */
const isPassing = (error: Error): boolean =>
  error instanceof FeedError &&
  (error.kind === "unreachable" || error.kind === "timeout" || ((error.status ?? 0) >= 500 && error.retryAtMs === null));

const isUpstreamFault = (error: Error): boolean =>
  error instanceof FeedError && error.kind !== "aborted" && error.kind !== "held-off";

/** The policies of one source. */
export interface SourcePolicies {
  readonly again: IPolicy;
  readonly breaker: IPolicy;
}

/** New policies with no recorded failures. */
export const sourcePolicies = (patience: Patience): SourcePolicies => ({
  again: retry(handleWhen(isPassing), {
    maxAttempts: patience.retries,
    backoff: new ExponentialBackoff({ initialDelay: patience.retryDelayMs, maxDelay: LONGEST_RETRY_DELAY_MS }),
  }).dangerouslyUnref(),
  breaker: circuitBreaker(handleWhen(isUpstreamFault), {
    breaker: new ConsecutiveBreaker(patience.breakAfter),
    halfOpenAfter: new ExponentialBackoff({ initialDelay: patience.breakMs, maxDelay: LONGEST_BREAK_MS }),
  }),
});

/** Converts a policy's own errors to FeedErrors. */
export const policyError = (thrown: unknown, signal: AbortSignal): FeedError => {
  if (thrown instanceof FeedError) return signal.aborted ? new FeedError("aborted", "stopped", { cause: thrown }) : thrown;
  if (thrown instanceof BrokenCircuitError) return new FeedError("circuit-open", "paused after repeated failures");
  if (thrown instanceof BulkheadRejectedError) return new FeedError("held-off", "too many requests are waiting for this host");
  if (thrown instanceof TaskCancelledError) {
    return signal.aborted ? new FeedError("aborted", "stopped") : new FeedError("timeout", "no complete answer in time");
  }
  return toFeedError(thrown);
};

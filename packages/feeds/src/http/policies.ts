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
  (error.kind === "dns" ||
    error.kind === "unreachable" ||
    error.kind === "timeout" ||
    ((error.status ?? 0) >= 500 && error.retryAtMs === null));

const isUpstreamFault = (error: Error): boolean =>
  error instanceof FeedError && error.kind !== "aborted" && error.kind !== "held-off";

export interface SourcePolicies {
  readonly again: IPolicy;
  readonly breaker: IPolicy;
  /** The last failure that the breaker counted; null before the first. */
  readonly lastFault: () => FeedError | null;
}

/** New policies with no recorded failures. */
export const sourcePolicies = (patience: Patience): SourcePolicies => {
  let lastFault: FeedError | null = null;
  const counts = (error: Error): boolean => {
    if (!isUpstreamFault(error)) return false;
    lastFault = toFeedError(error);
    return true;
  };
  return {
    again: retry(handleWhen(isPassing), {
      maxAttempts: patience.retries,
      backoff: new ExponentialBackoff({ initialDelay: patience.retryDelayMs, maxDelay: LONGEST_RETRY_DELAY_MS }),
    }).dangerouslyUnref(),
    breaker: circuitBreaker(handleWhen(counts), {
      breaker: new ConsecutiveBreaker(patience.breakAfter),
      halfOpenAfter: new ExponentialBackoff({ initialDelay: patience.breakMs, maxDelay: LONGEST_BREAK_MS }),
    }),
    lastFault: () => lastFault,
  };
};

/** Why a request was not sent: what failed before comes first, since that is what can be repaired. */
const skipped = (lastFault: FeedError | null): FeedError =>
  new FeedError("circuit-open", `${lastFault ? `${lastFault.message}; ` : ""}paused after repeated failures`, {
    cause: lastFault ?? undefined,
  });

/**
 * Converts a policy's own errors to FeedErrors.
 * @param lastFault what opened the breaker, if it is open
 */
export const policyError = (thrown: unknown, signal: AbortSignal, lastFault: FeedError | null = null): FeedError => {
  if (thrown instanceof FeedError) return signal.aborted ? new FeedError("aborted", "stopped", { cause: thrown }) : thrown;
  if (thrown instanceof BrokenCircuitError) return skipped(lastFault);
  if (thrown instanceof BulkheadRejectedError) return new FeedError("held-off", "too many requests are waiting for this host");
  if (thrown instanceof TaskCancelledError) {
    return signal.aborted ? new FeedError("aborted", "stopped") : new FeedError("timeout", "no complete answer in time");
  }
  return toFeedError(thrown);
};

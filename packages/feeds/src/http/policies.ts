/** How hard a source is tried: repeats with growing, jittered pauses, and a breaker that leaves it alone after many failures. */
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
import { FeedError, toFeedError } from "../feed-error.ts";

/** How patient the way out is; durations in milliseconds. */
export interface Patience {
  /** For one attempt, waiting for the host's turn not counted. */
  readonly timeoutMs: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** The first pause between attempts, on average; later ones grow. */
  readonly retryDelayMs: number;
  /** Failures in a row after which the source is left alone. */
  readonly breakAfter: number;
  /** How long it is left alone at first, on average; it doubles with each failed trial, up to ten minutes. */
  readonly breakMs: number;
}

/** What suits feeds that are asked every ten seconds to every six hours. */
export const DEFAULT_PATIENCE: Patience = { timeoutMs: 10_000, retries: 1, retryDelayMs: 500, breakAfter: 5, breakMs: 30_000 };

const LONGEST_RETRY_DELAY_MS = 5_000;
const LONGEST_BREAK_MS = 600_000;

/** A fault that may be gone a moment later, and for which the upstream named no time to come back. */
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

/** Fresh policies, nothing counted yet. */
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

/** A policy's own errors in the words of feeds. */
export const policyError = (thrown: unknown, signal: AbortSignal): FeedError => {
  if (thrown instanceof FeedError) return signal.aborted ? new FeedError("aborted", "stopped", { cause: thrown }) : thrown;
  if (thrown instanceof BrokenCircuitError)
    return new FeedError("circuit-open", "left alone for a while after repeated failures");
  if (thrown instanceof BulkheadRejectedError) return new FeedError("held-off", "too many requests wait for this host");
  if (thrown instanceof TaskCancelledError) {
    return signal.aborted ? new FeedError("aborted", "stopped") : new FeedError("timeout", "no complete answer in time");
  }
  return toFeedError(thrown);
};

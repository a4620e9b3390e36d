/** The one error of feeds. Its message may be shown to anybody: no URL, no header, no payload. */

/** What went wrong, as far as the reaction differs. */
export type FeedErrorKind =
  | "unreachable"
  | "timeout"
  | "status"
  | "redirect"
  | "too-large"
  | "payload"
  /** Not asked, because the upstream told us when to come back. */
  | "held-off"
  /** Not asked, because it failed too often of late. */
  | "circuit-open"
  | "aborted";

/** A reading that could not be had. */
export class FeedError extends Error {
  readonly kind: FeedErrorKind;
  /** The upstream's status, where it answered with a refusal. */
  readonly status: number | null;
  /** When the upstream asked us to come back, epoch milliseconds. */
  readonly retryAtMs: number | null;

  constructor(kind: FeedErrorKind, message: string, more: { status?: number; retryAtMs?: number | null; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "FeedError";
    this.kind = kind;
    this.status = more.status ?? null;
    this.retryAtMs = more.retryAtMs ?? null;
  }
}

/** Whatever was thrown, as a FeedError; a stranger's message is not passed on, because it may hold a URL. */
export const toFeedError = (thrown: unknown): FeedError =>
  thrown instanceof FeedError ? thrown : new FeedError("payload", "the feed failed unexpectedly", { cause: thrown });

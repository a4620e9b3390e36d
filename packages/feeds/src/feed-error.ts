/** The one error of feeds. Its message is for the log: no URL, no header, no payload. Its class is for everybody. */

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

/** The classes of failures. A refused status is `http_503` and the like. */
const CLASSES: Readonly<Record<FeedErrorKind, string>> = {
  unreachable: "unreachable",
  timeout: "timeout",
  status: "http_error",
  redirect: "redirect",
  "too-large": "too_large",
  payload: "malformed",
  "held-off": "held_off",
  "circuit-open": "circuit_open",
  aborted: "aborted",
};

/** A failure as one word that may be shown to anybody: no figure and no text of the publisher's is in it. */
export const classOf = ({ kind, status }: FeedError): string => (status === null ? CLASSES[kind] : `http_${status}`);

/** Whatever was thrown, as a FeedError; a stranger's message is not passed on, because it may hold a URL. */
export const toFeedError = (thrown: unknown): FeedError =>
  thrown instanceof FeedError ? thrown : new FeedError("payload", "the feed failed unexpectedly", { cause: thrown });

/** The only error of feeds. Its message is for the log and contains no URL, header or payload. Its class is public. */

/** What failed, where the reaction differs. */
type FeedErrorKind =
  /** The host's name was not found. */
  | "dns"
  | "unreachable"
  | "timeout"
  | "status"
  | "redirect"
  | "too-large"
  | "payload"
  /** Skipped, because the upstream asked us to wait. */
  | "held-off"
  /** Skipped, because too many recent requests failed; the cause is the last of them. */
  | "circuit-open"
  | "aborted";

export class FeedError extends Error {
  readonly kind: FeedErrorKind;
  /** The upstream's status, when it refused the request. */
  readonly status: number | null;
  /** The upstream's Retry-After, epoch milliseconds. */
  readonly retryAtMs: number | null;

  constructor(kind: FeedErrorKind, message: string, more: { status?: number; retryAtMs?: number | null; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "FeedError";
    this.kind = kind;
    this.status = more.status ?? null;
    this.retryAtMs = more.retryAtMs ?? null;
  }
}

/** Failure classes. A refused status is `http_503` and so on. */
const CLASSES: Readonly<Record<FeedErrorKind, string>> = {
  dns: "dns_lookup_failed",
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

/** A failure as one public word: contains no figure and no text of the publisher's. A skipped request has the class of its cause. */
export const classOf = ({ kind, status, cause }: FeedError): string => {
  if (kind === "circuit-open" && cause instanceof FeedError) return classOf(cause);
  return status === null ? CLASSES[kind] : `http_${status}`;
};

/** Converts anything thrown to a FeedError; foreign messages are dropped, because they may contain a URL. */
export const toFeedError = (thrown: unknown): FeedError =>
  thrown instanceof FeedError ? thrown : new FeedError("payload", "the feed failed unexpectedly", { cause: thrown });

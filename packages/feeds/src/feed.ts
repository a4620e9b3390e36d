/** What a feed is: who publishes, how often to ask, and one function from the upstream's answer to observations. */
import type { Observation, SourceInfo } from "@assay/pricing";
import type { FeedError } from "./feed-error.ts";
import type { Payload, Reply } from "./http/reply.ts";

/** Who a feed is, and on what terms its publisher lets it be read. */
export interface FeedInfo extends SourceInfo {
  /** Whether the overall status depends on it. */
  readonly required: boolean;
  /** Who publishes the figures. */
  readonly publisher: string;
  /** The page a person reads about them, empty when there is none; requests go to the feed's `baseUrl`. */
  readonly url: string;
  /** What the publisher allows, in a sentence. */
  readonly terms: string;
  /** Whether its figures keep moving while the market is open, so that standing still is a fault. */
  readonly moves: boolean;
}

/** A request as a feed makes it, below the feed's base URL. */
export interface FeedRequest {
  /** Path and query, starting with a slash. */
  readonly path: string;
  readonly expect: Payload;
  /** The largest body it accepts, in bytes; 8 MiB by default. */
  readonly maxBytes?: number;
  /** How long one attempt may take, in milliseconds; 10 seconds by default. */
  readonly timeoutMs?: number;
  /** Another User-Agent header, for a publisher that answers only agents of a certain form. */
  readonly userAgent?: string;
}

/** What a feed is given for one reading. */
export interface FeedContext {
  readonly nowMs: number;
  readonly signal: AbortSignal;
  /** @throws FeedError when there is no usable answer */
  get(request: FeedRequest): Promise<Reply>;
  /** Tells of a part that failed while other parts answered. */
  partial(error: FeedError): void;
}

/** A stretch of time, both ends within it. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** One upstream. It extracts and never converts, inverts or rescues; whatever it does not expect it throws. */
export interface Feed {
  readonly info: FeedInfo;
  readonly kind: "spot" | "fx" | "settlement";
  /** Every source its observations may name. */
  readonly sources: readonly SourceInfo[];
  /** Scheme, host and optional path prefix, without a slash at the end. */
  readonly baseUrl: string;
  /** @throws FeedError on anything unexpected, an empty set included */
  fetch(context: FeedContext): Promise<readonly Observation[]>;
  /** Milliseconds from now to the next reading, where that is not always `info.intervalMs`. */
  nextDelayMs?(nowMs: number): number;
  /** Figures of the past, oldest first. */
  backfill?(context: FeedContext, range: TimeRange): Promise<readonly Observation[]>;
}

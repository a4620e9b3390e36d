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
  /** Another host of the same publisher; a base URL laid over the feed's own takes the place of this one as well. */
  readonly baseUrl?: string;
  /** Path and query, starting with a slash. */
  readonly path: string;
  readonly expect: Payload;
  /** Sent as the body of a POST; without it the request is a GET. */
  readonly post?: { readonly contentType: string; readonly body: string };
  /** Headers a publisher asks for beside the usual ones; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The largest body it accepts, in bytes; by default 8 MiB, of markup 2 MiB. */
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
  readonly kind: Observation["kind"];
  /** Every source its observations may name. */
  readonly sources: readonly SourceInfo[];
  /** Scheme, host and optional path prefix, without a slash at the end. */
  readonly baseUrl: string;
  /** @throws FeedError on anything unexpected, an empty set included unless the publisher says that it is closed */
  fetch(context: FeedContext): Promise<readonly Observation[]>;
  /** Milliseconds from now to the next reading, where that is not always `info.intervalMs`. */
  nextDelayMs?(nowMs: number): number;
  /** Figures of the past, oldest first. */
  backfill?(context: FeedContext, range: TimeRange): Promise<readonly Observation[]>;
}

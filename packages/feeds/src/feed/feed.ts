/**
 * A feed: its publisher, its interval, how long its readings stay fresh, and one function from the upstream's answer to
 * observations.
 */
import { type BarSymbol, HOUR_MS, MINUTE_MS } from "@assay/contract";
import type { Observation, SourceInfo } from "@assay/pricing";
import type { FeedError } from "./error.ts";

/** The kind of body a request expects. */
export type Payload = "json" | "xml" | "zip" | "html" | "text";

/** A body that passed every transport check. */
export interface Reply {
  readonly bytes: Uint8Array;
  /** When the upstream last confirmed this body: when it arrived, or when "not modified" did. */
  readonly receivedAtMs: number;
}

/** A feed's identity, and the terms of its publisher. */
export interface FeedInfo extends SourceInfo {
  /** Whether the overall status depends on it. */
  readonly required: boolean;
  readonly origin: string;
  readonly publisher: string;
  /** A human-readable page about them, empty when there is none; requests go to the feed's `baseUrl`. */
  readonly url: string;
  /** What the publisher allows, in a sentence. */
  readonly terms: string;
  /** Whether its figures change continuously while the market is open, so that a frozen figure is a fault. */
  readonly moves: boolean;
}

/** A request, relative to the feed's base URL. */
export interface FeedRequest {
  /** Another host of the same publisher; an overriding base URL replaces this one as well. */
  readonly baseUrl?: string;
  /** Path and query, starting with a slash. */
  readonly path: string;
  readonly expect: Payload;
  /** Sent as the body of a POST; without it the request is a GET. */
  readonly post?: { readonly contentType: string; readonly body: string };
  /** Additional headers the publisher requires; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The largest accepted body, in bytes; defaults to 8 MiB, or 2 MiB for markup. */
  readonly maxBytes?: number;
  /** Timeout of one attempt, in milliseconds; defaults to 10 seconds. */
  readonly timeoutMs?: number;
  /** Sends our name in a browser's form, for publishers that refuse any other; it still identifies us. */
  readonly browserLike?: true;
}

export interface FeedContext {
  readonly nowMs: number;
  readonly signal: AbortSignal;
  /** @throws FeedError when there is no usable answer */
  get(request: FeedRequest): Promise<Reply>;
  /** Reports a part that failed while other parts succeeded. */
  partial(error: FeedError): void;
}

/** A time range, both ends inclusive. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** One upstream. It extracts and never converts, inverts or repairs; it throws on anything unexpected. */
export interface Feed {
  readonly info: FeedInfo;
  readonly kind: Observation["kind"];
  readonly sources: readonly SourceInfo[];
  /** Scheme, host and optional path prefix, without a trailing slash. */
  readonly baseUrl: string;
  /** @throws FeedError on anything unexpected, including an empty set unless the publisher says that it is closed */
  fetch(context: FeedContext): Promise<readonly Observation[]>;
  /** Milliseconds until the next reading, where that is not always `info.intervalMs`. */
  nextDelayMs?(nowMs: number): number;
  /** The series whose daily closes the backfill gives. */
  readonly closesOf?: readonly BarSymbol[];
  /** Historical figures, oldest first. */
  backfill?(context: FeedContext, range: TimeRange): Promise<readonly Observation[]>;
}

/** A central bank's table stays fresh over a long weekend. */
export const REFERENCE_FRESH_MS = 5 * 24 * HOUR_MS;

/** The council's rate is published once per business day. */
export const COUNCIL_FRESH_MS = 36 * HOUR_MS;

/** A shop's price is valid until it changes, including over a weekend. */
export const SHOP_FRESH_MS = 3 * 24 * HOUR_MS;

/** Three times the interval, at least a minute. */
export const freshFor = (intervalMs: number): number => Math.max(3 * intervalMs, MINUTE_MS);

/** The one way out to upstreams: one request at a time per host, patience per source, and good manners towards all. */
import { type BulkheadPolicy, bulkhead, TimeoutStrategy, timeout } from "cockatiel";
import type { FeedRequest } from "../feed.ts";
import { FeedError } from "../feed-error.ts";
import { MAX_BODY_BYTES } from "./body.ts";
import { type Fetch, fetchUpstream } from "./fetch-upstream.ts";
import { conditions, keptBodies } from "./kept-bodies.ts";
import { DEFAULT_PATIENCE, type Patience, policyError, type SourcePolicies, sourcePolicies } from "./policies.ts";
import { type Resolve, resolveName } from "./public-address.ts";
import type { Payload, Reply } from "./reply.ts";
import { userAgent } from "./user-agent.ts";

/** What the way out is built from. */
export interface UpstreamOptions {
  readonly nowMs: () => number;
  /** The built-in fetch unless a test brings its own. */
  readonly fetch?: Fetch;
  /** The system's resolver unless a test brings its own. */
  readonly resolve?: Resolve;
  /** The whole User-Agent header. */
  readonly userAgent?: string;
  readonly patience?: Partial<Patience>;
}

/** Asks upstreams on behalf of sources. */
export interface Upstream {
  /**
   * A usable body: newly fetched, confirmed as unchanged, or kept for as long as its publisher wished.
   * @param source whose breaker counts
   * @param baseUrl scheme, host and optional path prefix
   * @throws FeedError; its message holds no address
   */
  get(source: string, baseUrl: string, request: FeedRequest, signal: AbortSignal): Promise<Reply>;
}

const ACCEPT: Record<Payload, string> = {
  json: "application/json",
  xml: "application/xml, text/xml",
  zip: "application/zip",
  html: "text/html",
  text: "text/plain",
};
/** More than all requests of all feeds of one host in one round. */
const QUEUE_PER_HOST = 64;
const TOO_MANY_REQUESTS = 429;
/** How long a host is left alone that says "too many requests" and not for how long. */
const UNSAID_HOLD_MS = 60_000;

/** What an answer is kept under: a POST's depends on its body. */
const keptUnder = (url: URL, { post }: FeedRequest): string => (post ? `${url.href} ${post.body}` : url.href);

const entry = <T>(map: Map<string, T>, key: string, make: () => T): T => {
  const held = map.get(key);
  if (held !== undefined) return held;
  const made = make();
  map.set(key, made);
  return made;
};

/** Builds the way out. All feeds of a process share one, because the limit of one request per host is across feeds. */
export const createUpstream = (options: UpstreamOptions): Upstream => {
  const { nowMs, fetch = globalThis.fetch, resolve = resolveName } = options;
  const patience = { ...DEFAULT_PATIENCE, ...options.patience };
  const agent = options.userAgent ?? userAgent();
  const bodies = keptBodies();
  const hosts = new Map<string, BulkheadPolicy>();
  const sources = new Map<string, SourcePolicies>();
  /** Until when each host asked us to stay away. */
  const holds = new Map<string, number>();

  const send = async (url: URL, request: FeedRequest, signal: AbortSignal): Promise<Reply> => {
    const name = keptUnder(url, request);
    const kept = bodies.get(name);
    const { expect, post, maxBytes = MAX_BODY_BYTES[request.expect] } = request;
    const headers = {
      accept: ACCEPT[expect],
      "user-agent": request.userAgent ?? agent,
      ...(post && { "content-type": post.contentType }),
      ...request.headers,
      ...conditions(kept),
    };
    const asked = { url, expect, headers, maxBytes, ...(post && { body: post.body }) };
    const response = await fetchUpstream(asked, { signal, nowMs, fetch, resolve });
    const { receivedAtMs, keeping } = response;
    if (response.kind === "body") {
      bodies.put(name, { bytes: response.bytes, receivedAtMs, keeping });
      return { bytes: response.bytes, receivedAtMs };
    }
    if (!kept) throw new FeedError("payload", "answered not modified to a first request");
    const etag = keeping.etag ?? kept.keeping.etag;
    const lastModified = keeping.lastModified ?? kept.keeping.lastModified;
    bodies.put(name, { bytes: kept.bytes, receivedAtMs, keeping: { ...keeping, etag, lastModified } });
    return { bytes: kept.bytes, receivedAtMs };
  };

  /** One attempt, within its time, and the host's wish to be left alone taken down. */
  const attempt = async (url: URL, request: FeedRequest, signal: AbortSignal): Promise<Reply> => {
    const limit = timeout(request.timeoutMs ?? patience.timeoutMs, TimeoutStrategy.Aggressive);
    try {
      return await limit.execute(({ signal: limited }) => send(url, request, limited), signal);
    } catch (thrown) {
      const error = policyError(thrown, signal);
      const unsaid = error.status === TOO_MANY_REQUESTS ? nowMs() + UNSAID_HOLD_MS : null;
      const untilMs = error.retryAtMs ?? unsaid;
      if (untilMs !== null) holds.set(url.host, untilMs);
      throw error;
    }
  };

  const refuseWhileHeld = (host: string): void => {
    const untilMs = holds.get(host) ?? 0;
    if (nowMs() < untilMs)
      throw new FeedError("held-off", "the upstream asked to be left alone for a while", { retryAtMs: untilMs });
  };

  return {
    get: async (source, baseUrl, request, signal) => {
      const url = new URL(`${baseUrl}${request.path}`);
      const kept = bodies.get(keptUnder(url, request));
      if (kept && nowMs() < kept.keeping.freshUntilMs) return kept;
      const { again, breaker } = entry(sources, source, () => sourcePolicies(patience));
      const turn = entry(hosts, url.host, () => bulkhead(1, QUEUE_PER_HOST));
      try {
        // The pause between attempts is outside the host's turn; breaker and hold are looked at when the turn has come.
        return await again.execute(
          () =>
            turn.execute(() => {
              refuseWhileHeld(url.host);
              return breaker.execute(() => attempt(url, request, signal), signal);
            }, signal),
          signal,
        );
      } catch (thrown) {
        throw policyError(thrown, signal);
      }
    },
  };
};

/** The only HTTP client for upstreams: one request at a time per host, with retries, a circuit breaker and caching per source. */
import { VERSION } from "@assay/contract";
import { type BulkheadPolicy, bulkhead, TimeoutStrategy, timeout } from "cockatiel";
import { FeedError } from "../feed/error.ts";
import type { FeedRequest, Payload, Reply } from "../feed/feed.ts";
import { type BodyCache, bodyCache, conditions } from "./caching.ts";
import { type Fetch, type FetchDeps, fetchUpstream, MAX_BODY_BYTES } from "./fetch-upstream.ts";
import { DEFAULT_PATIENCE, type Patience, policyError, type SourcePolicies, sourcePolicies } from "./policies.ts";
import { type Resolve, resolveName } from "./public-address.ts";

interface UpstreamOptions {
  readonly nowMs: () => number;
  /** Defaults to the built-in fetch; tests inject their own. */
  readonly fetch?: Fetch;
  /** Defaults to the system's resolver; tests inject their own. */
  readonly resolve?: Resolve;
  readonly patience?: Partial<Patience>;
}

/** Sends requests to upstreams on behalf of sources. */
export interface Upstream {
  /**
   * A usable body: newly fetched, revalidated, or cached while fresh.
   * @param source whose breaker counts
   * @param baseUrl scheme, host and optional path prefix
   * @throws FeedError; its message contains no address
   */
  get(source: string, baseUrl: string, request: FeedRequest, signal: AbortSignal): Promise<Reply>;
}

const AGENT = `Assay/${VERSION}`;
/** Still identifies us. */
const BROWSER_LIKE_AGENT = `Mozilla/5.0 (compatible; ${AGENT})`;

const ACCEPT: Record<Payload, string> = {
  json: "application/json",
  xml: "application/xml, text/xml",
  zip: "application/zip",
  html: "text/html",
  text: "text/plain",
};
/** More than all requests of all feeds to one host in one round. */
const QUEUE_PER_HOST = 64;
const TOO_MANY_REQUESTS = 429;
/** How long to wait after "too many requests" without a Retry-After. */
const UNSAID_HOLD_MS = 60_000;

/** The cache key: for a POST it includes the body. */
const keptUnder = (url: URL, { post }: FeedRequest): string => (post ? `${url.href} ${post.body}` : url.href);

const entry = <T>(map: Map<string, T>, key: string, make: () => T): T => {
  const held = map.get(key);
  if (held !== undefined) return held;
  const made = make();
  map.set(key, made);
  return made;
};

/** Sends one request with the conditions of its cached body, and caches what comes. */
const sender =
  (bodies: BodyCache, deps: Omit<FetchDeps, "signal">) =>
  async (url: URL, request: FeedRequest, signal: AbortSignal): Promise<Reply> => {
    const name = keptUnder(url, request);
    const kept = bodies.get(name);
    const { expect, post, maxBytes = MAX_BODY_BYTES[request.expect] } = request;
    const headers = {
      accept: ACCEPT[expect],
      "user-agent": request.browserLike ? BROWSER_LIKE_AGENT : AGENT,
      ...(post && { "content-type": post.contentType }),
      ...request.headers,
      ...conditions(kept),
    };
    const sent = { url, expect, headers, maxBytes, ...(post && { body: post.body }) };
    const response = await fetchUpstream(sent, { ...deps, signal });
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

/** Creates the client. All feeds of a process share one, because the limit of one request per host applies across feeds. */
export const createUpstream = (options: UpstreamOptions): Upstream => {
  const { nowMs, fetch = globalThis.fetch, resolve = resolveName } = options;
  const patience = { ...DEFAULT_PATIENCE, ...options.patience };
  const bodies = bodyCache();
  const send = sender(bodies, { nowMs, fetch, resolve });
  const hosts = new Map<string, BulkheadPolicy>();
  const sources = new Map<string, SourcePolicies>();
  /** Until when each host asked us to wait. */
  const holds = new Map<string, number>();

  /** One attempt, with its timeout; records the host's Retry-After. */
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
    if (nowMs() < untilMs) throw new FeedError("held-off", "the upstream asked to retry later", { retryAtMs: untilMs });
  };

  return {
    get: async (source, baseUrl, request, signal) => {
      const url = new URL(`${baseUrl}${request.path}`);
      const kept = bodies.get(keptUnder(url, request));
      if (kept && nowMs() < kept.keeping.freshUntilMs) return kept;
      const { again, breaker, lastFault } = entry(sources, source, () => sourcePolicies(patience));
      const turn = entry(hosts, url.host, () => bulkhead(1, QUEUE_PER_HOST));
      try {
        // The pause between attempts does not occupy the host's queue; breaker and Retry-After are checked when the turn comes.
        return await again.execute(
          () =>
            turn.execute(() => {
              refuseWhileHeld(url.host);
              return breaker.execute(() => attempt(url, request, signal), signal);
            }, signal),
          signal,
        );
      } catch (thrown) {
        throw policyError(thrown, signal, lastFault());
      }
    },
  };
};

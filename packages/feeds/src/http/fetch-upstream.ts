/** One exchange with an upstream: redirects, status, size and kind of body; no caching and no retries. */
import { FeedError } from "../feed/error.ts";
import type { Payload } from "../feed/reply.ts";
import { checkPayload, discard, readBody } from "./body.ts";
import { type Keeping, keepingOf, retryAtMs } from "./headers.ts";
import { isPublicHost, type Resolve } from "./public-address.ts";

/** The subset of the built-in fetch that is used. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** A complete request. */
export interface UpstreamRequest {
  readonly url: URL;
  readonly expect: Payload;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST. */
  readonly body?: string;
  readonly maxBytes: number;
}

/** A body, or confirmation that the cached one is current. */
export type UpstreamResponse = { readonly keeping: Keeping; readonly receivedAtMs: number } & (
  | { readonly kind: "body"; readonly bytes: Uint8Array }
  | { readonly kind: "not-modified" }
);

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The target of a redirect. Another origin must use https. */
const redirected = (from: URL, location: string | null): URL => {
  const to = location !== null && URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (!to || (to.origin !== from.origin && to.protocol !== "https:")) {
    throw new FeedError("redirect", "redirected to an unsupported address");
  }
  return to;
};

/**
 * Refuses redirects to non-public hosts, at every hop and for each address of a name. When the operator's own base URL is on such
 * a host, redirects to it are allowed. A name that changes its address between this check and the connection gets only a TLS
 * handshake with a machine that has no certificate for it.
 */
const requirePublic = async (to: URL, base: URL, resolve: Resolve): Promise<void> => {
  if (to.host === base.host || (await isPublicHost(to, resolve)) || !(await isPublicHost(base, resolve))) return;
  throw new FeedError("redirect", "redirected to a private address");
};

/** The reason a request failed, without the address that the built-in messages contain. */
const unreachable = (thrown: unknown): FeedError => {
  if (thrown instanceof FeedError) return thrown;
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : "";
  return new FeedError("unreachable", `no answer${code}`, { cause: thrown });
};

/**
 * Sends one request and follows at most three redirects.
 * @throws FeedError for anything but a 200 with a body of the expected kind, or a 304 to a conditional request
 */
export const fetchUpstream = async (
  request: UpstreamRequest,
  deps: { readonly signal: AbortSignal; readonly nowMs: () => number; readonly fetch: Fetch; readonly resolve: Resolve },
): Promise<UpstreamResponse> => {
  const { headers, body } = request;
  const sent = body === undefined ? {} : { method: "POST", body };
  const init: RequestInit = { ...sent, headers, redirect: "manual", signal: deps.signal };
  try {
    let url = request.url;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await deps.fetch(url, init);
      const { status, headers } = response;
      const receivedAtMs = deps.nowMs();
      if (status === 200) {
        const bytes = await readBody(response, request.maxBytes);
        checkPayload(bytes, request.expect);
        return { kind: "body", bytes, receivedAtMs, keeping: keepingOf(headers, receivedAtMs) };
      }
      await discard(response);
      if (status === 304) return { kind: "not-modified", receivedAtMs, keeping: keepingOf(headers, receivedAtMs) };
      if (!REDIRECTS.has(status)) {
        throw new FeedError("status", `answered ${status}`, { status, retryAtMs: retryAtMs(headers, receivedAtMs) });
      }
      url = redirected(url, headers.get("location"));
      await requirePublic(url, request.url, deps.resolve);
    }
  } catch (thrown) {
    throw unreachable(thrown);
  }
  throw new FeedError("redirect", `redirected more than ${MAX_REDIRECTS} times`);
};

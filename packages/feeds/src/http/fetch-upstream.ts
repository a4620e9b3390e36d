/** One exchange with an upstream: redirects, status, size and kind of body; no caching and no retries. */
import { networkFault } from "@assay/ports";
import { FeedError } from "../feed/error.ts";
import type { Payload } from "../feed/feed.ts";
import { type Keeping, keepingOf, retryAtMs } from "./caching.ts";
import { isPublicHost, type Resolve } from "./public-address.ts";

const MIB = 1024 * 1024;

/** The default size limit. Markup is the most expensive to parse: 8 MiB of it take seconds. */
export const MAX_BODY_BYTES: Readonly<Record<Payload, number>> = {
  json: 8 * MIB,
  xml: 2 * MIB,
  zip: 8 * MIB,
  html: 2 * MIB,
  text: 8 * MIB,
};

/** Discards an unread body, so that its connection is freed. */
export const discard = async (response: Response): Promise<void> => {
  // Errors while discarding a body do not matter.
  await response.body?.cancel().catch(() => undefined);
};

/**
 * Reads a body in chunks; its decompressed size counts, not the header.
 * @throws FeedError when it is larger than the limit
 */
export const readBody = async (response: Response, maxBytes: number): Promise<Uint8Array> => {
  const tooLarge = () => new FeedError("too-large", `the body is larger than ${maxBytes} bytes`);
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    await discard(response);
    throw tooLarge();
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early cancels the stream.
  for await (const piece of response.body ?? []) {
    length += piece.byteLength;
    if (length > maxBytes) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
};

const STARTS: Record<Payload, { readonly pattern: RegExp; readonly name: string }> = {
  json: { pattern: /^\s*[[{]/, name: "JSON" },
  xml: { pattern: /^\s*<(\?xml|[a-z:]+)/i, name: "XML" },
  zip: { pattern: /^PK/, name: "a ZIP archive" },
  html: { pattern: /^\s*</, name: "HTML" },
  text: { pattern: /^\s*[^<\s]/, name: "plain text" },
};
const HTML = /^\s*<(!doctype\s+html|html|head|body)\b/i;

/**
 * Checks a body's first bytes: an HTML page where data was expected is a failure, whatever the status.
 * @throws FeedError
 */
const checkPayload = (bytes: Uint8Array, expect: Payload): void => {
  // Latin-1 decodes every byte; the first three may be a byte order mark.
  const start = Buffer.from(bytes.subarray(0, 256))
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "");
  if (start.trim() === "") throw new FeedError("payload", "the body is empty");
  if (expect !== "html" && HTML.test(start))
    throw new FeedError("payload", `answered HTML where ${STARTS[expect].name} was expected`);
  if (!STARTS[expect].pattern.test(start)) throw new FeedError("payload", `the body is not ${STARTS[expect].name}`);
};

/** The subset of the built-in fetch that is used. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

export interface FetchDeps {
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  readonly fetch: Fetch;
  readonly resolve: Resolve;
}

interface UpstreamRequest {
  readonly url: URL;
  readonly expect: Payload;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly maxBytes: number;
}

/** A body, or confirmation that the cached one is current. */
type UpstreamResponse = { readonly keeping: Keeping; readonly receivedAtMs: number } & (
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
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : null;
  if (code !== null && networkFault(code) === "dns_lookup_failed")
    return new FeedError("dns", `DNS lookup failed (${code})`, { cause: thrown });
  return new FeedError("unreachable", `no answer${code === null ? "" : ` (${code})`}`, { cause: thrown });
};

/**
 * Sends one request and follows at most three redirects.
 * @throws FeedError for anything but a 200 with a body of the expected kind, or a 304 to a conditional request
 */
export const fetchUpstream = async (request: UpstreamRequest, deps: FetchDeps): Promise<UpstreamResponse> => {
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

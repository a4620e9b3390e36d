/**
 * Sends an event to its receiver. URLs are chosen by customers, so that nothing of this network may be reached through them: the
 * name is resolved here, every address of it must be public, and the connection is made to one of just these addresses. Redirects
 * are not followed, and of an answer nothing but its status is used.
 */
import type { LookupAddress } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";
import { type ClientRequest, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { SECOND_MS } from "@assay/contract";
import { isPublicAddress } from "@assay/feeds/public-address";

/** How long a receiver may take to answer. */
export const ANSWER_TIMEOUT_MS = 10 * SECOND_MS;
/** How long a DNS server may take, of which there may be two tries. */
const DNS_TIMEOUT_MS = 3 * SECOND_MS;
/** How much of an answer is read, so that a receiver can end it in order. */
const MAX_ANSWER_BYTES = 8_192;

export type DeliveryFault = "timeout" | "dns" | "address" | "refused" | "tls" | "closed" | "failed";

/** What came of it: the status of the answer, or why there was none; null when this process gave up. */
export type PostResult = { readonly httpStatus: number } | { readonly fault: DeliveryFault } | null;

export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Whether an origin, scheme, host and port, is one of the operator's own. */
export type OwnHosts = Pick<ReadonlySet<string>, "has">;

export interface ReceiverOptions {
  /** Origins of the operator's own, which may have any address and be reached over http. */
  readonly hosts: OwnHosts;
  readonly timeoutMs?: number;
  /** Resolves every address of a public name: by DNS by default. */
  readonly resolve?: Resolve;
  /** Whether an address may be connected to: those of the public internet by default. */
  readonly isAllowed?: (address: string) => boolean;
}

type Resolve = (name: string) => Promise<LookupAddress[]>;

/** Sends; a signal gives up. */
export type Post = (message: WebhookMessage, signal: AbortSignal) => Promise<PostResult>;

/** The name has no address, or one that is not public. */
class LookupError extends Error {
  readonly fault: DeliveryFault;
  constructor(fault: DeliveryFault, cause?: unknown) {
    super(`look-up: ${fault}`, { cause });
    this.fault = fault;
  }
}

const FAULTS: Readonly<Record<string, DeliveryFault>> = {
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  ETIMEDOUT: "timeout",
  EPROTO: "tls",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls",
  SELF_SIGNED_CERT_IN_CHAIN: "tls",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "tls",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls",
};

/** Of several addresses that were tried, the first one's error counts. */
const faultOf = (error: unknown): DeliveryFault => {
  if (error instanceof LookupError) return error.fault;
  if (error instanceof AggregateError) return faultOf(error.errors[0]);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return FAULTS[code] ?? (/^(CERT_|ERR_TLS_|ERR_SSL_)/.test(code) ? "tls" : "closed");
};

/** The system's resolver, which knows the operator's own names, and blocks a thread while it waits. */
const resolveOwn: Resolve = (name) => lookup(name, { all: true });

/** DNS without a thread: however many names do not answer, others are looked up. */
const resolveByDns: Resolve = async (name) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  if (four.status === "rejected" && six.status === "rejected") throw four.reason;
  const found = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
    answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
  return [...found(four, 4), ...found(six, 6)];
};

/** A look-up that fails unless every address may be connected to: what it returns is what is connected to. */
const checked =
  (resolve: Resolve, mayUse: (address: string) => boolean): LookupFunction =>
  (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const [first] = addresses;
        if (!first) callback(new LookupError("dns"), []);
        else if (!addresses.every(({ address }) => mayUse(address))) callback(new LookupError("address"), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(new LookupError("dns", error), []),
    );
  };

/**
 * Sends a body and reads a little of the answer. Whatever the other side does ends it: an answer, a switch to another protocol, a
 * connection that closes without either, an error; and if none of these comes, the signal.
 * @returns the status, as soon as the answer has ended or is of no use any more
 */
const exchange = (request: ClientRequest, body: string, signal: AbortSignal): Promise<number> =>
  new Promise((resolve, reject) => {
    let status: number | undefined;
    /** An answer that was begun has been given, however it ends. */
    const end = (error: Error): void => (status === undefined ? reject(error) : resolve(status));
    request.on("response", (answer) => {
      status = answer.statusCode ?? 0;
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) request.destroy();
      });
      answer.on("error", end);
      answer.on("end", () => end(new Error("ended")));
    });
    request.on("upgrade", ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    request.on("error", end);
    request.on("close", () => end(new Error("closed without an answer")));
    signal.addEventListener("abort", () => end(new Error("given up")), { once: true });
    request.end(body);
  });

export const openReceivers = (options: ReceiverOptions): Post => {
  const { hosts, timeoutMs = ANSWER_TIMEOUT_MS, resolve = resolveByDns, isAllowed = isPublicAddress } = options;
  return async ({ url: text, headers, body }, signal) => {
    const url = new URL(text);
    const isOwn = hosts.has(url.origin);
    // An address in a URL is connected to without a look-up.
    const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
    if (!isOwn && (url.protocol !== "https:" || (isIP(literal) !== 0 && !isAllowed(literal)))) return { fault: "address" };
    if (signal.aborted) return null;
    const deadline = AbortSignal.timeout(timeoutMs);
    const givenUp = AbortSignal.any([signal, deadline]);
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
      method: "POST",
      headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
      lookup: isOwn ? checked(resolveOwn, () => true) : checked(resolve, isAllowed),
      agent: false,
      signal: givenUp,
    });
    try {
      return { httpStatus: await exchange(request, body, givenUp) };
    } catch (error) {
      if (signal.aborted) return null;
      return { fault: deadline.aborted ? "timeout" : faultOf(error) };
    } finally {
      request.destroy();
    }
  };
};

/**
 * The receivers of a process.
 * @param hosts origins of the operator's own, which may have any address and be reached over http
 */
export const receivers = (hosts: OwnHosts): Post => discreet(openReceivers({ hosts }), hosts);

/**
 * Says of the operator's own receivers only whether they took an event: the class of a failure, or a status, would tell a customer
 * what answers in a network that is none of theirs.
 */
export const discreet =
  (post: Post, hosts: OwnHosts): Post =>
  async (message, signal) => {
    const result = await post(message, signal);
    if (!result || !hosts.has(new URL(message.url).origin)) return result;
    const isTaken = "httpStatus" in result && result.httpStatus >= 200 && result.httpStatus < 300;
    return isTaken ? result : { fault: "failed" };
  };

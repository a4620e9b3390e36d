/** What a client and a single call can be told. */
import type { Logger, LogLevel } from "./logger.ts";

/** Headers to send; null leaves one out that would be sent otherwise. */
export type HeaderOptions = Readonly<Record<string, string | null | undefined>>;

/** What is kept of earlier answers. */
export interface CacheOptions {
  /** How old an answer may be, in milliseconds. */
  readonly maxAgeMs: number;
  /** At most so many answers are kept. Default 100. */
  readonly maxEntries?: number | undefined;
}

/** A class of WebSockets: the runtime's, that of `ws` or undici, or a fake. What its second argument may be differs. */
export type WebSocketClass = new (url: string, options?: never) => object;

/** Settings of a client. */
export interface ClientOptions {
  /** The key. Default: the environment's `ASSAY_API_KEY`; null calls without a key. */
  readonly apiKey?: string | null | undefined;
  /**
   * Where the service is, without `/v1`: a URL that ends so is refused. Default: the environment's `ASSAY_BASE_URL`, else
   * `http://127.0.0.1:8080`.
   */
  readonly baseUrl?: string | undefined;
  /** How long one try may take, in milliseconds, body included. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed try is repeated. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Stands in for the runtime's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Goes along with every `fetch`: a `dispatcher` of undici, a `proxy` on Bun, a `client` on Deno. WebSockets follow: on Node `ws` is given
   * the `agent` named here, every other WebSocket all of it in its second argument.
   */
  readonly fetchOptions?: Readonly<Record<string, unknown>> | undefined;
  /** Stands in for the runtime's WebSocket, on Node for `ws`. */
  readonly WebSocket?: WebSocketClass | undefined;
  /** Where messages go. Default: the console. */
  readonly logger?: Logger | undefined;
  /** From which level on messages are passed on. Default `warn`. */
  readonly logLevel?: LogLevel | undefined;
  /** Allows use in a browser, where every visitor can read the key. Default false. */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /** Answers earlier answers of GETs again. Off by default. */
  readonly cache?: CacheOptions | undefined;
  /** Sends equal GETs that are under way at the same time only once. Default false. */
  readonly singleFlight?: boolean | undefined;
  /** Sent with every request. */
  readonly defaultHeaders?: HeaderOptions | undefined;
}

/** Settings of one call. */
export interface RequestOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
  /** How long one try may take, in milliseconds, body included. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed try is repeated. Default: the client's. */
  readonly maxRetries?: number | undefined;
  /** Sent with this request. */
  readonly headers?: HeaderOptions | undefined;
  /** Makes a repeated POST take effect once. Default: a random one for each call. */
  readonly idempotencyKey?: string | undefined;
  /** How old an earlier answer may be, in milliseconds, to be given instead; 0 asks anew. Default: the client's. */
  readonly maxAgeMs?: number | undefined;
}

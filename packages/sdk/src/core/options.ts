/** Options of a client and of a single call. */

/** The lowest level that is logged. */
export type LogLevel = "off" | "error" | "warn" | "info" | "debug";

/** A target for messages; the console is one. A message is text, not a format: `%d` in it is no placeholder. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Headers to send; null omits one that would be sent otherwise. */
export type HeaderOptions = Readonly<Record<string, string | null | undefined>>;

/** Parameters of the query by their names on the wire; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** One attempt at a request, as hooks see it. It never holds the key. */
export interface AttemptInfo {
  readonly method: string;
  readonly url: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** What is called as requests are made, for metrics and traces. What a hook throws is logged and changes nothing. */
export interface Hooks {
  /** Called before each attempt. */
  readonly onRequest?: ((attempt: AttemptInfo) => void) | undefined;
  /** Called with the head of each answer, errors included; reading its body is the call's own. */
  readonly onResponse?:
    | ((answer: AttemptInfo & { readonly status: number; readonly headers: Headers; readonly elapsedMs: number }) => void)
    | undefined;
  /** Called before the wait for another attempt. */
  readonly onRetry?: ((failed: AttemptInfo & { readonly error: unknown; readonly delayMs: number }) => void) | undefined;
}

/** How earlier answers are cached. */
export interface CacheOptions {
  /** The maximum age of a cached answer, in milliseconds. */
  readonly maxAgeMs: number;
  /** The most answers kept. Default 100. */
  readonly maxEntries?: number | undefined;
}

/** A WebSocket class: the runtime's, that of `ws` or undici, or a fake. The type of its second argument varies. */
export type WebSocketClass = new (url: string, options?: never) => object;

/** Options of a client. */
export interface ClientOptions extends Hooks {
  /** The API key. Default: the environment's `ASSAY_API_KEY`; null calls without a key. */
  readonly apiKey?: string | null | undefined;
  /**
   * The service's base URL, without `/v1`: a URL with that ending is refused. Default: the environment's `ASSAY_BASE_URL`, else
   * `http://127.0.0.1:8080`.
   */
  readonly baseUrl?: string | undefined;
  /** The time limit of one attempt, in milliseconds, body included. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** How many times a failed attempt is retried. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Replaces the runtime's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Passed to every `fetch`: a `dispatcher` of undici, a `proxy` on Bun, a `client` on Deno. WebSockets use them too: on Node
   * `ws` gets the `agent` from here, every other WebSocket gets all of it as its second argument.
   */
  readonly fetchOptions?: Readonly<Record<string, unknown>> | undefined;
  /** Replaces the runtime's WebSocket, and `ws` on Node. */
  readonly WebSocket?: WebSocketClass | undefined;
  /** Where messages are logged. Default: the console. */
  readonly logger?: Logger | undefined;
  /** The lowest level that is logged. Default `warn`. */
  readonly logLevel?: LogLevel | undefined;
  /** Allows use in a browser, where every visitor can read the key. Default false. */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /** Serves GETs from a cache of earlier answers. Off by default. */
  readonly cache?: CacheOptions | undefined;
  /** Sends identical concurrent GETs only once. Default false. */
  readonly singleFlight?: boolean | undefined;
  /** Sent with every request. */
  readonly defaultHeaders?: HeaderOptions | undefined;
  /**
   * The most requests under way at once; others wait for their turn, also while the service's `RateLimit` says that none is
   * left, for up to a minute. Default: no limit.
   */
  readonly maxConcurrent?: number | undefined;
}

/** Options of one call. */
export interface RequestOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  /** The time limit of one attempt, in milliseconds, body included. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** How many times a failed attempt is retried. Default: the client's. */
  readonly maxRetries?: number | undefined;
  /** Sent with this request. */
  readonly headers?: HeaderOptions | undefined;
  /** Makes a repeated POST take effect once. Default: a random one for each call. */
  readonly idempotencyKey?: string | undefined;
  /** The maximum age of a cached answer, in milliseconds; 0 bypasses the cache. Default: the client's. */
  readonly maxAgeMs?: number | undefined;
  /** Added to the query as it is: parameters that the service has and this release does not know. */
  readonly extraQuery?: Query | undefined;
}

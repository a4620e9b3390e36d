/** A client's settings: its options, checked and with defaults applied. */
import { checkCount, checkMaxAge, checkOptions, checkTimeout } from "./checks.ts";
import { AssayError } from "./errors.ts";
import type { ClientOptions, HeaderOptions, Logger, LogLevel } from "./options.ts";
import { isBrowser, readEnvironment, userAgent } from "./runtime.ts";

/** Removes secrets from text. */
export type Redact = (text: string) => string;

/** The default base URL. */
export const DEFAULT_BASE_URL = "http://127.0.0.1:8080";
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_RETRIES = 2;
const DEFAULT_MAX_ENTRIES = 100;

/** Complete settings. */
export interface Settings {
  readonly apiKey: string | null;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** Sent with every request; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Looked up on each request: tests and tracers may replace the runtime's fetch later. */
  readonly fetch: () => typeof globalThis.fetch;
  readonly logger: Logger;
  /** Removes the key from text. */
  readonly redact: Redact;
  readonly maxAgeMs: number;
  readonly maxEntries: number;
  readonly singleFlight: boolean;
  /** Infinity for no limit. */
  readonly maxConcurrent: number;
}

/** Every option of a client. */
const OPTIONS: Readonly<Record<keyof ClientOptions, true>> = {
  apiKey: true,
  baseUrl: true,
  timeoutMs: true,
  maxRetries: true,
  maxConcurrent: true,
  fetch: true,
  fetchOptions: true,
  WebSocket: true,
  logger: true,
  logLevel: true,
  onRequest: true,
  onResponse: true,
  onRetry: true,
  dangerouslyAllowBrowser: true,
  cache: true,
  singleFlight: true,
  defaultHeaders: true,
};

/**
 * Checks a key without ever printing it.
 * @param key as given
 * @throws TypeError when it cannot be sent in a header
 */
const checkApiKey = (key: string): void => {
  if (key === "") throw new TypeError("apiKey is empty; pass null to call without a key");
  if (/^[\x21-\x7e]+$/.test(key)) return;
  throw new TypeError(
    "apiKey contains characters that are not allowed in a header: a space, a trailing line break, or one that is not ASCII",
  );
};

/** The URL is not quoted in errors: it may contain a password. */
const readBaseUrl = (text: string): string => {
  if (!URL.canParse(text)) throw new TypeError("baseUrl must be an absolute http or https URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new TypeError("baseUrl must be an http or https URL");
  if (url.username !== "" || url.password !== "")
    throw new TypeError("baseUrl must not contain a user name or password; use apiKey");
  if (url.search !== "" || url.hash !== "") throw new TypeError("baseUrl must not contain a query or a fragment");
  const base = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  if (base.endsWith("/v1")) throw new TypeError("baseUrl must end before /v1, which each method adds itself");
  return base;
};

/**
 * Adds headers to others: later ones win, null removes one. An invalid value is refused here, since the runtime's own error
 * would print it.
 * @param base names in lower case
 * @param added names in any case
 * @returns names in lower case
 * @throws TypeError naming the header, never its value
 */
export const withHeaders = (
  base: Readonly<Record<string, string>>,
  added: HeaderOptions | undefined,
): Readonly<Record<string, string>> => {
  if (added === undefined) return base;
  const headers: Record<string, string> = { ...base };
  for (const [name, value] of Object.entries(added)) {
    const key = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(key)) throw new TypeError(`${JSON.stringify(name)} is not a valid header name`);
    if (value === undefined) continue;
    if (value === null) delete headers[key];
    else if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) headers[key] = value;
    else throw new TypeError(`the header ${name} contains characters that are not allowed in a header`);
  }
  return headers;
};

/** No key is sent when it is null. Browsers set their own User-Agent. */
const commonHeaders = (apiKey: string | null): Readonly<Record<string, string>> => ({
  accept: "application/json",
  ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  ...(isBrowser() ? {} : { "user-agent": userAgent() }),
});

/** Settings of a call override those shared by all. */
const fetchOf = ({ fetch, fetchOptions }: ClientOptions): Settings["fetch"] => {
  const now = (): typeof globalThis.fetch => fetch ?? globalThis.fetch;
  return fetchOptions === undefined ? now : () => (input, init) => now()(input, { ...fetchOptions, ...init });
};

const ignore = (): void => {};

/**
 * Creates a logger that passes on messages at a level or above.
 * @param logger where messages go
 * @param level the lowest level that is passed on
 */
const leveled = (logger: Logger, level: LogLevel): Logger => {
  const levels: readonly LogLevel[] = ["off", "error", "warn", "info", "debug"];
  const reach = levels.indexOf(level);
  if (reach < 0) throw new TypeError(`logLevel must be one of ${levels.join(", ")}`);
  const passing = (name: Exclude<LogLevel, "off">): ((message: string) => void) => {
    if (levels.indexOf(name) > reach) return ignore;
    return (message) => {
      try {
        logger[name](message);
      } catch {
        // A call does not fail because its message is no format of the logger's.
      }
    };
  };
  return { debug: passing("debug"), info: passing("info"), warn: passing("warn"), error: passing("error") };
};

/** A shorter text cannot be a key, and may be part of ordinary words. */
const SHORTEST_KEY = 12;

/**
 * Creates a function that removes a key from text; a proxy's error page may repeat the request.
 * @param apiKey the key; null for none
 */
const redactorOf = (apiKey: string | null): Redact =>
  apiKey === null || apiKey.length < SHORTEST_KEY ? (text) => text : (text) => text.replaceAll(apiKey, "[key]");

/**
 * Checks the options of a client and applies the defaults.
 * @param options as given
 * @throws TypeError or RangeError naming the option; AssayError in a browser unless allowed
 */
export const settingsFrom = (options: ClientOptions): Settings => {
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    throw new AssayError(
      "This is a browser, where every visitor can read the key. Call Assay from a server, or set dangerouslyAllowBrowser: true.",
    );
  }
  checkOptions(options, OPTIONS);
  const { cache } = options;
  const apiKey = options.apiKey === undefined ? (readEnvironment("ASSAY_API_KEY") ?? null) : options.apiKey;
  if (apiKey !== null) checkApiKey(apiKey);
  return {
    apiKey,
    baseUrl: readBaseUrl(options.baseUrl ?? readEnvironment("ASSAY_BASE_URL") ?? DEFAULT_BASE_URL),
    timeoutMs: checkTimeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    maxRetries: checkCount("maxRetries", options.maxRetries ?? DEFAULT_MAX_RETRIES, 0),
    headers: withHeaders(commonHeaders(apiKey), options.defaultHeaders),
    fetch: fetchOf(options),
    logger: leveled(options.logger ?? console, options.logLevel ?? "warn"),
    redact: redactorOf(apiKey),
    maxAgeMs: cache ? checkMaxAge(cache.maxAgeMs) : 0,
    maxEntries: checkCount("maxEntries", cache?.maxEntries ?? DEFAULT_MAX_ENTRIES, 0),
    singleFlight: options.singleFlight ?? false,
    maxConcurrent: checkCount("maxConcurrent", options.maxConcurrent ?? Number.POSITIVE_INFINITY, 1),
  };
};

/** The client that generated resources call: the one place that turns operations into requests. */
import type { Answer } from "./answer.ts";
import { ApiPromise, type CallState, type Present } from "./api-promise.ts";
import { type Bounds, inTime, type WireRequest } from "./attempt.ts";
import { checkCall, checkCount, checkMaxAge, checkTimeout } from "./checks.ts";
import { ConcurrencyLimit } from "./concurrency.ts";
import { requestLine } from "./error-from.ts";
import { AssayError, ConnectionError, type ErrorRegistry, RequestAbortedError } from "./errors.ts";
import { type Operation, pathOperation } from "./operation.ts";
import type { ClientOptions, Logger, Query, RequestOptions } from "./options.ts";
import { planOf, withQuery } from "./request-plan.ts";
import { AnswerCache, SingleFlight } from "./reuse.ts";
import { type Clock, realClock } from "./runtime.ts";
import { type SendDeps, type SendOptions, send } from "./send.ts";
import { type Settings, settingsFrom, withHeaders } from "./settings.ts";

interface Linked {
  /** The head. */
  readonly response: Response;
  /** The body's chunks; each has the same time limit as the head. Without it the body stays unread. */
  pieces(): AsyncGenerator<Uint8Array, void, undefined>;
}

async function* piecesOf(body: ReadableStream<Uint8Array>, bounds: Bounds): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(bounds, () => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/**
 * Fetches the target of a link.
 * @param fetch sends it
 * @param link absolute
 * @param headers headers to send
 * @param limits the longest time without data, and the caller's signal
 * @throws RequestTimeoutError, RequestAbortedError, or ConnectionError when there is no answer
 */
const followLink = async (
  fetch: typeof globalThis.fetch,
  link: string,
  headers: Readonly<Record<string, string>>,
  limits: Pick<Bounds, "timeoutMs" | "signal">,
): Promise<Linked> => {
  // The query of a link may be a signature.
  const bounds: Bounds = { ...limits, missing: "No progress", what: `GET ${link.split("?")[0]}` };
  try {
    // A link points directly at its target; a further redirect is unexpected.
    const response = await inTime(bounds, ({ signal }) => fetch(link, { headers, redirect: "error", signal }));
    return { response, pieces: () => piecesOf(response.body ?? new ReadableStream(), bounds) };
  } catch (fault) {
    if (fault instanceof AssayError) throw fault;
    throw new ConnectionError(`No answer: ${bounds.what}`, { cause: fault });
  }
};

/** Deprecated operations that were warned about, once each per process. */
const warned = new Set<string>();

const warnIfDeprecated = ({ name, deprecated }: Operation<unknown, unknown>, logger: Logger): void => {
  if (deprecated === undefined || warned.has(name)) return;
  warned.add(name);
  logger.warn(`${name} is deprecated${deprecated.successor === undefined ? "" : `; use ${deprecated.successor}`}`);
};

const NO_CLASSES: ErrorRegistry = { byCode: {}, byStatus: {} };

/** Calls operations of an Assay service. The key is in no property that can be printed or enumerated. */
export class Client {
  readonly #options: ClientOptions;
  readonly #settings: Settings;
  readonly #deps: SendDeps;
  readonly #cache: AnswerCache;
  readonly #flights = new SingleFlight();

  /**
   * @param options settings; each has a default
   * @param errors the error classes
   * @param clock clock and randomness
   * @throws TypeError or RangeError for an invalid option; AssayError in a browser unless allowed
   */
  constructor(options: ClientOptions = {}, errors: ErrorRegistry = NO_CLASSES, clock: Clock = realClock) {
    const settings = settingsFrom(options);
    const { fetch, redact, logger, maxConcurrent } = settings;
    this.#options = options;
    this.#settings = settings;
    this.#cache = new AnswerCache(settings.maxEntries);
    const concurrency = Number.isFinite(maxConcurrent) ? new ConcurrencyLimit(maxConcurrent, clock) : null;
    this.#deps = { fetch, redact, errors, logger, clock, hooks: options, concurrency };
  }

  /** The service's base URL, without a trailing slash. */
  get baseUrl(): string {
    return this.#settings.baseUrl;
  }

  /**
   * Returns another client of the same class, with some options changed. It has its own cache.
   * @param options the options to change
   * @returns a new client; this one is unchanged
   * @throws the same errors as the constructor
   */
  withOptions(options: ClientOptions): this {
    const { errors, clock } = this.#deps;
    const all = [{ ...this.#options, ...options }, errors, clock];
    return Reflect.construct(this.constructor as typeof Client, all) as this; // constructed by the same class
  }

  /**
   * Calls an operation.
   * @param operation the table's entry
   * @param params by their SDK names
   * @param options settings of this call
   * @returns a promise of the decoded answer; an invalid parameter rejects it with a TypeError
   */
  call<T, W>(operation: Operation<T, W>, params: object = {}, options: RequestOptions = {}): ApiPromise<T, W> {
    const state: CallState = { leavesBody: false };
    // The table's phantom types describe what its shape decodes to; it cannot be checked here.
    return new ApiPromise<T, W>(this.ask(operation, params, options, state), planOf(operation).present as Present<T>, state);
  }

  /**
   * Requests a path of the service that this release has no method for, with the same key, retries and errors.
   *
   * @example
   * ```ts
   * const answer = await assay.get("/v1/spot/gold", { query: { include: "karat" } });
   * ```
   * @param path from `/v1` on, without a query
   * @param options settings of this call, and `query`
   * @returns a promise of the body as on the wire: what it is has to be checked
   */
  get(path: string, { query, extraQuery, ...options }: RequestOptions & { readonly query?: Query } = {}): ApiPromise<unknown> {
    return this.call(pathOperation(path), {}, { ...options, extraQuery: { ...query, ...extraQuery } });
  }

  /**
   * Fetches the target of a link, which may be on another host: without the key and without the client's headers.
   * @param link the link, absolute
   * @param headers headers to send
   * @param options `signal` aborts it, as does no progress for `timeoutMs`
   * @returns the answer, with its body unread
   * @throws ConnectionError when there is no answer; RequestAbortedError when the signal aborted it
   */
  follow(link: string, headers: Readonly<Record<string, string>>, options: RequestOptions): Promise<Linked> {
    return followLink(this.#deps.fetch(), link, headers, { timeoutMs: this.#timeoutOf(options), signal: options.signal });
  }

  #timeoutOf({ timeoutMs }: RequestOptions): number {
    return checkTimeout(timeoutMs ?? this.#settings.timeoutMs);
  }

  /**
   * Sends an operation's request.
   * @param operation the table's entry
   * @param params by their SDK names
   * @param options settings of this call
   * @param state what the caller wants of the answer
   * @returns its answer, not decoded
   */
  async ask(operation: Operation<unknown, unknown>, params: object, options: RequestOptions, state?: CallState): Promise<Answer> {
    checkCall(options);
    warnIfDeprecated(operation, this.#settings.logger);
    const { target, body } = planOf(operation).write(params);
    const request: WireRequest = {
      method: operation.method,
      url: `${this.#settings.baseUrl}${withQuery(target, options.extraQuery)}`,
      headers: this.#headersOf(operation, body, options),
      body,
    };
    const sending: SendOptions = {
      timeoutMs: this.#timeoutOf(options),
      maxRetries: checkCount("maxRetries", options.maxRetries ?? this.#settings.maxRetries, 0),
      signal: options.signal,
      takesLink: operation.redirects === true,
      leavesBody: () => state?.leavesBody === true,
    };
    if (operation.method === "GET") return await this.#get(request, sending, options);
    const answer = await send(this.#deps, request, sending);
    if (!operation.computes) this.#cache.clear(); // earlier answers are out of date after a change
    return answer;
  }

  async #get(request: WireRequest, sending: SendOptions, options: RequestOptions): Promise<Answer> {
    const maxAgeMs = checkMaxAge(options.maxAgeMs ?? this.#settings.maxAgeMs);
    if (maxAgeMs === 0 && !this.#settings.singleFlight) return await send(this.#deps, request, sending);

    if (sending.signal?.aborted) throw new RequestAbortedError("Aborted", { cause: sending.signal.reason });
    const key = JSON.stringify([request.url, request.headers]);
    const { nowMs } = this.#deps.clock;
    const earlier = maxAgeMs === 0 ? null : this.#cache.get(key, maxAgeMs, nowMs());
    if (earlier !== null) return earlier;
    // An answer shared by several callers is read here.
    const answer = await this.#sendOnce(key, request, { ...sending, leavesBody: () => false });
    if (maxAgeMs > 0 && answer.response.status === 200) this.#cache.put(key, answer, nowMs());
    return answer;
  }

  #sendOnce(key: string, request: WireRequest, sending: SendOptions): Promise<Answer> {
    if (!this.#settings.singleFlight) return send(this.#deps, request, sending);
    const alike = `${key} ${sending.timeoutMs} ${sending.maxRetries}`;
    const what = this.#deps.redact(requestLine(request.method, request.url));
    return this.#flights.join(alike, what, sending.signal, (signal) => send(this.#deps, request, { ...sending, signal }));
  }

  #headersOf(operation: Operation<unknown, unknown>, body: string | undefined, options: RequestOptions): WireRequest["headers"] {
    const { headers } = this.#settings;
    const typed = body === undefined ? headers : { ...headers, "content-type": "application/json" };
    const all = withHeaders(typed, options.headers);
    if (operation.method !== "POST" || operation.computes) return all;
    // A repeated POST takes effect once, so it may be retried like any other request.
    const idempotencyKey = options.idempotencyKey ?? all["idempotency-key"] ?? this.#deps.clock.newId();
    return withHeaders(all, { "idempotency-key": idempotencyKey });
  }
}

/** The client that generated resources call: the one place that turns operations into requests. */

import type { Answer } from "./answer.ts";
import { AnswerCache } from "./answer-cache.ts";
import { ApiPromise, type Present, type Wish } from "./api-promise.ts";
import type { WireRequest } from "./attempt.ts";
import { warnIfDeprecated } from "./deprecation.ts";
import { type ErrorRegistry, RequestAbortedError } from "./errors.ts";
import { followLink, type Linked } from "./follow-link.ts";
import { withHeaders } from "./headers.ts";
import type { Operation } from "./operation.ts";
import type { ClientOptions, RequestOptions } from "./options.ts";
import { PagePromise } from "./pages/page-promise.ts";
import { readPages } from "./pages/read-pages.ts";
import { walkPages } from "./pages/walk-pages.ts";
import { redactorOf } from "./redact.ts";
import { requestLine } from "./request-line.ts";
import { planOf } from "./request-plan.ts";
import { type Manner, type Sender, send } from "./send.ts";
import { checkMaxAge, checkRetries, checkTimeout, type Settings, settingsFrom } from "./settings.ts";
import { SingleFlight } from "./single-flight.ts";
import { realSurroundings, type Surroundings } from "./surroundings.ts";

const NO_CLASSES: ErrorRegistry = { byCode: {}, byStatus: {} };

/** Calls operations of an Assay service. The key is in no property that can be printed or enumerated. */
export class Client {
  readonly #options: ClientOptions;
  readonly #settings: Settings;
  readonly #sender: Sender;
  readonly #cache: AnswerCache;
  readonly #flights = new SingleFlight();

  /**
   * @param options settings; each has a default
   * @param errors the error classes
   * @param surroundings clock and randomness
   * @throws TypeError or RangeError for an invalid option; AssayError in a browser unless allowed
   */
  constructor(options: ClientOptions = {}, errors: ErrorRegistry = NO_CLASSES, surroundings: Surroundings = realSurroundings) {
    const settings = settingsFrom(options);
    const { apiKey, logger } = settings;
    this.#options = options;
    this.#settings = settings;
    this.#cache = new AnswerCache(settings.maxEntries);
    this.#sender = {
      fetch: settings.fetch,
      redact: redactorOf(apiKey),
      errors,
      logger,
      surroundings,
    };
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
    const { errors, surroundings } = this.#sender;
    const all = [{ ...this.#options, ...options }, errors, surroundings];
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
    const wish: Wish = { leavesBody: false };
    // The table's phantom types describe what its shape decodes to; it cannot be checked here.
    return new ApiPromise<T, W>(this.#ask(operation, params, options, wish), planOf(operation).present as Present<T>, wish);
  }

  /**
   * Calls a list operation.
   * @param operation the table's entry, with paging
   * @param params by their SDK names, and `order` and `closedOnly`
   * @param options settings of every request of the list
   * @returns a promise of the first page, iterable over the rows of all pages
   */
  page<Page, WirePage, Row, WireRow>(
    operation: Operation<Page, WirePage>,
    params: object = {},
    options: RequestOptions = {},
  ): PagePromise<Page, WirePage, Row, WireRow> {
    const readings = readPages<Page, WirePage, Row, WireRow>(operation);
    const ask = (asked: object): Promise<Answer> => this.#ask(operation, asked, options);
    return new PagePromise(walkPages(ask, operation, params), readings);
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
    return followLink(this.#sender.fetch(), link, headers, { timeoutMs: this.#timeoutOf(options), signal: options.signal });
  }

  #timeoutOf({ timeoutMs }: RequestOptions): number {
    return timeoutMs === undefined ? this.#settings.timeoutMs : checkTimeout(timeoutMs);
  }

  async #ask(operation: Operation<unknown, unknown>, params: object, options: RequestOptions, wish?: Wish): Promise<Answer> {
    warnIfDeprecated(operation, this.#settings.logger);
    const { target, body } = planOf(operation).write(params);
    const request: WireRequest = {
      method: operation.method,
      url: `${this.#settings.baseUrl}${target}`,
      headers: this.#headersOf(operation, body, options),
      body,
    };
    const manner: Manner = {
      timeoutMs: this.#timeoutOf(options),
      maxRetries: options.maxRetries === undefined ? this.#settings.maxRetries : checkRetries(options.maxRetries),
      signal: options.signal,
      takesLink: operation.redirects === true,
      leavesBody: () => wish?.leavesBody === true,
    };
    if (operation.method === "GET") return await this.#get(request, manner, options);
    const answer = await send(this.#sender, request, manner);
    this.#cache.clear(); // earlier answers are out of date after a change
    return answer;
  }

  async #get(request: WireRequest, manner: Manner, options: RequestOptions): Promise<Answer> {
    const maxAgeMs = options.maxAgeMs === undefined ? this.#settings.maxAgeMs : checkMaxAge(options.maxAgeMs);
    if (maxAgeMs === 0 && !this.#settings.singleFlight) return await send(this.#sender, request, manner);

    if (manner.signal?.aborted) throw new RequestAbortedError("Aborted", { cause: manner.signal.reason });
    const key = JSON.stringify([request.url, request.headers]);
    const { nowMs } = this.#sender.surroundings;
    const earlier = maxAgeMs === 0 ? null : this.#cache.get(key, maxAgeMs, nowMs());
    if (earlier !== null) return earlier;
    // An answer shared by several callers is read here.
    const answer = await this.#sendOnce(key, request, { ...manner, leavesBody: () => false });
    if (maxAgeMs > 0 && answer.response.status === 200) this.#cache.put(key, answer, nowMs());
    return answer;
  }

  #sendOnce(key: string, request: WireRequest, manner: Manner): Promise<Answer> {
    if (!this.#settings.singleFlight) return send(this.#sender, request, manner);
    const alike = `${key} ${manner.timeoutMs} ${manner.maxRetries}`;
    const what = requestLine(request.method, request.url);
    return this.#flights.join(alike, what, manner.signal, (signal) => send(this.#sender, request, { ...manner, signal }));
  }

  #headersOf(operation: Operation<unknown, unknown>, body: string | undefined, options: RequestOptions): WireRequest["headers"] {
    const { headers } = this.#settings;
    const typed = body === undefined ? headers : { ...headers, "content-type": "application/json" };
    const all = withHeaders(typed, options.headers);
    if (operation.method !== "POST") return all;
    // A repeated POST takes effect once, so it may be retried like any other request.
    const idempotencyKey = options.idempotencyKey ?? all["idempotency-key"] ?? this.#sender.surroundings.newId();
    return withHeaders(all, { "idempotency-key": idempotencyKey });
  }
}

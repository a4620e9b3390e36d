/** The promise a call returns: its data, and on request the response head or the data as on the wire. */
import type { Answer } from "./answer.ts";
import { requestIdOf } from "./error-from.ts";
import { type RateLimit, readRateLimit } from "./rate-limit.ts";

/** Data together with the response head. */
export interface WithResponse<T> {
  /** What awaiting the call returns. */
  readonly data: T;
  /** The response head; its body has already been read. */
  readonly response: Response;
  /** The request id to give to the operator; null when the answer has none. */
  readonly requestId: string | null;
  /** The caller's rate limits as of this answer; null when the answer reports none. */
  readonly rateLimit: RateLimit | null;
}

/** The type of a rejection, so that promise handlers fit. */
type Reason = Parameters<NonNullable<Parameters<Promise<unknown>["catch"]>[0]>>[0];

/** Turns an answer into what a call returns. */
export type Present<T> = (answer: Answer) => T;

/** The body as on the wire. */
const presentRaw: Present<unknown> = (answer) => answer.body;

/** Microtask turns until an await has attached, also through functions that pass the promise on. */
const AWAITED_WITHIN = 4;

const ignore = (): void => {};

/** What a caller wants of an answer still in flight. */
export interface CallState {
  /** Whether the caller reads the body. */
  leavesBody: boolean;
}

/**
 * A call in flight. Awaiting it returns the data.
 * @typeParam T what awaiting returns
 * @typeParam W the body as on the wire
 */
export class ApiPromise<T, W = T> extends Promise<T> {
  /** `then` returns a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #answer: Promise<Answer>;
  readonly #present: Present<T>;
  readonly #fulfil: (data: T) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #state: CallState;
  #data: Promise<T> | undefined;
  #isWanted = false;

  /** Created by the client. */
  constructor(answer: Promise<Answer>, present: Present<T>, state: CallState = { leavesBody: false }) {
    let fulfil: (data: T) => void = ignore;
    let reject: (reason: unknown) => void = ignore;
    super((resolveThis, rejectThis) => {
      fulfil = resolveThis;
      reject = rejectThis;
    });
    this.#fulfil = fulfil;
    this.#reject = reject;
    this.#answer = answer;
    this.#present = present;
    this.#state = state;
    this.#lookAfter();
  }

  /**
   * Returns the data with the response head.
   * @returns data, response, request id and the caller's rate limits
   * @throws the same errors as awaiting the call
   */
  async withResponse(): Promise<WithResponse<T>> {
    const data = await this.#settle();
    const { response } = await this.#answer;
    return { data, response, requestId: requestIdOf(response.headers), rateLimit: readRateLimit(response.headers) };
  }

  /**
   * Returns the same call with its data as on the wire: decimals and instants as text, names in snake_case. Nothing is sent
   * again.
   * @returns a promise of the body
   */
  raw(): ApiPromise<W, W> {
    // The table's phantom type describes the wire; it cannot be checked here.
    return new ApiPromise<W, W>(this.#answer, presentRaw as Present<W>, this.#state);
  }

  /**
   * Returns the response as `fetch` does, as soon as its head has arrived, with its body unread. Call it instead of awaiting
   * the call: when called later, for a list, or with a cache or `singleFlight` it returns a new response with the same head and
   * body.
   * @returns the response of a success
   * @throws the same errors as awaiting the call, except for those about the body
   */
  async asResponse(): Promise<Response> {
    this.#state.leavesBody = true;
    return (await this.#answer).asResponse();
  }

  // biome-ignore lint/suspicious/noThenProperty: a promise has one
  override then<A = T, B = never>(
    onFulfilled?: ((data: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: Reason) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    // Decoded on demand: await, catch and finally all pass through here, raw does not.
    if (!this.#isWanted) {
      this.#isWanted = true;
      this.#settle().then(this.#fulfil, this.#reject);
    }
    return super.then(onFulfilled, onRejected);
  }

  #settle(): Promise<T> {
    this.#data ??= this.#answer.then(this.#present);
    return this.#data;
  }

  /**
   * A call that is never awaited must not crash the process when it fails. The handler is attached a few turns late: engines
   * add the awaiting caller to the stack only while nothing else listens.
   */
  async #lookAfter(): Promise<void> {
    for (let turn = 0; turn < AWAITED_WITHIN; turn += 1) await undefined;
    if (this.#data === undefined) this.#answer.catch(ignore);
  }
}

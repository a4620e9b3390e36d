/** The promise a call gives: its data, and on request the head of the answer or the data as on the wire. */
import type { Answer } from "./answer.ts";
import { type RateLimit, readRateLimit } from "./rate-limit.ts";
import { requestIdOf } from "./request-id.ts";

/** Data together with the head of its answer. */
export interface WithResponse<T> {
  /** What awaiting the call gives. */
  readonly data: T;
  /** The answer's head; its body has been read already. */
  readonly response: Response;
  /** The request id to name to the operator; null where the answer has none. */
  readonly requestId: string | null;
  /** The caller's limits as of this answer; null where the answer tells of none. */
  readonly rateLimit: RateLimit | null;
}

/** What a promise says of its rejections, so that handlers for promises fit. */
type Reason = Parameters<NonNullable<Parameters<Promise<unknown>["catch"]>[0]>>[0];

/** How an answer becomes what a call gives. */
export type Present<T> = (answer: Answer) => T;

/** The body as it stands on the wire. */
const presentRaw: Present<unknown> = (answer) => answer.body;

/** Turns of the microtask queue until an await has taken hold, also through functions that pass the promise on. */
const AWAITED_WITHIN = 4;

const ignore = (): void => {};

/** What a caller wishes of an answer that is still on its way. */
export interface Wish {
  /** Whether the caller reads the body. */
  leavesBody: boolean;
}

/**
 * A call under way. Awaiting it gives the data.
 * @typeParam T what awaiting gives
 * @typeParam W the body as it stands on the wire
 */
export class ApiPromise<T, W = T> extends Promise<T> {
  /** What `then` gives is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #answer: Promise<Answer>;
  readonly #present: Present<T>;
  readonly #fulfil: (data: T) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #wish: Wish;
  #data: Promise<T> | undefined;
  #isWanted = false;

  /** Made by the client. */
  constructor(answer: Promise<Answer>, present: Present<T>, wish: Wish = { leavesBody: false }) {
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
    this.#wish = wish;
    this.#lookAfter();
  }

  /**
   * The data with the head of the answer.
   * @returns data, response, request id and the state of the caller's limits
   * @throws the same as awaiting the call
   */
  async withResponse(): Promise<WithResponse<T>> {
    const data = await this.#settle();
    const { response } = await this.#answer;
    return { data, response, requestId: requestIdOf(response.headers), rateLimit: readRateLimit(response.headers) };
  }

  /**
   * The same call with its data as on the wire: decimals and instants as text, names in snake_case. Nothing is sent again.
   * @returns a promise of the body
   */
  raw(): ApiPromise<W, W> {
    // The table's phantom type says what the wire holds; nothing can check it here.
    return new ApiPromise<W, W>(this.#answer, presentRaw as Present<W>, this.#wish);
  }

  /**
   * The answer as `fetch` gives it, as soon as its head is there, with its body unread. Ask for it in place of awaiting the call: who
   * asks later, for a list, or with a cache or `singleFlight` gets a new one with the same head and body.
   * @returns the response of a success
   * @throws the same as awaiting the call, but for what is wrong with the body
   */
  async asResponse(): Promise<Response> {
    this.#wish.leavesBody = true;
    return (await this.#answer).asResponse();
  }

  // biome-ignore lint/suspicious/noThenProperty: a promise has one
  override then<A = T, B = never>(
    onFulfilled?: ((data: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: Reason) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    // Decoded on demand: await, catch and finally all come through here, raw does not.
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
   * A call left alone is no crash when it fails. Handlers are attached a few turns late: an engine tells in a stack who
   * awaits a call only as long as nothing else listens to it.
   */
  async #lookAfter(): Promise<void> {
    for (let turn = 0; turn < AWAITED_WITHIN; turn += 1) await undefined;
    if (this.#data === undefined) this.#answer.catch(ignore);
  }
}

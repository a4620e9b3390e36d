/** What `subscribe` gives: events to be read in a loop, whatever becomes of the connections behind them. */
import { RequestAbortedError } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { BarsResource } from "../generated/resources/bars.ts";
import type { ServerFrame, SubscribedFrame, UnsubscribedFrame } from "../generated/stream.ts";
import { Connection } from "./connection.ts";
import { type RejectedName, StreamRejectedError } from "./errors.ts";
import type { StatusEvent, StreamEvent, StreamName } from "./events.ts";
import { filledGap, plainGap } from "./gap-event.ts";
import type { Item } from "./items.ts";
import { Ledger } from "./ledger.ts";
import type { Following, OpenLink } from "./link.ts";
import { checkNames, type LastSeen, type SubscriptionSettings } from "./options.ts";
import { Queue } from "./queue.ts";
import type { ConnectionRules } from "./states.ts";
import type { StreamSurroundings } from "./surroundings.ts";

declare global {
  /** As the language has it: libraries before `esnext.disposable` do not. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** From this failure in a row on, or this long a wait, a reconnect is told at the level that is on by default. */
const NOTICEABLE_ATTEMPT = 3;
const NOTICEABLE_WAIT_MS = 10_000;

/** Stands for the error of a stream that its reader's signal ended. */
const ABORTED = new RequestAbortedError("The stream was aborted");

/** What a subscription shows of itself to the wires it opens. */
export interface WireView {
  readonly following: () => Following;
  readonly seqOf: (name: StreamName) => number | null;
}

/** What a subscription stands on. */
export interface SubscriptionParts {
  /** Opens a wire: one for all names, or for one of them. */
  readonly links: (view: WireView, name: StreamName | null) => OpenLink;
  readonly connectWithinMs: number;
  readonly bars: BarsResource;
  readonly logger: Logger;
  readonly surroundings: StreamSurroundings;
}

/**
 * Events of a subscription, read by one loop. It connects when the loop begins and closes when the loop is left; while it is read
 * it keeps its process alive.
 */
export class Subscription implements AsyncIterableIterator<StreamEvent> {
  readonly #parts: SubscriptionParts;
  readonly #settings: SubscriptionSettings;
  readonly #rules: ConnectionRules;
  readonly #ledger = new Ledger();
  readonly #queue: Queue;
  readonly #following = new Map<StreamName, object>();
  /** By name; under null the one for all. */
  readonly #connections = new Map<StreamName | null, Connection>();
  /** Ends what is asked for on the way to the reader. */
  readonly #leaving = new AbortController();
  #isStarted = false;
  #ended: { readonly error: Error | null } | null = null;
  #wake: (() => void) | null = null;
  #turn: Promise<void> = Promise.resolve();
  /** What the service's clock is ahead, in milliseconds. */
  #aheadMs = 0;

  /** Made by `assay.stream.subscribe`. */
  constructor(parts: SubscriptionParts, settings: SubscriptionSettings) {
    this.#parts = parts;
    this.#settings = settings;
    this.#rules = { connectWithinMs: parts.connectWithinMs, maxReconnects: settings.maxReconnects };
    this.#queue = new Queue(settings.maxQueued);
    for (const name of settings.names) this.#follow(name, settings.resume.get(name) ?? null);
  }

  /** The names followed now, as far as the service has not refused them. */
  get names(): readonly StreamName[] {
    return [...this.#following.keys()];
  }

  /**
   * Follows more. A name that was removed begins anew.
   * @param names symbols, or channels
   * @throws TypeError for a name the transport does not carry
   */
  add(names: readonly StreamName[]): void {
    checkNames(names, this.#settings.transport);
    for (const name of names) if (!this.#following.has(name)) this.#follow(name, null);
    this.#tell();
  }

  /**
   * Follows less; of these names nothing more is yielded.
   * @param names symbols, or channels
   */
  remove(names: readonly StreamName[]): void {
    for (const name of names) this.#unfollow(name);
    this.#tell();
  }

  /** Ends the stream: the loop gets the status `closed` and ends. */
  close(): void {
    this.#end(null, false);
  }

  /** @returns the subscription itself: it is read once */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * The next event.
   * @throws {StreamClosedError} when the service closed the stream for good
   * @throws {StreamLostError} when `maxReconnects` is used up
   * @throws {StreamRejectedError} when the service follows none of the names
   * @throws {ApiError} when the service refuses the request of a feed
   * @throws {RequestAbortedError} when the signal ended it
   */
  async next(): Promise<IteratorResult<StreamEvent, undefined>> {
    // One after the other. Nothing but the reader listens to what is given, so that the stack of an error leads to it.
    const before = this.#turn;
    let pass = (): void => undefined;
    this.#turn = new Promise((resolve) => {
      pass = resolve;
    });
    await before;
    try {
      return await this.#read();
    } finally {
      pass();
    }
  }

  /** Ends the stream, as leaving the loop does. */
  async return(): Promise<IteratorResult<StreamEvent, undefined>> {
    this.#end(null, false);
    this.#queue.clear();
    return { done: true, value: undefined };
  }

  /** Ends the stream, as leaving a block that holds it by `await using` does. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #read(): Promise<IteratorResult<StreamEvent, undefined>> {
    this.#start();
    for (;;) {
      const item = this.#queue.shift();
      if (item !== undefined) return { done: false, value: await this.#eventOf(item) };
      if (this.#ended !== null) {
        const { error } = this.#ended;
        this.#ended = { error: null };
        // Made here: where the signal was raised, the stack would not lead to the reader.
        if (error === ABORTED) throw new RequestAbortedError(ABORTED.message, { cause: this.#settings.signal?.reason });
        if (error !== null) throw error;
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #start(): void {
    if (this.#isStarted || this.#ended !== null) return;
    this.#isStarted = true;
    const { signal } = this.#settings;
    if (signal?.aborted) {
      this.#abort();
      return;
    }
    signal?.addEventListener("abort", this.#abort, { once: true });
    this.#tell();
  }

  readonly #abort = (): void => {
    this.#end(ABORTED, false);
  };

  /** @param keepsQueue whether what has come is still read */
  #end(error: Error | null, keepsQueue: boolean): void {
    if (this.#ended !== null) return;
    this.#ended = { error };
    this.#settings.signal?.removeEventListener("abort", this.#abort);
    for (const connection of this.#connections.values()) connection.stop();
    if (!keepsQueue) {
      this.#leaving.abort();
      this.#queue.clear();
    }
    this.#say({ type: "status", status: "closed", names: this.names, reason: error?.message ?? null });
  }

  #follow(name: StreamName, last: LastSeen | null): void {
    this.#following.set(name, {});
    this.#ledger.follow(name, last);
  }

  #unfollow(name: StreamName): void {
    this.#following.delete(name);
    this.#ledger.forget(name);
    this.#queue.drop(name);
  }

  /** Brings the connections up to what is followed. */
  #tell(): void {
    if (!this.#isStarted || this.#ended !== null) return;
    const isShared = this.#settings.transport === "websocket";
    for (const [name, connection] of this.#connections) {
      if (name === null || this.#following.has(name)) continue;
      connection.stop();
      this.#connections.delete(name);
    }
    for (const name of isShared ? [null] : this.#following.keys()) {
      const known = this.#connections.get(name);
      if (known !== undefined) known.follow();
      else this.#connect(name);
    }
  }

  #connect(name: StreamName | null): void {
    const { links, logger, surroundings } = this.#parts;
    const namesOf = (): readonly StreamName[] => (name === null ? this.names : [name]);
    const view: WireView = { following: () => this.#following, seqOf: (one) => this.#ledger.seqOf(one) };
    const owner = {
      connecting: (attempt: number) => this.#say({ type: "status", status: "connecting", names: namesOf(), attempt }),
      opened: ({ serverMs }: { readonly serverMs: number | null }) => {
        if (serverMs !== null) this.#aheadMs = serverMs - surroundings.nowMs();
        if (name !== null) this.#say({ type: "status", status: "open", names: [name], rejected: [] });
      },
      frame: (frame: ServerFrame) => this.#take(frame),
      waiting: (attempt: number, delayMs: number, { reason, close }: { reason: string; close: number | null }) => {
        const note = `The stream of ${namesOf().join(", ")} was lost; attempt ${attempt} in ${delayMs} ms: ${reason}`;
        if (attempt < NOTICEABLE_ATTEMPT && delayMs < NOTICEABLE_WAIT_MS) logger.info(note);
        else logger.warn(note);
        this.#say({ type: "status", status: "reconnecting", names: namesOf(), attempt, delayMs, reason, close });
      },
      failed: (error: Error) => this.#end(error, true),
    };
    const connection = new Connection(links(view, name), owner, this.#rules, surroundings);
    this.#connections.set(name, connection);
    connection.start();
  }

  #take(frame: ServerFrame): void {
    if (frame.type === "subscribed") this.#confirm(frame, frame.rejected);
    // A name that was not followed anyway is no news.
    if (frame.type === "unsubscribed") this.#confirm(frame, []);
    if (frame.type === "heartbeat") this.#aheadMs = frame.ts.getTime() - this.#parts.surroundings.nowMs();
    if (frame.type === "tick" || frame.type === "physical" || frame.type === "gap" || frame.type === "heartbeat")
      this.#put(this.#ledger.take(frame, this.#parts.surroundings.nowMs() + this.#aheadMs));
  }

  /** Takes note of what the service follows now. */
  #confirm({ symbols, channels }: SubscribedFrame | UnsubscribedFrame, rejected: readonly RejectedName[]): void {
    for (const { name } of rejected) this.#unfollow(name as StreamName); // it is as we sent it
    const names = [...symbols, ...channels] as StreamName[]; // those of the contract
    this.#say({ type: "status", status: "open", names, rejected });
    if (rejected.length > 0 && this.#following.size === 0) this.#end(new StreamRejectedError(rejected), true);
  }

  #say(event: StatusEvent): void {
    this.#put([{ kind: "note", event }]);
  }

  #put(items: readonly Item[]): void {
    if (items.length === 0) return;
    this.#queue.push(items);
    this.#wake?.();
    this.#wake = null;
  }

  async #eventOf(item: Item): Promise<StreamEvent> {
    if (item.kind !== "gap") return item.event;
    const { bars, logger } = this.#parts;
    return this.#settings.fillGaps ? await filledGap(item, bars, logger, this.#leaving.signal) : plainGap(item);
  }
}

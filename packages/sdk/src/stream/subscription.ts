/** What `subscribe` returns: events read in a loop, across reconnects. */
import { RequestAbortedError } from "../core/errors.ts";
import { onAbort } from "../core/on-abort.ts";
import type { Logger } from "../core/options.ts";
import type { BarsResource } from "../generated/resources/bars.ts";
import type { ServerFrame, SubscribedFrame, UnsubscribedFrame } from "../generated/stream.ts";
import { Connection, type StreamClock } from "./connection.ts";
import type { ConnectionRules } from "./connection-states.ts";
import { type RejectedName, StreamRejectedError } from "./errors.ts";
import type { StatusEvent, StreamEvent, StreamName } from "./events.ts";
import { filledGap, plainGap } from "./gap-event.ts";
import type { Following, OpenLink } from "./link.ts";
import { Numbering } from "./numbering.ts";
import { checkNames, type LastSeen, type SubscriptionSettings } from "./options.ts";
import { type Item, Queue } from "./queue.ts";

declare global {
  /** Typed by hand: libraries before `esnext.disposable` lack it. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** From this many failures in a row, or this long a wait, a reconnect is logged at the default level. */
const NOTICEABLE_ATTEMPT = 3;
const NOTICEABLE_WAIT_MS = 10_000;

/** Placeholder for the error of a stream that its reader's signal aborted. */
const ABORTED = new RequestAbortedError("The stream was aborted");

/** The part of a subscription its links can see. */
export interface WireView {
  readonly following: () => Following;
  readonly seqOf: (name: StreamName) => number | null;
}

/** What a subscription depends on. */
export interface SubscriptionDeps {
  /** Opens a link: one for all names, or one for each. */
  readonly links: (view: WireView, name: StreamName | null) => OpenLink;
  readonly connectWithinMs: number;
  readonly bars: BarsResource;
  readonly logger: Logger;
  readonly clock: StreamClock;
}

/**
 * Events of a subscription, read by one loop. It connects when the loop starts and closes when the loop ends; while it is read
 * it keeps its process alive.
 */
export class Subscription implements AsyncIterableIterator<StreamEvent> {
  readonly #deps: SubscriptionDeps;
  readonly #settings: SubscriptionSettings;
  readonly #rules: ConnectionRules;
  readonly #numbering = new Numbering();
  readonly #queue: Queue;
  readonly #following = new Map<StreamName, object>();
  /** By name; the key null is the one for all. */
  readonly #connections = new Map<StreamName | null, Connection>();
  /** Aborts requests made for queued items. */
  readonly #leaving = new AbortController();
  #isStarted = false;
  /** Stops listening to the signal. */
  #leave = (): void => undefined;
  #ended: { readonly error: Error | null } | null = null;
  #wake: (() => void) | null = null;
  #turn: Promise<void> = Promise.resolve();
  /** How far the service's clock is ahead, in milliseconds. */
  #aheadMs = 0;

  /** Created by `assay.stream.subscribe`. */
  constructor(deps: SubscriptionDeps, settings: SubscriptionSettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#rules = { connectWithinMs: deps.connectWithinMs, maxReconnects: settings.maxReconnects };
    this.#queue = new Queue(settings.maxQueued);
    for (const name of settings.names) this.#follow(name, settings.resume.get(name) ?? null);
  }

  /** The followed names, without those the service has refused. */
  get names(): readonly StreamName[] {
    return [...this.#following.keys()];
  }

  /**
   * Follows more names. A name that was removed starts fresh.
   * @param names symbols, or channels
   * @throws TypeError for a name the transport does not support
   */
  add(names: readonly StreamName[]): void {
    checkNames(names, this.#settings.transport);
    for (const name of names) if (!this.#following.has(name)) this.#follow(name, null);
    this.#sync();
  }

  /**
   * Stops following names; nothing more of them is yielded.
   * @param names symbols, or channels
   */
  remove(names: readonly StreamName[]): void {
    for (const name of names) this.#unfollow(name);
    this.#sync();
  }

  /** Closes the stream: the loop gets the status `closed` and ends. */
  close(): void {
    this.#end(null, false);
  }

  /** @returns the subscription itself: it can be read once */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * The next event.
   * @throws {StreamClosedError} when the service closed the stream for good
   * @throws {StreamLostError} when `maxReconnects` is used up
   * @throws {StreamRejectedError} when the service follows none of the names
   * @throws {ApiError} when the service refuses a feed's request
   * @throws {RequestAbortedError} when the signal aborted it
   */
  async next(): Promise<IteratorResult<StreamEvent, undefined>> {
    // Sequential calls. Only the reader awaits the returned promise, so that an error's stack leads to it.
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

  /** Closes the stream, as leaving the loop does. */
  async return(): Promise<IteratorResult<StreamEvent, undefined>> {
    this.#end(null, false);
    this.#queue.clear();
    return { done: true, value: undefined };
  }

  /** Closes the stream at the end of a block that holds it by `await using`. */
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
        // Created here: where the signal was raised, the stack would not lead to the reader.
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
    this.#leave = onAbort(signal, this.#abort);
    this.#sync();
  }

  readonly #abort = (): void => {
    this.#end(ABORTED, false);
  };

  /** @param keepsQueue whether queued events are still delivered */
  #end(error: Error | null, keepsQueue: boolean): void {
    if (this.#ended !== null) return;
    this.#ended = { error };
    this.#leave();
    for (const connection of this.#connections.values()) connection.stop();
    if (!keepsQueue) {
      this.#leaving.abort();
      this.#queue.clear();
    }
    this.#say({ type: "status", status: "closed", names: this.names, reason: error?.message ?? null });
  }

  #follow(name: StreamName, last: LastSeen | null): void {
    this.#following.set(name, {});
    this.#numbering.follow(name, last);
  }

  #unfollow(name: StreamName): void {
    this.#following.delete(name);
    this.#numbering.forget(name);
    this.#queue.drop(name);
  }

  /** Opens and closes connections to match the followed names. */
  #sync(): void {
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
    const { links, logger, clock } = this.#deps;
    const namesOf = (): readonly StreamName[] => (name === null ? this.names : [name]);
    const view: WireView = { following: () => this.#following, seqOf: (one) => this.#numbering.seqOf(one) };
    let isLossNoted = false;
    const owner = {
      connecting: (attempt: number) => this.#say({ type: "status", status: "connecting", names: namesOf(), attempt }),
      opened: ({ serverMs }: { readonly serverMs: number | null }) => {
        if (isLossNoted) logger.warn(`The stream of ${namesOf().join(", ")} is open again`);
        isLossNoted = false;
        if (serverMs !== null) this.#aheadMs = serverMs - clock.nowMs();
        if (name !== null) this.#say({ type: "status", status: "open", names: [name], rejected: [] });
      },
      frame: (frame: ServerFrame) => this.#take(frame),
      waiting: (attempt: number, delayMs: number, { reason, close }: { reason: string; close: number | null }) => {
        const note = `The stream of ${namesOf().join(", ")} was lost; attempt ${attempt} in ${delayMs} ms: ${reason}`;
        isLossNoted ||= attempt >= NOTICEABLE_ATTEMPT || delayMs >= NOTICEABLE_WAIT_MS;
        if (isLossNoted) logger.warn(note);
        else logger.info(note);
        this.#say({ type: "status", status: "reconnecting", names: namesOf(), attempt, delayMs, reason, close });
      },
      failed: (error: Error) => this.#end(error, true),
    };
    const connection = new Connection(links(view, name), owner, this.#rules, clock);
    this.#connections.set(name, connection);
    connection.start();
  }

  #take(frame: ServerFrame): void {
    if (frame.type === "subscribed") this.#confirm(frame, frame.rejected);
    // A name that was not followed anyway is not reported.
    if (frame.type === "unsubscribed") this.#confirm(frame, []);
    if (frame.type === "heartbeat") this.#aheadMs = frame.ts.getTime() - this.#deps.clock.nowMs();
    if (frame.type === "tick" || frame.type === "physical" || frame.type === "gap" || frame.type === "heartbeat")
      this.#put(this.#numbering.take(frame, this.#deps.clock.nowMs() + this.#aheadMs));
  }

  /** Records what the service follows now. */
  #confirm({ symbols, channels }: SubscribedFrame | UnsubscribedFrame, rejected: readonly RejectedName[]): void {
    for (const { name } of rejected) this.#unfollow(name as StreamName); // as we sent it
    const names = [...symbols, ...channels] as StreamName[]; // names of the contract
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
    const { bars, logger } = this.#deps;
    return this.#settings.fillGaps ? await filledGap(item, bars, logger, this.#leaving.signal) : plainGap(item);
  }
}

/**
 * The bus within one process, where every subscriber has received an event before `publish` returns; and how both buses
 * deliver: a fault in one subscriber does not affect the others.
 */
import type { Log } from "../log.ts";
import type { BusGap, BusPort, MarketEvent, SubscribeOptions } from "../ports.ts";

export interface Subscriber {
  readonly handler: (event: MarketEvent) => void;
  readonly onGap: SubscribeOptions["onGap"];
}

const report = (log: Log, error: unknown): void => log.error({ err: error }, "a bus subscriber failed; the others continue");

/** Runs the callback and reports what it throws, sync or as a rejected promise. */
const shielded = (log: Log, call: () => unknown): void => {
  try {
    const outcome = call();
    if (outcome instanceof Promise) outcome.catch((error: unknown) => report(log, error));
  } catch (error) {
    report(log, error);
  }
};

export const deliver = (subscriber: Subscriber, event: MarketEvent, log: Log): void =>
  shielded(log, () => subscriber.handler(event));

export const deliverGap = (subscriber: Subscriber, gap: BusGap, log: Log): void => shielded(log, () => subscriber.onGap?.(gap));

/** Events that subscribers publish during delivery are queued; more than this is a loop, not a burst. */
const QUEUE_LIMIT = 1_000;

/** Synchronous fan-out, in order even for events published by a subscriber. */
export class MemoryBus implements BusPort {
  readonly #log: Log;
  readonly #subscribers = new Set<Subscriber>();
  #queue: MarketEvent[] = [];
  #isDelivering = false;
  #hasLost = false;

  constructor(log: Log) {
    this.#log = log;
  }

  async publish(event: MarketEvent): Promise<void> {
    if (this.#queue.length >= QUEUE_LIMIT) {
      this.#hasLost = true;
      throw new Error(`the bus is full: ${QUEUE_LIMIT} events are waiting`);
    }
    this.#queue.push(event);
    if (!this.#isDelivering) this.#deliverAll();
  }

  async subscribe(handler: (event: MarketEvent) => void, options: SubscribeOptions = {}): Promise<() => Promise<void>> {
    const subscriber: Subscriber = { handler, onGap: options.onGap };
    this.#subscribers.add(subscriber);
    return async () => {
      this.#subscribers.delete(subscriber);
    };
  }

  close(): void {
    this.#subscribers.clear();
  }

  #deliverAll(): void {
    this.#isDelivering = true;
    for (let next = 0; next < this.#queue.length; next++) {
      const event = this.#queue[next];
      if (!event) break;
      for (const subscriber of this.#subscribers) deliver(subscriber, event, this.#log);
    }
    this.#queue = [];
    this.#isDelivering = false;
    if (!this.#hasLost) return;
    this.#hasLost = false;
    for (const subscriber of this.#subscribers) deliverGap(subscriber, { reason: "missed" }, this.#log);
  }
}

/** The bus within one process: every subscriber has received an event before `publish` returns. */
import { deliver, deliverGap, type Subscriber } from "../deliver.ts";
import type { Log } from "../log.ts";
import type { BusPort, MarketEvent, SubscribeOptions } from "../ports.ts";

/** Events that subscribers publish during delivery are queued; more than this is a loop, not a burst. */
const QUEUE_LIMIT = 1_000;

/** Synchronous fan-out, in order even for events published by a subscriber. */
export class MemoryBus implements BusPort {
  readonly #log: Log;
  readonly #subscribers = new Set<Subscriber>();
  #queue: MarketEvent[] = [];
  #isTelling = false;
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
    if (!this.#isTelling) this.#tellAll();
  }

  async subscribe(handler: (event: MarketEvent) => void, options: SubscribeOptions = {}): Promise<() => Promise<void>> {
    const subscriber: Subscriber = { handler, onGap: options.onGap };
    this.#subscribers.add(subscriber);
    return async () => {
      this.#subscribers.delete(subscriber);
    };
  }

  /** Ends every subscription. */
  close(): void {
    this.#subscribers.clear();
  }

  #tellAll(): void {
    this.#isTelling = true;
    for (let next = 0; next < this.#queue.length; next++) {
      const event = this.#queue[next];
      if (!event) break;
      for (const subscriber of this.#subscribers) deliver(subscriber, event, this.#log);
    }
    this.#queue = [];
    this.#isTelling = false;
    if (!this.#hasLost) return;
    this.#hasLost = false;
    for (const subscriber of this.#subscribers) deliverGap(subscriber, { reason: "missed" }, this.#log);
  }
}

/** The bus across processes: a Redis stream that every process reads to its end. */
import { deliver, deliverGap, type Subscriber } from "../deliver.ts";
import type { Log } from "../log.ts";
import type { BusPort, MarketEvent, SubscribeOptions } from "../ports.ts";
import type { RedisConnection } from "./connection.ts";
import { isAfter, parseStreamId, type StreamId } from "./stream-id.ts";
import { StreamReader } from "./stream-reader.ts";

/** Events kept for readers that fell behind: about half an hour at one per second, some tens of megabytes. */
export const DEFAULT_BUS_LENGTH = 2_000;

/** Options of the bus. */
export interface RedisBusOptions {
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly log: Log;
  /** Opens the connection for reads. */
  readonly openReader: () => RedisConnection;
  /** Approximate number of events kept. */
  readonly length?: number;
}

interface StreamSubscriber extends Subscriber {
  /** Position of the last event before the subscription; null when unknown, or when that stream was lost. */
  since: StreamId | null;
}

/** Publishes on the shared connection; one reader per process serves all subscribers. */
export class RedisBus implements BusPort {
  readonly #options: RedisBusOptions;
  readonly #keys: { readonly stream: string; readonly tail: string };
  readonly #subscribers = new Set<StreamSubscriber>();
  #reader: StreamReader | null = null;
  /** Number of failed publishes: the next event skips an id, which readers detect as a gap. */
  #unpublished = 0;

  constructor(options: RedisBusOptions) {
    this.#options = options;
    this.#keys = { stream: `${options.prefix}events`, tail: `${options.prefix}events:tail` };
  }

  async publish(event: MarketEvent): Promise<void> {
    const { redis, length = DEFAULT_BUS_LENGTH } = this.#options;
    const text = JSON.stringify(event);
    const skipped = this.#unpublished;
    try {
      this.#unpublished = 0;
      await redis.run((client) => client.publishEvent([this.#keys.stream, this.#keys.tail], [text, length, skipped > 0 ? 1 : 0]));
    } catch (error) {
      this.#unpublished += skipped + 1;
      throw error;
    }
  }

  async subscribe(handler: (event: MarketEvent) => void, options: SubscribeOptions = {}): Promise<() => Promise<void>> {
    const since = await this.#tail();
    const subscriber: StreamSubscriber = { handler, onGap: options.onGap, since };
    this.#subscribers.add(subscriber);
    this.#reader ??= this.#read(since);
    return () => this.#unsubscribe(subscriber);
  }

  /** Ends every subscription. */
  async close(): Promise<void> {
    this.#subscribers.clear();
    await this.#stopReading();
  }

  async #unsubscribe(subscriber: StreamSubscriber): Promise<void> {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size === 0) await this.#stopReading();
  }

  async #stopReading(): Promise<void> {
    const reader = this.#reader;
    this.#reader = null;
    await reader?.close();
  }

  /** The end of the stream; null while Redis is down. */
  async #tail(): Promise<StreamId | null> {
    return this.#options.redis.run((client) => client.get(this.#keys.tail)).then(parseStreamId, () => null);
  }

  #read(from: StreamId | null): StreamReader {
    const { log, openReader } = this.#options;
    return new StreamReader({
      redis: openReader(),
      keys: this.#keys,
      from,
      log,
      onGap: (gap) => {
        for (const subscriber of this.#subscribers) {
          if (gap.reason === "reset") subscriber.since = null;
          deliverGap(subscriber, gap, log);
        }
      },
      onEvent: (text, id) => this.#tell(text, id),
    });
  }

  #tell(text: string, id: StreamId): void {
    const { log } = this.#options;
    let event: MarketEvent;
    try {
      event = JSON.parse(text);
    } catch (error) {
      log.error({ err: error }, "skipped a bus event that is not JSON");
      return;
    }
    for (const subscriber of this.#subscribers) {
      if (subscriber.since === null || isAfter(id, subscriber.since)) deliver(subscriber, event, log);
    }
  }
}

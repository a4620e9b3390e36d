/** The bus across processes: a Redis stream that every process reads to its end, on a connection of its own. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import { deliver, deliverGap, type Subscriber } from "../memory/bus.ts";
import type { BusGap, BusPort, MarketEvent, SubscribeOptions } from "../ports.ts";
import { backoffMs, type RedisConnection } from "./redis-connection.ts";

/** An event's position in the stream: an epoch, which each new stream raises, and a number that rises by one per event. */
interface StreamId {
  readonly epoch: number;
  readonly number: number;
}

/** Before every event. */
const STREAM_START: StreamId = { epoch: 0, number: 0 };

/** Parses `epoch-number`; the start of the stream when missing. */
const parseStreamId = (text: string | null): StreamId => {
  const [epoch = "0", number = "0"] = (text ?? "").split("-");
  return { epoch: Number(epoch), number: Number(number) };
};

const formatStreamId = ({ epoch, number }: StreamId): string => `${epoch}-${number}`;

const isAfter = (id: StreamId, other: StreamId): boolean =>
  id.epoch > other.epoch || (id.epoch === other.epoch && id.number > other.number);

const isNext = (id: StreamId, last: StreamId): boolean => id.epoch === last.epoch && id.number === last.number + 1;

/** How long one read blocks, and its timeout beyond that. */
const BLOCK_MS = 5_000;
const READ_DEADLINE_MS = 8_000;

/** Events per read when catching up. */
const BATCH = 256;

/** The longest pause after a failed read. */
const RETRY_MS = 1_000;

interface StreamReaderOptions {
  readonly redis: RedisConnection;
  readonly keys: { readonly stream: string; readonly tail: string };
  /** Start position; null when the end of the stream could not be read. */
  readonly from: StreamId | null;
  readonly onEvent: (text: string, id: StreamId) => void;
  readonly onGap: (gap: BusGap) => void;
}

/** Follows the stream until it is closed. */
class StreamReader {
  readonly #options: StreamReaderOptions;
  readonly #closing = new AbortController();
  readonly #loop: Promise<void>;
  #position: StreamId | null;

  constructor(options: StreamReaderOptions) {
    this.#options = options;
    this.#position = options.from;
    this.#loop = this.#follow();
  }

  /** Stops reading and closes the connection. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#options.redis.close();
    await this.#loop;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    await this.#options.redis.opened();
    let failures = 0;
    let isChecked = false;
    while (!signal.aborted) {
      try {
        if (!isChecked) await this.#checkPosition();
        isChecked = true;
        await this.#readOnce(this.#position ?? STREAM_START);
        failures = 0;
      } catch {
        // The connection logs its own outages. The stream may have changed meanwhile and must be checked.
        isChecked = false;
        // Rejects when aborted, which ends the loop.
        await sleep(backoffMs(failures++, RETRY_MS), undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Finds the position to read from, at the start and after an outage, in a stream that may have been lost. */
  async #checkPosition(): Promise<void> {
    const { redis, keys, onGap } = this.#options;
    const tail = parseStreamId(await redis.run((client) => client.get(keys.tail)));
    if (this.#position !== null && !isAfter(this.#position, tail)) return;
    this.#position = tail;
    onGap({ reason: "reset" });
  }

  async #readOnce(after: StreamId): Promise<void> {
    const { redis, keys } = this.#options;
    const read = await redis.run(
      (client) => client.xRead({ key: keys.stream, id: formatStreamId(after) }, { BLOCK: BLOCK_MS, COUNT: BATCH }),
      READ_DEADLINE_MS,
    );
    for (const { id, message } of read?.[0]?.messages ?? []) this.#take(parseStreamId(id), message.event);
  }

  #take(id: StreamId, text: string | undefined): void {
    const last = this.#position ?? STREAM_START;
    if (!isNext(id, last)) {
      const isFirst = last.epoch === 0 && id.number === 1;
      if (!isFirst) this.#options.onGap({ reason: id.epoch === last.epoch ? "missed" : "reset" });
    }
    this.#position = id;
    if (text !== undefined) this.#options.onEvent(text, id);
  }
}

/** Events kept for readers that fell behind: about half an hour at one per second, some tens of megabytes. */
const DEFAULT_BUS_LENGTH = 2_000;

interface RedisBusOptions {
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly log: Log;
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
      onGap: (gap) => {
        for (const subscriber of this.#subscribers) {
          if (gap.reason === "reset") subscriber.since = null;
          deliverGap(subscriber, gap, log);
        }
      },
      onEvent: (text, id) => this.#deliver(text, id),
    });
  }

  #deliver(text: string, id: StreamId): void {
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

/** Reads the event stream on its own connection, in order, and detects gaps. */
import { pause } from "../deadline.ts";
import type { Log } from "../log.ts";
import type { BusGap } from "../ports.ts";
import { backoffMs, type RedisConnection } from "./connection.ts";
import { formatStreamId, isAfter, isNext, parseStreamId, STREAM_START, type StreamId } from "./stream-id.ts";

/** How long one read blocks, and its timeout beyond that. */
const BLOCK_MS = 5_000;
const READ_DEADLINE_MS = 8_000;

/** Events per read when catching up. */
const BATCH = 256;

/** The longest pause after a failed read. */
const RETRY_MS = 1_000;

/** Options of a reader. */
export interface StreamReaderOptions {
  readonly redis: RedisConnection;
  readonly keys: { readonly stream: string; readonly tail: string };
  /** Start position; null when the end of the stream could not be read. */
  readonly from: StreamId | null;
  readonly onEvent: (text: string, id: StreamId) => void;
  readonly onGap: (gap: BusGap) => void;
  readonly log: Log;
}

/** Follows the stream until it is closed. */
export class StreamReader {
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
        await pause(backoffMs(failures++, RETRY_MS), signal);
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

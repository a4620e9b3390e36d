/**
 * From the bus to the hub: every number once and in order; missed ones are loaded from the store, and unavailable ones reported
 * as gaps.
 */
import { setTimeout as pause } from "node:timers/promises";
import { readBeliefs, readDealerChanges, readTicksSince, type Store } from "@assay/db";
import type { Live, Log, MarketEvent } from "@assay/live";
import type { Hub } from "./hub.ts";
import { Sequence } from "./sequence.ts";

/** How long new events wait for the store; after that they are sent, preceded by a gap. */
const PATIENCE_MS = 3_000;
/** How soon the store is queried again. */
const RETRY_MS = 500;

/** What the feed depends on. */
export interface FeedOptions {
  readonly store: Store;
  readonly live: Live;
  readonly hub: Hub;
  /** How far back missed values are delivered, in milliseconds. */
  readonly ringMs: number;
  readonly clock: () => number;
  readonly log: Pick<Log, "warn">;
  /** Called with keys that end, and when events were missed, since one may have ended a key. */
  readonly onKeyChanged: (keyHash: string, revokedAtMs: number | null) => void;
  readonly onMissed: () => void;
}

/** A subscription that keeps the hub complete. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #sequence = new Sequence();
  readonly #ending = new AbortController();
  /** Events queued while the store is read; null when not reading. */
  #waiting: MarketEvent[] | null = [];
  #recovering: Promise<void> | null = null;
  /** Whether something was missed since the last load began. */
  #owes = false;
  #unsubscribe: () => Promise<void> = async () => undefined;
  /** How many times the store was read because something was missed. */
  recoveries = 0;
  /** How many times the bus announced that events were missed. */
  gaps = 0;
  /** How long the last moment took from the writer to this process. */
  lagMs = 0;

  private constructor(options: FeedOptions) {
    this.#options = options;
  }

  /**
   * Subscribes, and fills the rings from the store.
   * @throws StoreUnavailableError when the database does not respond
   */
  static async open(options: FeedOptions): Promise<Feed> {
    const feed = new Feed(options);
    feed.#unsubscribe = await options.live.bus.subscribe((event) => feed.#hear(event), { onGap: () => feed.#onGap() });
    try {
      await feed.#read();
    } catch (error) {
      await feed.close();
      throw error;
    }
    feed.#release();
    await options.hub.settled();
    return feed;
  }

  /** Unsubscribes. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#unsubscribe();
    await this.#recovering;
  }

  #hear(event: MarketEvent): void {
    // A key's end is never queued.
    if (event.kind === "moment") this.lagMs = Math.max(0, this.#options.clock() - event.atMs);
    if (event.kind === "key-changed") this.#options.onKeyChanged(event.keyHash, event.revokedAtMs);
    else if (event.kind === "bars-replaced" || event.kind === "history-filled") return;
    else if (this.#waiting) this.#waiting.push(event);
    else if (this.#skips(event)) {
      // Not every loss is announced: a number that is too high also reveals one.
      this.#waiting = [event];
      this.#recover();
    } else this.#take(event);
  }

  #onGap(): void {
    this.gaps += 1;
    this.#options.onMissed();
    this.#recover();
  }

  #skips(event: MarketEvent): boolean {
    if (event.kind === "moment") return this.#sequence.skips(event.ticks);
    return event.kind === "dealer-quotes" && this.#sequence.skips([], event.quotes);
  }

  #take(event: MarketEvent): void {
    const { hub } = this.#options;
    if (event.kind === "moment") {
      hub.believe(event.beliefs ?? []);
      hub.publish(this.#sequence.ticks(event.ticks));
    } else if (event.kind === "dealer-quotes") hub.publish(this.#sequence.quotes(event.quotes));
  }

  /** Releases the queue. */
  #release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const event of waiting) this.#take(event);
  }

  #recover(): void {
    this.#owes = true;
    this.#waiting ??= [];
    if (this.#ending.signal.aborted) return;
    this.#recovering ??= this.#recoverAll().finally(() => {
      this.#recovering = null;
    });
  }

  async #recoverAll(): Promise<void> {
    const { log } = this.#options;
    let failures = 0;
    while (this.#owes && !this.#ending.signal.aborted) {
      this.#owes = false;
      this.recoveries += 1;
      try {
        await this.#read();
        this.#release();
        failures = 0;
      } catch (error) {
        this.#owes = true;
        if (failures === 0) log.warn({ err: error }, "failed to read missed ticks from the database; retrying");
        failures += 1;
        // New prices wait for old ones only briefly.
        if (failures * RETRY_MS >= PATIENCE_MS) this.#release();
        await pause(RETRY_MS, undefined, { signal: this.#ending.signal }).catch(() => undefined);
      }
    }
  }

  /** Loads the last minutes; entries already known are skipped. */
  async #read(): Promise<void> {
    const { store, hub, ringMs, clock } = this.#options;
    const sinceMs = clock() - ringMs;
    const ticks = await readTicksSince(store, sinceMs);
    // Read after the ticks: so every withdrawn tick comes with its withdrawal.
    hub.believe([...(await readBeliefs(store)).values()]);
    hub.publish(this.#sequence.ticks(ticks));
    hub.publish(this.#sequence.quotes(await readDealerChanges(store, sinceMs)));
  }
}

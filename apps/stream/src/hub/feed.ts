/** From the bus to the hub: every number once and in order, what was missed read from the store, and what cannot be had named. */
import { setTimeout as pause } from "node:timers/promises";
import { readBeliefs, readDealerChanges, readTicksSince, type Store } from "@assay/db";
import type { Live, MarketEvent } from "@assay/live";
import type { Hub } from "./hub.ts";
import { Sequence } from "./sequence.ts";

/** How long what comes meanwhile waits for the store; then it goes out, and what is missing before it is named. */
const PATIENCE_MS = 3_000;
/** How soon the store is asked again. */
const RETRY_MS = 500;

/** What the feed stands on. */
export interface FeedOptions {
  readonly store: Store;
  readonly live: Live;
  readonly hub: Hub;
  /** How far back what was missed is told, in milliseconds. */
  readonly ringMs: number;
  readonly clock: () => number;
  readonly log: { warn(fields: Record<string, unknown>, message: string): void };
  /** Hears of keys that end, and of events that were missed, in which there may have been one. */
  readonly onKeyChanged: (keyHash: string, revokedAtMs: number | null) => void;
  readonly onMissed: () => void;
}

/** A subscription that keeps the hub whole. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #sequence = new Sequence();
  readonly #ending = new AbortController();
  /** Events that wait while the store is read; null when none have to. */
  #waiting: MarketEvent[] | null = [];
  #recovering: Promise<void> | null = null;
  /** Whether something was missed since the last reading began. */
  #owes = false;
  #unsubscribe: () => Promise<void> = async () => undefined;
  /** How often the store was read because something was missed. */
  recoveries = 0;

  private constructor(options: FeedOptions) {
    this.#options = options;
  }

  /**
   * Subscribes, and fills the rings from the store.
   * @throws StoreUnavailableError when the store does not answer
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

  /** Hears nothing any more. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#unsubscribe();
    await this.#recovering;
  }

  #hear(event: MarketEvent): void {
    // A key's end waits for nothing.
    if (event.kind === "key-changed") this.#options.onKeyChanged(event.keyHash, event.revokedAtMs);
    else if (event.kind === "bars-replaced") return;
    else if (this.#waiting) this.#waiting.push(event);
    else if (this.#skips(event)) {
      // Not every loss is announced: a number that is too high tells of it as well.
      this.#waiting = [event];
      this.#recover();
    } else this.#take(event);
  }

  #onGap(): void {
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

  /** Lets what waited go on. */
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
        if (failures === 0) log.warn({ err: error }, "missed ticks cannot be read from the store; it is tried again");
        failures += 1;
        // Fresh prices do not wait for old ones for long.
        if (failures * RETRY_MS >= PATIENCE_MS) this.#release();
        await pause(RETRY_MS, undefined, { signal: this.#ending.signal }).catch(() => undefined);
      }
    }
  }

  /** Reads the last minutes; what was taken in before is left out. */
  async #read(): Promise<void> {
    const { store, hub, ringMs, clock } = this.#options;
    const sinceMs = clock() - ringMs;
    const ticks = await readTicksSince(store, sinceMs);
    // Read after the ticks: no withdrawn one is among them without its withdrawal.
    hub.believe([...(await readBeliefs(store)).values()]);
    hub.publish(this.#sequence.ticks(ticks));
    hub.publish(this.#sequence.quotes(await readDealerChanges(store, sinceMs)));
  }
}

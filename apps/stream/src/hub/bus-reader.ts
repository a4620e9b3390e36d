/**
 * From the bus to the hub: every number once and in order; missed ones are loaded from the store, and unavailable ones reported
 * as gaps.
 */
import { physicalChannel, STREAM_SYMBOLS, type StreamName, type StreamSymbol } from "@assay/contract";
import { readBeliefs, readDealerChanges, readTicksSince, type Store } from "@assay/db";
import type { Live, Log, MarketEvent } from "@assay/live";
import type { Time } from "@assay/ports";
import type { DealerTick, Instrument, Tick } from "@assay/pricing";
import { Entry, type Gap } from "./entry.ts";
import type { Hub } from "./hub.ts";

const STREAMED: ReadonlySet<string> = new Set(STREAM_SYMBOLS);
const isStreamed = (instrument: Instrument): instrument is StreamSymbol => STREAMED.has(instrument);

/** A number not above the last, on a price this much later, means the numbering restarted. */
const RESTARTED_AFTER_MS = 60_000;

interface Last {
  readonly seq: number;
  readonly atMs: number;
}

/** Turns ticks and quotes into entries, in order: duplicates are dropped, and missing numbers are noticed. */
class Sequence {
  readonly #last = new Map<StreamName, Last>();

  /** Whether a new event shows that an earlier one was lost. */
  skips(ticks: readonly Tick[], quotes: readonly DealerTick[] = []): boolean {
    const next = new Map<StreamName, number>();
    const isAhead = (name: StreamName, seq: number): boolean => {
      const last = next.get(name) ?? this.#last.get(name)?.seq;
      next.set(name, Math.max(seq, last ?? seq));
      return last !== undefined && seq > last + 1;
    };
    return (
      ticks.some((tick) => isStreamed(tick.instrument) && isAhead(tick.instrument, tick.seq)) ||
      quotes.some((quote) => isAhead(physicalChannel(quote.country), quote.seq))
    );
  }

  /** Adds ticks; duplicates are skipped, and a hole before one is recorded on it. */
  ticks(ticks: readonly Tick[]): Entry[] {
    return ticks.flatMap((tick) => {
      const name = tick.instrument;
      if (!isStreamed(name)) return [];
      const gap = this.#take(name, tick.seq, tick.computedAtMs);
      return gap === undefined ? [] : [Entry.ofTick(name, tick, gap)];
    });
  }

  quotes(quotes: readonly DealerTick[]): Entry[] {
    return quotes.flatMap((quote) => {
      const gap = this.#take(physicalChannel(quote.country), quote.seq, quote.fetchedAtMs);
      return gap === undefined ? [] : [Entry.ofQuote(quote, gap)];
    });
  }

  /** @returns the gap before a number, null for none; undefined for a duplicate */
  #take(name: StreamName, seq: number, atMs: number): Gap | null | undefined {
    const last = this.#last.get(name);
    // A store restored from an older backup continues at a lower number: report it rather than ignore it forever.
    const isRestarted = last !== undefined && seq <= last.seq && atMs > last.atMs + RESTARTED_AFTER_MS;
    if (last !== undefined && seq <= last.seq && !isRestarted) return undefined;
    this.#last.set(name, { seq, atMs });
    if (isRestarted) return { fromSeq: seq, toSeq: last.seq, reason: "reset" };
    return last === undefined || seq === last.seq + 1 ? null : { fromSeq: last.seq + 1, toSeq: seq - 1, reason: "missed" };
  }
}

/** How long new events wait for the store; after that they are sent, preceded by a gap. */
const PATIENCE_MS = 3_000;
/** How soon the store is queried again. */
const RETRY_MS = 500;

export interface BusReaderOptions {
  readonly store: Store;
  readonly live: Live;
  readonly hub: Hub;
  /** How far back missed values are delivered, in milliseconds. */
  readonly ringMs: number;
  readonly clock: Time;
  readonly log: Pick<Log, "warn">;
  /** Called with keys that end, and when events were missed, since one may have ended a key. */
  readonly onKeyChanged: (keyHash: string, revokedAtMs: number | null) => void;
  readonly onMissed: () => void;
}

/** A subscription that keeps the hub complete. */
export class BusReader {
  readonly #options: BusReaderOptions;
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

  private constructor(options: BusReaderOptions) {
    this.#options = options;
  }

  /**
   * Subscribes, and fills the rings from the store.
   * @throws StoreUnavailableError when the database does not respond
   */
  static async open(options: BusReaderOptions): Promise<BusReader> {
    const reader = new BusReader(options);
    reader.#unsubscribe = await options.live.bus.subscribe((event) => reader.#hear(event), { onGap: () => reader.#onGap() });
    try {
      await reader.#read();
    } catch (error) {
      await reader.close();
      throw error;
    }
    reader.#release();
    await options.hub.settled();
    return reader;
  }

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
    const { clock, log } = this.#options;
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
        await clock.sleep(RETRY_MS, this.#ending.signal);
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

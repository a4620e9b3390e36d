/** Numbers the changes of dealers' quotes, stores them, then publishes them. */
import { readNewestDealerQuotes, type Store, StoreQueryError, writeDealerQuotes } from "@assay/db";
import type { LeaseToken, MarketEvent } from "@assay/live";
import type { DealerTick, ProductQuote } from "@assay/pricing";
import type { EventQueue } from "../moments/event-queue.ts";
import type { WriterLog } from "../writer-log.ts";

const keyOf = ({ country, id }: ProductQuote): string => `${country} ${id}`;

/** Every field except the instants and the number, which differ between repeats. */
const FIELDS = [
  "source",
  "dealer",
  "kind",
  "metal",
  "product",
  "form",
  "karat",
  "fineness",
  "weight",
  "weightUnit",
  "currency",
  "sell",
  "buyback",
  "taxIncluded",
  "sourceUrl",
] as const satisfies readonly (keyof ProductQuote)[];

const isSame = (left: ProductQuote, right: ProductQuote): boolean => FIELDS.every((field) => left[field] === right[field]);

export class DealerChanges {
  readonly #latest = new Map<string, ProductQuote>();
  readonly #seqs = new Map<string, number>();

  /** @param newest the newest stored quote of every product */
  constructor(newest: readonly DealerTick[] = []) {
    for (const tick of newest) {
      this.#latest.set(keyOf(tick), tick);
      this.#seqs.set(tick.country, Math.max(tick.seq, this.#seqs.get(tick.country) ?? 0));
    }
  }

  /**
   * Applies a quote. One that only repeats the dealer's last is not a change, nor is an older one.
   * @returns the change with the next number of its country; null when nothing changed
   */
  take(quote: ProductQuote, fetchedAtMs: number): DealerTick | null {
    const key = keyOf(quote);
    const before = this.#latest.get(key);
    if (before && (isSame(before, quote) || quote.observedAtMs < before.observedAtMs)) return null;
    this.#latest.set(key, quote);
    const seq = (this.#seqs.get(quote.country) ?? 0) + 1;
    this.#seqs.set(quote.country, seq);
    return { ...quote, seq, fetchedAtMs };
  }
}

/** The most changes written by one statement. */
const MAX_ROWS = 1_000;
/** The most changes in one event; above it the event has the last of each country, and readers load the rest from the store. */
const MAX_PUBLISHED = 100;
/** The most changes that wait for an unavailable store; beyond that they are found again when the dealers are next read. */
const MAX_WAITING = 10_000;
/** PostgreSQL's error code for a unique violation. */
const TAKEN = "23505";

export interface DealerLedgerParts {
  readonly store: Store;
  readonly writer: LeaseToken;
  readonly eventQueue: EventQueue;
  readonly log: WriterLog;
}

const lastOfEachCountry = (ticks: readonly DealerTick[]): DealerTick[] => [
  ...new Map(ticks.map((tick) => [tick.country, tick])).values(),
];

/** Numbers, stores and publishes changes, in this order. */
export class DealerLedger {
  readonly #parts: DealerLedgerParts;
  #changes: DealerChanges;
  #waiting: DealerTick[] = [];
  /** What was sent to the store without an answer: it may be stored or not. */
  #inDoubt: readonly DealerTick[] | null = null;

  private constructor(parts: DealerLedgerParts, stored: readonly DealerTick[]) {
    this.#parts = parts;
    this.#changes = new DealerChanges(stored);
  }

  /**
   * Continues from what is stored, and publishes the last change of each country: the previous writer may have stored it
   * without publishing.
   */
  static async open(parts: DealerLedgerParts, atMs: number): Promise<DealerLedger> {
    const stored = await readNewestDealerQuotes(parts.store);
    const ledger = new DealerLedger(parts, stored);
    if (stored.length > 0) ledger.#publish(lastOfEachCountry(stored), atMs);
    return ledger;
  }

  /** Applies a quote; a change is queued to be stored. */
  take(quote: ProductQuote, fetchedAtMs: number): void {
    const change = this.#changes.take(quote, fetchedAtMs);
    if (change) this.#waiting.push(change);
  }

  /**
   * Stores what is queued, then publishes it.
   * @throws StaleTokenError when a newer writer exists; StoreUnavailableError when the database does not respond, and then it
   * stays queued
   */
  async commit(atMs: number): Promise<void> {
    const { store, writer } = this.#parts;
    if (this.#inDoubt) await this.#settleDoubt(this.#inDoubt, atMs);
    while (this.#waiting.length > 0) {
      const chunk = this.#waiting.slice(0, MAX_ROWS);
      this.#inDoubt = chunk;
      try {
        await writeDealerQuotes(store, writer, chunk);
      } catch (error) {
        // What the store will never accept is dropped; the next reading of its product tries again.
        if (error instanceof StoreQueryError && error.code !== TAKEN) this.#waiting.splice(0, chunk.length);
        if (this.#waiting.length > MAX_WAITING) this.#waiting = [];
        throw error;
      }
      this.#isStored(chunk, atMs);
    }
  }

  #isStored(chunk: readonly DealerTick[], atMs: number): void {
    this.#inDoubt = null;
    this.#waiting.splice(0, chunk.length);
    this.#publish(chunk.length > MAX_PUBLISHED ? lastOfEachCountry(chunk) : chunk, atMs);
  }

  /** Checks whether the changes were stored after all; if not, the whole queue is renumbered, after what is stored. */
  async #settleDoubt(chunk: readonly DealerTick[], atMs: number): Promise<void> {
    const stored = await readNewestDealerQuotes(this.#parts.store);
    const last = chunk.at(-1);
    const isOurs = ({ country, seq, id }: DealerTick) => country === last?.country && seq === last.seq && id === last.id;
    // The queue may have been trimmed since, and then holds something else.
    if (this.#waiting[0] === chunk[0] && stored.some(isOurs)) return this.#isStored(chunk, atMs);
    this.#inDoubt = null;
    this.#changes = new DealerChanges(stored);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { seq: _, fetchedAtMs, ...quote } of waiting) this.take(quote, fetchedAtMs);
    if (stored.length > 0) this.#publish(lastOfEachCountry(stored), atMs);
  }

  #publish(quotes: readonly DealerTick[], atMs: number): void {
    const event: MarketEvent = { kind: "dealer-quotes", token: this.#parts.writer.token, atMs, quotes };
    this.#parts.eventQueue.put(event);
  }
}

/** Stores changes of dealers' quotes, then publishes them. */
import { readNewestDealerQuotes, type Store, StoreQueryError, writeDealerQuotes } from "@assay/db";
import type { LeaseToken, MarketEvent } from "@assay/live";
import type { DealerTick, ProductQuote } from "@assay/pricing";
import type { Outbox } from "../moments/outbox.ts";
import type { WriterLog } from "../writer-log.ts";
import { DealerChanges } from "./dealer-changes.ts";

/** The most changes written by one statement. */
const MAX_ROWS = 1_000;
/** The most changes in one event; above it the event has the last of each country, and readers load the rest from the store. */
const MAX_TOLD = 100;
/** The most changes that wait for an unavailable store; beyond that they are found again when the dealers are next read. */
const MAX_WAITING = 10_000;
/** PostgreSQL's error code for a unique violation. */
const TAKEN = "23505";

/** What a ledger depends on. */
export interface DealerLedgerParts {
  readonly store: Store;
  readonly writer: LeaseToken;
  readonly outbox: Outbox;
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
    if (stored.length > 0) ledger.#tell(lastOfEachCountry(stored), atMs);
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
    this.#tell(chunk.length > MAX_TOLD ? lastOfEachCountry(chunk) : chunk, atMs);
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
    if (stored.length > 0) this.#tell(lastOfEachCountry(stored), atMs);
  }

  #tell(quotes: readonly DealerTick[], atMs: number): void {
    const event: MarketEvent = { kind: "dealer-quotes", token: this.#parts.writer.token, atMs, quotes };
    this.#parts.outbox.put(event);
  }
}

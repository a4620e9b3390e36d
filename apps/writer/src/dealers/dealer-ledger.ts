/** Changes of dealers' quotes on their way into the store and, once they stand there, to everybody. */
import { readNewestDealerQuotes, type Store, StoreQueryError, writeDealerQuotes } from "@assay/db";
import type { LeaseToken, MarketEvent } from "@assay/live";
import type { DealerTick, ProductQuote } from "@assay/pricing";
import type { Outbox } from "../outbox.ts";
import type { WriterLog } from "../writer-log.ts";
import { DealerChanges } from "./dealer-changes.ts";

/** Changes written by one statement at most. */
const MAX_ROWS = 1_000;
/** Changes one event carries at most; of more it carries the last of each country, and readers find the rest in the store. */
const MAX_TOLD = 100;
/** Changes that wait at most for a store that does not answer; beyond that they are found again as the dealers are read again. */
const MAX_WAITING = 10_000;
/** PostgreSQL's code for a key that is taken. */
const TAKEN = "23505";

/** What a ledger works with. */
export interface DealerLedgerParts {
  readonly store: Store;
  readonly writer: LeaseToken;
  readonly outbox: Outbox;
  readonly log: WriterLog;
}

const lastOfEachCountry = (ticks: readonly DealerTick[]): DealerTick[] => [
  ...new Map(ticks.map((tick) => [tick.country, tick])).values(),
];

/** Numbers, stores and tells changes, in this order. */
export class DealerLedger {
  readonly #parts: DealerLedgerParts;
  #changes: DealerChanges;
  #waiting: DealerTick[] = [];
  /** What was sent to the store without an answer: stored or not. */
  #inDoubt: readonly DealerTick[] | null = null;

  private constructor(parts: DealerLedgerParts, stored: readonly DealerTick[]) {
    this.#parts = parts;
    this.#changes = new DealerChanges(stored);
  }

  /** Goes on from what is stored, and tells the last of each country: a writer before may have stored it and told nobody. */
  static async open(parts: DealerLedgerParts, atMs: number): Promise<DealerLedger> {
    const stored = await readNewestDealerQuotes(parts.store);
    const ledger = new DealerLedger(parts, stored);
    if (stored.length > 0) ledger.#tell(lastOfEachCountry(stored), atMs);
    return ledger;
  }

  /** Takes in a quote; it waits to be stored when it is a change. */
  take(quote: ProductQuote, fetchedAtMs: number): void {
    const change = this.#changes.take(quote, fetchedAtMs);
    if (change) this.#waiting.push(change);
  }

  /**
   * Stores what waits, then tells of it.
   * @throws StaleTokenError when a newer writer was there; StoreUnavailableError when the store does not answer, and then it waits
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
        // What the store will never take is let go; the next reading of its product tries again.
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

  /** Looks whether changes were stored after all; else all that wait are numbered anew, behind what is stored. */
  async #settleDoubt(chunk: readonly DealerTick[], atMs: number): Promise<void> {
    const stored = await readNewestDealerQuotes(this.#parts.store);
    const last = chunk.at(-1);
    const isOurs = ({ country, seq, id }: DealerTick) => country === last?.country && seq === last.seq && id === last.id;
    // What waited may have been let go since, and then what waits now is something else.
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

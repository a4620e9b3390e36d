/** Daily reference rates by currency: loaded from the store when first requested, and again after a table was added. */
import { REFERENCE_BASE } from "@assay/catalogue";
import { DAY_MS } from "@assay/contract";
import { readReferenceDays, readReferences, readStandingReferenceDays, type StandingDays, type Store } from "@assay/db";
import {
  type FxObservation,
  REFERENCE_SERVES_MS,
  type ReferenceHistory,
  referenceCurrency,
  referenceHistory,
} from "@assay/pricing";
import { LRUCache } from "lru-cache";
import { FollowedByName } from "./followed.ts";

/** Currencies kept: each has a megabyte of rates since 1999. */
const CURRENCIES_KEPT = 12;

/** Past days kept whose tables were asked for. */
const DAYS_KEPT = 40;

const BASE = REFERENCE_BASE.ecb;

/** A currency's history, and the revision of the ledger that it was read at. */
export interface Rates {
  readonly history: ReferenceHistory;
  readonly revision: number;
}

/** The dollar, and what is fixed to it, need no table. */
const WITHOUT_TABLES: Rates = { history: referenceHistory([]), revision: 0 };

/** Histories by the currency that is published. */
export class RateBook {
  readonly #store: Store;
  readonly #histories = new FollowedByName<Rates>(() => true, new LRUCache({ max: CURRENCIES_KEPT }));
  readonly #days = new LRUCache<number, Promise<readonly FxObservation[]>>({ max: DAYS_KEPT });
  /** The newest table of each source, as text: most are published again unchanged. */
  readonly #newest = new Map<string, string>();

  constructor(store: Store) {
    this.#store = store;
  }

  apply(tables: readonly FxObservation[]): void {
    for (const { role, source, observedAtMs, rates } of tables) {
      if (role !== "reference") continue;
      const text = `${observedAtMs} ${JSON.stringify(rates)}`;
      if (this.#newest.get(source) === text) continue;
      this.#newest.set(source, text);
      this.forget();
    }
  }

  /** Drops every history; each is read again when next requested. */
  forget(): void {
    this.#histories.forget();
    this.#days.clear();
  }

  /** The tables that may serve a past day or an instant in it, oldest first; from the store. */
  tablesFor(dayMs: number): Promise<readonly FxObservation[]> {
    const known = this.#days.get(dayMs);
    if (known) return known;
    const reading = readReferences(this.#store, dayMs - REFERENCE_SERVES_MS, dayMs + DAY_MS).catch((error: unknown) => {
      if (this.#days.get(dayMs) === reading) this.#days.delete(dayMs);
      throw error;
    });
    this.#days.set(dayMs, reading);
    return reading;
  }

  /** The history that decides a currency's rate: the same object until a table is added. Waits only for its first load. */
  of(currency: string): Rates | Promise<Rates> {
    const published = referenceCurrency(currency);
    if (published === "USD") return WITHOUT_TABLES;
    return this.#histories.of(published, async () => {
      const { days, revision } = await readReferenceDays(this.#store, BASE, published);
      return { history: referenceHistory(days, BASE), revision };
    });
  }

  /** The same as it stood at a revision, with the rates that serve some days; from the store. */
  async at(currency: string, { revision, fromMs, toMs }: StandingDays): Promise<ReferenceHistory> {
    const published = referenceCurrency(currency);
    if (published === "USD") return WITHOUT_TABLES.history;
    // A table is of the whole day at which it was published.
    const days = { revision, fromMs: fromMs - REFERENCE_SERVES_MS, toMs: toMs + DAY_MS - 1 };
    return referenceHistory(await readStandingReferenceDays(this.#store, BASE, published, days), BASE);
  }
}

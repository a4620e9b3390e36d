/** Settlements as they are sent, a year of a product at a time: no window has more than two. */
import { type FuturesSymbol, formatTimestamp, type Settlement } from "@assay/contract";
import {
  readSettledDays,
  readSettlements,
  type SettledDay,
  type SettlementPick,
  type SettlementWithPrior,
  type Store,
} from "@assay/db";
import {
  activeContract,
  type CalendarDay,
  dec,
  disclaimerOf,
  presentBeside,
  presentPrice,
  readFuturesContract,
} from "@assay/pricing";
import { LRUCache } from "lru-cache";
import type { SettlementBook } from "./settlement-book.ts";

/** Years kept, across all products; one has about 100 KiB. */
const MAX_BYTES = 4 * 1024 * 1024;
/** What a year takes besides its rows. */
const YEAR_BYTES = 1024;
/** No year has more. */
const DAYS_OF_YEAR = 366;

const present = (row: SettlementWithPrior): Settlement => {
  const { symbol, settlementDate, price, priorPrice, source, sourceType } = row;
  const disclaimer = disclaimerOf(sourceType);
  return {
    symbol,
    settlement_date: settlementDate,
    settlement_price: presentPrice(price),
    prior_settlement: priorPrice === null ? null : presentPrice(priorPrice),
    change_value: priorPrice === null ? null : presentBeside(dec(price).minus(dec(priorPrice)), price),
    volume: row.volume,
    open_interest: row.openInterest,
    source,
    source_type: sourceType,
    source_timestamp: formatTimestamp(row.observedAtMs),
    fetched_at: formatTimestamp(row.fetchedAtMs),
    ...(disclaimer === null ? {} : { disclaimer }),
  };
};

export const encodeSettlement = (row: SettlementWithPrior): string => JSON.stringify(present(row));

/** One day's row, encoded; null for a day that has no active contract. */
interface EncodedDay {
  readonly day: CalendarDay;
  readonly json: string | null;
}

/** The rows of a year, newest first. */
type Year = readonly EncodedDay[];

export interface SettlementQuery {
  readonly symbol: FuturesSymbol;
  /** Both ends inclusive; the store's calendar has no year 0. */
  readonly from: CalendarDay;
  readonly to: CalendarDay;
  readonly limit: number;
  /** The instant the caller sees. */
  readonly asOfMs: number;
  /** Reads the rows that stood at this revision. */
  readonly revision?: number | undefined;
}

const pickOf = ({ day, contracts }: SettledDay): SettlementPick[] => {
  const active = activeContract(
    contracts.flatMap((name) => readFuturesContract(name) ?? []),
    day,
  );
  return active ? [{ day, futuresContract: active.name }] : [];
};

const yearOf = (day: CalendarDay): number => Number(day.slice(0, 4));

/** Years of settlements: read when first requested, and again after a settlement was added. */
export class SettlementYears {
  readonly #store: Store;
  readonly #book: Pick<SettlementBook, "isKnownBy">;
  readonly #years = new LRUCache<string, Year>({
    maxSize: MAX_BYTES,
    sizeCalculation: (year) => year.reduce((sum, { json }) => sum + (json?.length ?? 0), YEAR_BYTES),
  });
  readonly #reading = new Map<string, Promise<Year>>();

  /** @param book what is known of each product */
  constructor(store: Store, book: Pick<SettlementBook, "isKnownBy">) {
    this.#store = store;
    this.#book = book;
  }

  /** Drops every year; each is read again when next requested. */
  forget(): void {
    this.#years.clear();
    this.#reading.clear();
  }

  /**
   * The rows of a window's newest days, newest first, as known at the caller's instant. Waits only for a year that is not in
   * memory.
   */
  async rows({ symbol, from, to, limit, asOfMs, revision }: SettlementQuery): Promise<string[]> {
    const days: EncodedDay[] = [];
    for (let year = yearOf(to); year >= yearOf(from) && days.length < limit; year -= 1) {
      const found = revision === undefined ? this.#yearOf(symbol, year, asOfMs) : this.#read(symbol, year, asOfMs, revision);
      const inYear = found instanceof Promise ? await found : found;
      days.push(...inYear.filter(({ day }) => day >= from && day <= to));
    }
    return days.slice(0, limit).flatMap(({ json }) => json ?? []);
  }

  #yearOf(symbol: FuturesSymbol, year: number, asOfMs: number): Year | Promise<Year> {
    // An answer that hides what is known changes with time, not only with what is added.
    if (!this.#book.isKnownBy(symbol, asOfMs)) return this.#read(symbol, year, asOfMs);
    const name = `${symbol} ${year}`;
    const known = this.#years.get(name) ?? this.#reading.get(name);
    if (known) return known;
    const isCurrent = (): boolean => this.#reading.get(name) === reading;
    const reading: Promise<Year> = this.#read(symbol, year, asOfMs)
      .then((rows) => {
        // What was added meanwhile may be missing.
        if (isCurrent()) this.#years.set(name, rows);
        return rows;
      })
      .finally(() => {
        if (isCurrent()) this.#reading.delete(name);
      });
    this.#reading.set(name, reading);
    return reading;
  }

  async #read(symbol: FuturesSymbol, year: number, asOfMs: number, revision?: number): Promise<Year> {
    const named = String(year).padStart(4, "0");
    const window = { symbol, from: `${named}-01-01`, to: `${named}-12-31`, limit: DAYS_OF_YEAR, asOfMs, revision };
    const days = await readSettledDays(this.#store, window);
    const rows = await readSettlements(this.#store, symbol, days.flatMap(pickOf), asOfMs, revision);
    const encoded = new Map(rows.map((row) => [row.settlementDate, encodeSettlement(row)]));
    return days.map(({ day }) => ({ day, json: encoded.get(day) ?? null }));
  }
}

/** Daily prices of metals in every currency: each a close, and the reference rate of its day. */
import type { DecimalText } from "@assay/contract";
import { type DailyClose, readStandingCloses, type Store } from "@assay/db";
import {
  type Cross,
  type DatedRate,
  type Fraction,
  type FxObservation,
  fraction,
  multiplyExact,
  presentRate,
  presentWhole,
  type ReferenceHistory,
  servingRate,
  utcDay,
} from "@assay/pricing";
import { LRUCache } from "lru-cache";
import type { CloseBook } from "./close-book.ts";
import { RateBook, type Rates } from "./rate-book.ts";
import type { PairRevisions, PairSnapshot } from "./snapshot.ts";

/** What every unit and purity of a day has in common. */
interface WrittenDay {
  /** The close of the metal's own unit in the currency, exact. */
  readonly local: Fraction;
  /** The point up to its price, and from behind it. */
  readonly head: string;
  readonly tail: string;
}

/** One settled day that has a rate. */
class CrossDay {
  readonly dayMs: number;
  readonly #close: DecimalText;
  readonly #rate: DatedRate;
  #written: WrittenDay | null = null;

  constructor({ dayStartMs, close }: DailyClose, rate: DatedRate) {
    this.dayMs = dayStartMs;
    this.#close = close;
    this.#rate = rate;
  }

  /** Written when it is first part of a page: all days of thirty years take longer than reading them. */
  get written(): WrittenDay {
    if (this.#written) return this.#written;
    const rate = presentRate(this.#rate);
    this.#written = {
      // The rate as it is shown: whoever multiplies gets the price.
      local: multiplyExact(fraction(this.#close), fraction(rate)),
      head: `{"date":"${utcDay(this.dayMs)}","price":"`,
      tail: `","usd_close":"${presentWhole(this.#close)}","fx_rate":"${rate}","fx_date":"${this.#rate.day}"}`,
    };
    return this.#written;
  }
}

/** Days of a cross, oldest first. */
export type CrossDays = readonly CrossDay[];

/** The days that have a close, and a rate that is young enough. */
const crossDays = (closes: readonly DailyClose[], history: ReferenceHistory, currency: string): CrossDays =>
  closes.flatMap((close) => {
    const rate = servingRate(history, currency, utcDay(close.dayStartMs));
    return rate ? [new CrossDay(close, rate)] : [];
  });

/** Crosses kept: each has three megabytes of days since 1996. */
const CROSSES_KEPT = 6;
/** Windows of the past kept: those of the walks that are under way. */
const PAST_KEPT = 6;

/** The days of a cross, and which state of its closes and its rates they are. */
interface CrossSnapshot extends PairSnapshot {
  readonly days: CrossDays;
}

interface Entry extends CrossSnapshot {
  readonly rates: Rates;
}

/** Days of each cross: built when first requested, and again after a close or a rate changed. */
export class CrossBook {
  readonly #store: Store;
  readonly #closes: CloseBook;
  readonly #rates: RateBook;
  readonly #entries = new LRUCache<string, Entry>({ max: CROSSES_KEPT });
  readonly #past = new LRUCache<string, Promise<CrossDays>>({ max: PAST_KEPT });

  constructor(store: Store, closes: CloseBook) {
    this.#store = store;
    this.#closes = closes;
    this.#rates = new RateBook(store);
    closes.onChange((symbol) => this.#drop(symbol));
  }

  /** Applies tables of rates as they were written. */
  apply(tables: readonly FxObservation[]): void {
    this.#rates.apply(tables);
  }

  /** Drops all rates; they are reloaded when next requested. */
  forget(): void {
    this.#entries.clear();
    this.#past.clear();
    this.#rates.forget();
  }

  /** See `RateBook.tablesFor`. */
  referencesFor(dayMs: number): Promise<readonly FxObservation[]> {
    return this.#rates.tablesFor(dayMs);
  }

  /** The days of a cross; the same list until one of them changes. Waits only for the first load of its closes and rates. */
  of(cross: Cross): CrossSnapshot | Promise<CrossSnapshot> {
    const { symbol, instrument, currency } = cross;
    const [closes, rates] = [this.#closes.of(instrument), this.#rates.of(currency)];
    // What changed while the other was loading is read again.
    if (closes instanceof Promise || rates instanceof Promise) return Promise.all([closes, rates]).then(() => this.of(cross));
    const known = this.#entries.get(symbol);
    if (known?.rates === rates) return known;
    const entry: Entry = {
      rates,
      days: crossDays(closes.closes, rates.history, currency),
      revisions: [closes.revision, rates.revision],
      unchangedSince: [closes.unchangedSince, rates.revision],
    };
    this.#entries.set(symbol, entry);
    return entry;
  }

  /** The days of a window as they stood at revisions, both inclusive; from the store. */
  at(cross: Cross, revisions: PairRevisions, window: { readonly fromMs: number; readonly toMs: number }): Promise<CrossDays> {
    const name = JSON.stringify([cross.symbol, revisions, window.fromMs, window.toMs]);
    const known = this.#past.get(name);
    if (known) return known;
    const reading = this.#read(cross, revisions, window).catch((error: unknown) => {
      this.#past.delete(name);
      throw error;
    });
    this.#past.set(name, reading);
    return reading;
  }

  async #read(
    { instrument, currency }: Cross,
    [ofCloses, ofRates]: PairRevisions,
    window: { readonly fromMs: number; readonly toMs: number },
  ): Promise<CrossDays> {
    const [closes, history] = await Promise.all([
      readStandingCloses(this.#store, instrument, { ...window, revision: ofCloses }),
      this.#rates.at(currency, { ...window, revision: ofRates }),
    ]);
    return crossDays(closes, history, currency);
  }

  #drop(instrument: string): void {
    const metal = instrument.slice(0, instrument.indexOf("-") + 1);
    for (const symbol of this.#entries.keys()) if (symbol.startsWith(metal)) this.#entries.delete(symbol);
  }
}

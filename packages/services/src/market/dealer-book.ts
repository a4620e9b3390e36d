/**
 * The latest quote of every dealer's product: loaded from the store once, kept up to date by the bus, its freshness reported by
 * the writer.
 */
import type { PhysicalCountry } from "@assay/contract";
import { readNewestDealerQuotes, type Store } from "@assay/db";
import {
  type DealersDocument,
  type FeedHealthEntry,
  type FeedsDocument,
  type LatestPort,
  type Log,
  type MarketEvent,
  PRODUCT_GONE_AFTER_MS,
  readDealers,
} from "@assay/live";
import { type DealerTick, type Fraction, isUnitSlip, type ProductQuote } from "@assay/pricing";
import { failureOf, readReport } from "./writer-report.ts";

/** A validated quote, and when it was last read. */
export interface HeldQuote {
  readonly quote: ProductQuote;
  readonly fetchedAtMs: number;
  /** The last instant at which it is fresh. */
  readonly freshUntilMs: number;
}

/** What the physical verbs need. */
export interface DealersView {
  /** Refreshes when dealers were last read, unless that was done within the last second. */
  refresh(nowMs: number): Promise<void>;
  /** The latest quote of every product of a country, by product; one not read for a week is dropped. */
  quotes(country: PhysicalCountry, nowMs: number): readonly HeldQuote[];
  /** A country's failing sources, in words. */
  errors(country: PhysicalCountry, nowMs: number): readonly string[];
}

/** How often at most dealer freshness is requested from the engines. */
const REFRESH_EVERY_MS = 1_000;
/** A sequence number not above the current one, on a quote read this much later, means the numbering restarted. */
const ANEW_AFTER_MS = 60_000;

const replaces = (tick: DealerTick, held: DealerTick | undefined): boolean =>
  !held || tick.seq > held.seq || tick.fetchedAtMs > held.fetchedAtMs + ANEW_AFTER_MS;

const byProduct = (a: DealerTick, b: DealerTick): number => (a.id < b.id ? -1 : 1);

export class DealerBook implements DealersView {
  readonly #store: Store;
  readonly #latest: LatestPort;
  readonly #log: Log;
  readonly #held = new Map<string, Map<string, DealerTick>>();
  readonly #seqs = new Map<string, number>();
  #readings: DealersDocument = {};
  #feeds: FeedsDocument["feeds"] = {};
  #refreshedMs = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | null = null;

  constructor(options: { readonly store: Store; readonly live: { readonly latest: LatestPort }; readonly log: Log }) {
    this.#store = options.store;
    this.#latest = options.live.latest;
    this.#log = options.log;
  }

  /** Loads the newest quote of every product from the store. */
  async load(): Promise<void> {
    for (const tick of await readNewestDealerQuotes(this.#store)) this.#take(tick);
  }

  /**
   * Applies an event from the bus.
   * @returns whether events were missed, so that the store must be reloaded
   */
  apply(event: MarketEvent): boolean {
    if (event.kind !== "dealer-quotes") return false;
    let skips = false;
    for (const tick of event.quotes) {
      if (tick.seq > (this.#seqs.get(tick.country) ?? 0) + 1) skips = true;
      this.#take(tick);
    }
    return skips;
  }

  #take(tick: DealerTick): void {
    const products = this.#held.get(tick.country) ?? new Map<string, DealerTick>();
    this.#held.set(tick.country, products);
    if (!replaces(tick, products.get(tick.id))) return;
    products.set(tick.id, tick);
    this.#seqs.set(tick.country, tick.seq);
  }

  async refresh(nowMs: number): Promise<void> {
    if (nowMs - this.#refreshedMs < REFRESH_EVERY_MS) return;
    this.#refreshing ??= this.#readLatest().finally(() => {
      this.#refreshing = null;
      this.#refreshedMs = nowMs;
    });
    await this.#refreshing;
  }

  async #readLatest(): Promise<void> {
    try {
      const [readings, report] = await Promise.all([readDealers(this.#latest), readReport(this.#latest)]);
      this.#readings = readings;
      if (report) this.#feeds = report.feeds;
    } catch (error) {
      // Known quotes are still served, and become stale.
      this.#log.warn({ err: error }, "failed to load dealer freshness");
    }
  }

  quotes(country: PhysicalCountry, nowMs: number): readonly HeldQuote[] {
    return [...(this.#held.get(country)?.values() ?? [])]
      .toSorted(byProduct)
      .map((tick) => this.#withReading(tick))
      .filter(({ fetchedAtMs }) => nowMs - fetchedAtMs <= PRODUCT_GONE_AFTER_MS);
  }

  #withReading({ seq: _, fetchedAtMs: changedMs, ...quote }: DealerTick): HeldQuote {
    const reading = this.#readings[quote.country]?.[quote.id];
    // Until its reading is reported, the change itself is the last reading.
    const isLater = reading !== undefined && reading.fetchedAtMs >= changedMs;
    const fetchedAtMs = isLater ? reading.fetchedAtMs : changedMs;
    const said: ProductQuote = isLater ? { ...quote, observedAtMs: Math.max(quote.observedAtMs, reading.observedAtMs) } : quote;
    return { quote: said, fetchedAtMs, freshUntilMs: reading?.freshUntilMs ?? changedMs };
  }

  errors(country: PhysicalCountry, nowMs: number): readonly string[] {
    const sources = new Set([...(this.#held.get(country)?.values() ?? [])].map(({ source }) => source));
    const isOurs = ([key, feed]: [string, FeedHealthEntry]): boolean => feed.country === country || sources.has(key);
    return Object.entries(this.#feeds)
      .filter(isOurs)
      .flatMap(([key, feed]) => failureOf(key, feed, nowMs) ?? []);
  }
}

/** The quotes shown, and the sources some were left out of. */
export interface Believable {
  readonly quotes: readonly HeldQuote[];
  readonly leftOut: readonly string[];
}

/**
 * Drops quotes whose unit is implausible: they were accepted before spot or the rate was known to check them.
 * @param spot spot per gram in the country's currency; null when unknown, and then nothing is left out
 */
export const believable = (dealers: DealersView, country: PhysicalCountry, spot: Fraction | null, nowMs: number): Believable => {
  const held = dealers.quotes(country, nowMs);
  if (!spot) return { quotes: held, leftOut: [] };
  const isOff = ({ quote }: HeldQuote): boolean => isUnitSlip(quote, spot);
  return {
    quotes: held.filter((one) => !isOff(one)),
    leftOut: [...new Set(held.filter(isOff).map(({ quote }) => quote.source))],
  };
};

/** What was published lately, as one process knows it: ticks, what is believed of them, and the rates beside them. */
import { DAY_MS, DELAY_MS, MINUTE_MS } from "@assay/contract";
import { readBeliefs, readDayPairs, readRateSets, readTicksSince, type Store } from "@assay/db";
import type { MarketEvent } from "@assay/live";
import {
  type DayPair,
  type Fraction,
  fraction,
  type Instrument,
  multiplyExact,
  type PublishedPair,
  type RateSet,
  rateIn,
  utcDay,
} from "@assay/pricing";
import { PriceBoard } from "./price-board.ts";

export type Moment = Extract<MarketEvent, { kind: "moment" }>;

/** How far back ticks are loaded from the store. */
const READ_TICKS_MS = DELAY_MS + 2 * MINUTE_MS;
/** The days whose beginnings are kept: over the longest closure. */
const KEEP_DAYS_MS = 8 * DAY_MS;
/** Above this many, rates that no tick names are dropped: twice those of a quarter of an hour, if they change every ten seconds. */
const MAX_RATE_SETS = 256;

const namedBy = ({ opens, before }: DayPair): number[] => [opens.rateSet, ...(before ? [before.rateSet] : [])];

export class PublishedPrices {
  readonly board = new PriceBoard();
  /** The rates beside the ticks of the board, by number. */
  readonly #rateSets = new Map<number, RateSet>();
  /** How the last days of each instrument began, oldest first. */
  readonly #dayPairs = new Map<string, DayPair>();

  /**
   * Reads what the store has.
   * @param heard what was published since: rates that it names may have been stored before
   */
  static async read(store: Store, nowMs: number, heard: readonly Moment[]): Promise<PublishedPrices> {
    const prices = new PublishedPrices();
    const ticks = await readTicksSince(store, nowMs - READ_TICKS_MS);
    // Read after the ticks: so every withdrawn tick comes with its withdrawal.
    const beliefs = await readBeliefs(store);
    const dayPairs = await readDayPairs(store, utcDay(nowMs - KEEP_DAYS_MS));
    const named = [...ticks, ...heard.flatMap((moment) => moment.ticks)].flatMap(({ rateSet }) => rateSet ?? []);
    const rateSets = await readRateSets(store, [...named, ...dayPairs.flatMap(namedBy)]);
    prices.apply({ ticks, beliefs: [...beliefs.values()], dayPairs, rateSets });
    return prices;
  }

  apply({
    ticks,
    beliefs = [],
    dayPairs = [],
    rateSets = [],
  }: Pick<Moment, "ticks" | "beliefs" | "dayPairs" | "rateSets">): void {
    for (const pair of dayPairs) this.#addDayPair(pair);
    // Belief first, so that no withdrawn tick is served in between.
    for (const state of beliefs) this.board.believe(state);
    for (const tick of ticks) this.board.add(tick);
    for (const set of rateSets) this.#addRateSet(set);
  }

  /** Those that no tick names any more are dropped now and then; the newest may be named by the next. */
  #addRateSet(set: RateSet): void {
    this.#rateSets.set(set.id, set);
    if (this.#rateSets.size <= MAX_RATE_SETS) return;
    const named = this.board.rateSets.add(set.id);
    for (const id of [...this.#dayPairs.values()].flatMap(namedBy)) named.add(id);
    for (const id of this.#rateSets.keys()) if (!named.has(id)) this.#rateSets.delete(id);
  }

  #addDayPair(pair: DayPair): void {
    this.#dayPairs.set(`${pair.instrument} ${pair.day}`, pair);
    const fromDay = utcDay(Date.parse(pair.day) - KEEP_DAYS_MS);
    for (const [name, { day }] of this.#dayPairs) if (day < fromDay) this.#dayPairs.delete(name);
  }

  /** The rates beside a price; undefined when they are not at hand. */
  ratesOf({ rateSet }: { readonly rateSet?: number | undefined }): RateSet | undefined {
    return rateSet === undefined ? undefined : this.#rateSets.get(rateSet);
  }

  /** How a day of an instrument began; null when it is not known. */
  dayPair(instrument: Instrument, day: string): DayPair | null {
    return this.#dayPairs.get(`${instrument} ${day}`) ?? null;
  }

  /** A published price in a currency, exact; null when the rates beside it are not at hand. */
  crossOf(pair: PublishedPair, currency: string): Fraction | null {
    const set = this.ratesOf(pair);
    const rate = set && rateIn(set, currency, pair.atMs, pair.atMs);
    return rate ? multiplyExact(fraction(pair.price), rate) : null;
  }
}

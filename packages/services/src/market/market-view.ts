/** One process's view of the market: prices, rates and bars, loaded from the store once and kept up to date by the bus. */
import { BAR_SYMBOLS, DAY_MS, DELAY_MS, MINUTE_MS } from "@assay/contract";
import { readFxTables, readNewestSettlements, readRateSets, type Store } from "@assay/db";
import type { MarketEvent } from "@assay/live";
import {
  addDays,
  asPublished,
  type BarRow,
  barEnd,
  barSymbolOf,
  type DayPair,
  EMPTY_FX,
  type Fraction,
  type FxObservation,
  type FxRate,
  type FxState,
  fxRate,
  type Instrument,
  isGrown,
  type PriceSymbol,
  type PublishedPair,
  pastRate,
  productOf,
  type RateSet,
  REFERENCE_SERVES_MS,
  rateIn,
  retainFx,
  type SettlementRow,
  type Staleness,
  type StandingPrice,
  staleness,
  standingPrice,
  type Tick,
  utcDay,
  withFx,
} from "@assay/pricing";
import { BarBook } from "./bar-book.ts";
import { CloseBook } from "./close-book.ts";
import { CrossBook } from "./cross-book.ts";
import { Followed } from "./followed.ts";
import { MarketHours } from "./market-hours.ts";
import { type PastPrice, type PastQuestion, pastPrice } from "./past-price.ts";
import type { PriceBoard } from "./price-board.ts";
import { type Moment, PublishedPrices } from "./published-prices.ts";
import { RatioBook } from "./ratio-book.ts";
import { SettlementBook } from "./settlement-book.ts";
import { SettlementYears } from "./settlement-years.ts";

/** Rates are kept a little longer than the delay, so that a delayed price finds the rate of its instant. */
const KEEP_FX_MS = DELAY_MS + 5 * 60_000;
/** Contracts that settled within this many days are kept; the others have expired. */
const READ_SETTLEMENTS_DAYS = 400;

export interface PastStanding extends PastPrice {
  /** Null when none is known. */
  readonly rate: FxRate | null;
  readonly stale: Staleness;
}

/** A symbol at an instant: its price, the rate it is converted with (null when unknown), and whether the rate is stale. */
export interface Standing {
  readonly price: StandingPrice | null;
  readonly rate: FxRate | null;
  readonly stale: Staleness;
}

export class MarketView {
  readonly bars: BarBook;
  readonly ratios: RatioBook;
  readonly crosses: CrossBook;
  readonly settlements = new SettlementBook();
  readonly settlementYears: SettlementYears;
  readonly #closes: CloseBook;
  readonly #published = new Followed<PublishedPrices, Moment>(new PublishedPrices(), (prices, moment) => prices.apply(moment));
  readonly #store: Store;
  readonly #hours: MarketHours;
  #fx: FxState = EMPTY_FX;
  #version = 0;

  /** @param options.keepsHours whether the market ever closes: false for a simulated market that never does */
  constructor(options: { store: Store; keepsHours: boolean }) {
    this.#store = options.store;
    this.#hours = new MarketHours(options.keepsHours);
    this.bars = new BarBook(options.store);
    this.#closes = new CloseBook(options.store);
    this.ratios = new RatioBook(options.store, this.#closes);
    this.crosses = new CrossBook(options.store, this.#closes);
    this.settlementYears = new SettlementYears(options.store, this.settlements);
  }

  /** Increases with every change of a rate or a stored bar; anything derived from them before is out of date. */
  get version(): number {
    return this.#version;
  }

  /** Loads what answers need: recent ticks, rates and settlements, forming bars and the last day's minutes. */
  async load(nowMs: number): Promise<void> {
    await this.#published.load((heard) => PublishedPrices.read(this.#store, nowMs, heard));
    for (const table of await readFxTables(this.#store, nowMs - KEEP_FX_MS)) this.#addFx(table);
    await this.reloadSettlements(nowMs);
    await this.bars.load(BAR_SYMBOLS, nowMs);
    await this.bars.loadGaps();
    this.#version += 1;
  }

  /** Reloads everything, because events were missed. */
  async refresh(nowMs: number): Promise<void> {
    this.bars.forget();
    this.#closes.forget();
    this.crosses.forget();
    await this.load(nowMs);
  }

  apply(event: MarketEvent): void {
    if (event.kind !== "moment") return;
    for (const table of event.fx) this.#addFx(table);
    this.bars.apply(event.bars, event.revision);
    this.#closes.apply(event.bars, event.revision);
    this.crosses.apply(event.fx);
    if (event.settlements?.length) this.#addSettlements(event.settlements);
    this.#published.apply(event);
    if (event.fx.length > 0) {
      this.#fx = retainFx(this.#fx, event.atMs - KEEP_FX_MS);
      this.#version += 1;
    }
  }

  get #board(): PriceBoard {
    return this.#published.now.board;
  }

  /** See `PublishedPrices.dayPair`. */
  dayPair(instrument: Instrument, day: string): DayPair | null {
    return this.#published.now.dayPair(instrument, day);
  }

  /** See `PublishedPrices.crossOf`. */
  crossOf(pair: PublishedPair, currency: string): Fraction | null {
    return this.#published.now.crossOf(pair, currency);
  }

  #addFx(table: FxObservation): void {
    this.#fx = withFx(this.#fx, table);
  }

  /** Reloads what was filled in of the past. */
  async reloadHistory(): Promise<void> {
    this.#closes.forget();
    this.crosses.forget();
    await this.bars.loadGaps();
    this.#version += 1;
  }

  /** Reloads the newest settlements. */
  async reloadSettlements(nowMs: number): Promise<void> {
    this.#addSettlements(await readNewestSettlements(this.#store, addDays(utcDay(nowMs), -READ_SETTLEMENTS_DAYS)));
  }

  #addSettlements(rows: readonly SettlementRow[]): void {
    this.settlements.apply(rows);
    this.settlementYears.forget();
  }

  /** Reloads a series after its stored bars were replaced. */
  async reload(symbol: string, nowMs: number): Promise<void> {
    this.#closes.forget(symbol);
    await this.bars.reload(symbol, nowMs);
    this.#version += 1;
  }

  /** Instruments whose published price is unconfirmed; a last close or a settlement shown in its place does not count. */
  unconfirmed(atMs: number): Instrument[] {
    return this.#board.unconfirmed().filter((instrument) => {
      const basis = this.priceAt(instrument, atMs)?.basis;
      return basis === "primary" || basis === "council";
    });
  }

  /** Whether a metal has no fresh price at an instant although the market is open. */
  isMissing(instrument: Instrument, atMs: number): boolean {
    return this.isOpen(atMs) && atMs > (this.priceAt(instrument, atMs)?.freshUntilMs ?? Number.NEGATIVE_INFINITY);
  }

  /** The price at an instant; null when there was none yet, or when it has since been withdrawn. */
  tickAt(instrument: Instrument, atMs: number): Tick | null {
    return this.#board.at(instrument, atMs);
  }

  /** See `PriceBoard.heardAt`. */
  heardAt(instrument: Instrument, atMs: number): ReturnType<PriceBoard["heardAt"]> {
    return this.#board.heardAt(instrument, atMs);
  }

  /** Runs of its ticks that are not shown, both ends inclusive. */
  hiddenRuns(instrument: Instrument): readonly { readonly fromSeq: number; readonly toSeq: number }[] {
    const state = this.#board.beliefIn(instrument);
    const hidden = state?.hidden && state.probation ? [{ ...state.probation, toSeq: Number.MAX_SAFE_INTEGER }] : [];
    return [...(state?.withdrawn ?? []), ...hidden];
  }

  /**
   * The effective price at an instant, which every answer is based on: the newest of the published price, the front contract's
   * settlement and, while the market is closed, the last close. The same object until it changes.
   * @returns null when no price was known yet
   */
  priceAt(instrument: Instrument, atMs: number): StandingPrice | null {
    const tick = this.tickAt(instrument, atMs);
    const product = productOf(instrument);
    const settlement = product ? this.settlements.nearestAt(product, atMs, tick?.computedAtMs) : null;
    return standingPrice({ tick, settlement, close: this.#lastClose(instrument, tick, atMs) });
  }

  /**
   * A symbol as it stood at a past instant. A published price has the rate that was committed with it, as it had then; any other,
   * and every day, the daily reference.
   * @returns null when nothing was known that early
   */
  async pastStandingOf(
    { instrument, currency }: Pick<PriceSymbol, "instrument" | "currency">,
    { atMs, reach }: Pick<PastQuestion, "atMs" | "reach">,
  ): Promise<PastStanding | null> {
    const { open, sinceMs } = this.#hours.past(atMs);
    const belief = this.#board.beliefIn(instrument);
    const past = await pastPrice(this.#store, belief, { instrument, atMs, reach, closedSinceMs: open ? null : sinceMs });
    if (!past) return null;
    const { price, basis } = past;
    const set = reach === "day" ? undefined : await this.#storedRates(price);
    if (set) {
      const rate = rateIn(set, currency, price.computedAtMs, atMs);
      return { ...past, rate, stale: staleness(price, rate, atMs, open) };
    }
    const dayMs = Math.floor((reach === "day" ? atMs - 1 : atMs) / DAY_MS) * DAY_MS;
    const tables = await this.crosses.referencesFor(dayMs);
    const rate = asPublished(pastRate(tables, currency, { atMs, dayMs: reach === "day" ? dayMs : null }));
    // A bar says how wide it is, and is silent once it is as old as a rate may be.
    const isWide = basis !== "tick" && basis !== "settlement" && open && atMs - price.computedAtMs <= REFERENCE_SERVES_MS;
    const stale = isWide ? { isStale: false as const } : staleness(price, { role: "peg", isStale: false }, atMs, open);
    return { ...past, rate, stale };
  }

  /** Those of recent ticks are at hand. */
  async #storedRates(price: Pick<PastPrice["price"], "rateSet">): Promise<RateSet | undefined> {
    if (price.rateSet === undefined) return undefined;
    return this.#published.now.ratesOf(price) ?? (await readRateSets(this.#store, [price.rateSet]))[0];
  }

  /**
   * The last close before the market closed; null while it is open, and when no bar can have started after a price from primary
   * sources.
   */
  #lastClose(instrument: Instrument, tick: Tick | null, atMs: number): BarRow | null {
    const isFresh = tick?.basis === "primary" && atMs <= tick.freshUntilMs;
    const closedAtMs = isFresh ? null : this.closedSinceMs(atMs);
    if (closedAtMs === null) return null;
    if (tick?.basis === "primary" && tick.computedAtMs >= closedAtMs - MINUTE_MS) return null;
    const hiddenMs = this.#board.hiddenSinceMs(instrument) ?? Number.POSITIVE_INFINITY;
    // Bars built from hidden ticks are hidden too.
    const isShown = (bar: BarRow): boolean => barEnd(bar) <= hiddenMs || !isGrown(bar);
    return this.bars.recent.lastBefore(barSymbolOf(instrument), closedAtMs, atMs, isShown);
  }

  standingOf({ instrument, currency }: Pick<PriceSymbol, "instrument" | "currency">, atMs: number): Standing {
    const price = this.priceAt(instrument, atMs);
    const rate = this.#rateBeside(price, currency, atMs);
    return { price, rate, stale: staleness(price, rate, atMs, this.isOpen(atMs)) };
  }

  /**
   * The rate of a price in a currency. It stands as long as the price does: that which was committed with the tick; of a close the
   * reference that had been published by then. Beside ticks of an earlier version's writer, and settlements, it is that of the
   * instant.
   */
  #rateBeside(price: StandingPrice | null, currency: string, atMs: number): FxRate | null {
    const set = price && this.#published.now.ratesOf(price);
    if (price && set) return rateIn(set, currency, price.computedAtMs, atMs);
    const ofClose =
      price?.basis === "close" ? pastRate(this.#fx.reference, currency, { atMs: price.computedAtMs, dayMs: null }) : null;
    return asPublished(ofClose ?? this.fxRate(currency, atMs));
  }

  newestTicks(): Tick[] {
    return this.#board.newest();
  }

  /** Units of a currency for one USD, as known at an instant: for what has no metal in it. */
  fxRate(currency: string, atMs: number): FxRate | null {
    return fxRate(this.#fx, currency, atMs);
  }

  isOpen(atMs: number): boolean {
    return this.#hours.at(atMs).open;
  }

  /** See `MarketHours.closedSinceMs`. */
  closedSinceMs(atMs: number): number | null {
    return this.#hours.closedSinceMs(atMs);
  }

  /** See `MarketHours.nextChangeMs`. */
  nextChangeMs(atMs: number): number | null {
    return this.#hours.nextChangeMs(atMs);
  }
}

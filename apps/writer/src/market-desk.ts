/** The writer's desk: takes readings in, holds them to the rules, and composes what they change into a moment. */

import type { DecimalText } from "@assay/contract";
import type { Moment } from "@assay/db";
import type { Judgement } from "@assay/feeds";
import {
  BAR_SYMBOL_OF,
  type BarRow,
  compose,
  EMPTY_FX,
  type FxObservation,
  type FxRate,
  type FxState,
  fxRate,
  INSTRUMENTS,
  type Instrument,
  isSameTable,
  nextChangeMs,
  type PriceObservation,
  retainFx,
  type SettlementRow,
  type SourceInfo,
  type SpotObservation,
  settlementRowOf,
  type Tick,
  validateBar,
  validateFx,
  validateSettlement,
  validateSpot,
  withFx,
} from "@assay/pricing";
import { type BarKeeper, barOf } from "./bar-keeper.ts";
import { ReportedFigures } from "./reported-figures.ts";

/** Rates older than this serve nobody: delayed callers look 15 minutes back. */
const KEEP_FX_MS = 30 * 60_000;

/** Sources of one metal never differ by a fifth: beyond that one of them is wrong, and nobody knows which. */
const MAX_DIVERGENCE_BPS = 2_000;

/** What the desk is set up with. */
export interface DeskOptions {
  readonly sources: ReadonlyMap<string, SourceInfo>;
  readonly bars: BarKeeper;
  /** The last published sequence number of each instrument. */
  readonly seqs: ReadonlyMap<Instrument, number>;
  /** Whether the market trades at an instant; bars grow only while it does. */
  readonly isOpen: (atMs: number) => boolean;
  /** The last published price of each instrument; none when nothing was published yet. */
  readonly prices?: ReadonlyMap<Instrument, DecimalText>;
  /** Currency tables taken in earlier, which readings are compared with from the first one on. */
  readonly fx?: readonly FxObservation[];
}

/** Whether a moment holds anything to write. */
export const isEmpty = ({ ticks, bars, fx, settlements = [] }: Moment): boolean =>
  ticks.length + bars.length + fx.length + settlements.length === 0;

/** Composes moments from readings. */
export class MarketDesk {
  readonly #sources: ReadonlyMap<string, SourceInfo>;
  readonly #bars: BarKeeper;
  readonly #seqs: Map<Instrument, number>;
  readonly #isOpen: (atMs: number) => boolean;
  readonly #latest = new Map<string, SpotObservation>();
  readonly #sinceLastTick = new Map<Instrument, SpotObservation[]>();
  readonly #nextChange = new Map<Instrument, number>();
  readonly #reported = new ReportedFigures();
  readonly #prices: Map<Instrument, DecimalText>;
  #fx: FxState;

  constructor(options: DeskOptions) {
    this.#sources = options.sources;
    this.#bars = options.bars;
    this.#seqs = new Map(options.seqs);
    this.#isOpen = options.isOpen;
    this.#prices = new Map(options.prices);
    this.#fx = (options.fx ?? []).reduce(withFx, EMPTY_FX);
  }

  /** Holds a reading to the rules, against what the desk knows. */
  judge(observation: PriceObservation, nowMs: number): Judgement {
    if (observation.kind === "spot") {
      return validateSpot(observation, { nowMs, latestBySource: [...this.#latest.values()], sources: this.#sources });
    }
    if (observation.kind === "bar") return validateBar(observation, nowMs);
    if (observation.kind === "settlement") return validateSettlement(observation, nowMs);
    const verdict = validateFx(observation, nowMs, this.#fx);
    if (!verdict.ok) return verdict;
    const refused = verdict.refused.map(({ currency, rule, detail }) => ({ rule, detail: `${currency}: ${detail}` }));
    return { ok: true, observation: verdict.table, refused };
  }

  /** The last price of an instrument, in USD per its unit; null before the first. */
  priceOf(instrument: Instrument): DecimalText | null {
    return this.#prices.get(instrument) ?? null;
  }

  /** Units of a currency for one USD, as known at an instant. */
  rateOf(currency: string, atMs: number): FxRate | null {
    return fxRate(this.#fx, currency, atMs);
  }

  /** When a price next changes of itself, because a source falls out of its freshness window; Infinity for never. */
  get nextChangeMs(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#nextChange.values());
  }

  /**
   * Takes accepted readings in and composes what they change.
   * @param observations readings of one moment
   * @param atMs the moment
   * @param options.grows false while the bars of this time are made otherwise
   * @returns the ticks, bars and rates to be written; empty when nothing is new
   */
  take(observations: readonly PriceObservation[], atMs: number, { grows = true } = {}): Moment {
    const touched = new Set<Instrument>();
    const bars: BarRow[] = [];
    const fx: FxObservation[] = [];
    const settlements: SettlementRow[] = [];
    for (const observation of observations) {
      if (observation.kind === "spot") {
        if (this.#takeSpot(observation) && this.#moves(observation, atMs)) touched.add(observation.instrument);
      } else if (observation.kind === "fx") {
        if (!this.#fx[observation.role].some((held) => isSameTable(held, observation))) {
          this.#fx = retainFx(withFx(this.#fx, observation), atMs - KEEP_FX_MS);
          fx.push(observation);
        }
      } else if (observation.kind === "settlement") {
        if (this.#reported.isNew(observation)) settlements.push(settlementRowOf(observation, atMs));
      } else if (this.#reported.isNew(observation)) {
        bars.push(this.#bars.report(barOf(observation, atMs)));
      }
    }
    for (const instrument of INSTRUMENTS) {
      if ((this.#nextChange.get(instrument) ?? Number.POSITIVE_INFINITY) <= atMs) touched.add(instrument);
    }
    const ticks = [...touched].flatMap((instrument) => this.#compose(instrument, atMs) ?? []);
    const reported = settlements.length > 0 ? { settlements } : {};
    if (!grows) return { ticks, bars, fx, ...reported };
    for (const tick of ticks) {
      // A council rate is a day's figure, not a trade: it makes a price and no bar.
      if (tick.basis === "primary" && this.#isOpen(atMs))
        bars.push(...this.#bars.take(BAR_SYMBOL_OF[tick.instrument], tick, atMs));
    }
    bars.push(...this.#bars.closeDue(atMs));
    return { ticks, bars, fx, ...reported };
  }

  /** Takes in readings whose moment was written before, so that later ones find what they are compared with. */
  learn(observations: readonly PriceObservation[], atMs: number): void {
    for (const observation of observations) {
      if (observation.kind === "spot" && this.#takeSpot(observation)) this.#watch(observation.instrument, atMs);
      else if (observation.kind === "fx") this.#fx = withFx(this.#fx, observation);
    }
    this.#sinceLastTick.clear();
  }

  /** Whether a reading is a reason to publish: what only stands beside a price is none once the price's own market has closed. */
  #moves({ source }: SpotObservation, atMs: number): boolean {
    return this.#sources.get(source)?.role !== "informational" || this.#isOpen(atMs);
  }

  /** The latest reading of each source of an instrument. */
  #readingsOf(instrument: Instrument): SpotObservation[] {
    return [...this.#latest.values()].filter((observation) => observation.instrument === instrument);
  }

  /** Notes when an instrument's price next changes of itself. */
  #watch(instrument: Instrument, atMs: number): void {
    const next = nextChangeMs(instrument, this.#readingsOf(instrument), this.#sources, atMs);
    if (next === null) this.#nextChange.delete(instrument);
    else this.#nextChange.set(instrument, next);
  }

  /** Keeps a reading unless it only repeats the one before. */
  #takeSpot(observation: SpotObservation): boolean {
    const name = `${observation.source} ${observation.instrument}`;
    const before = this.#latest.get(name);
    if (before && observation.observedAtMs < before.observedAtMs) return false;
    const repeats =
      before?.observedAtMs === observation.observedAtMs &&
      before.price === observation.price &&
      before.bid === observation.bid &&
      before.ask === observation.ask;
    if (repeats) return false;
    this.#latest.set(name, observation);
    const taken = this.#sinceLastTick.get(observation.instrument);
    if (taken) taken.push(observation);
    else this.#sinceLastTick.set(observation.instrument, [observation]);
    return true;
  }

  /** The price that the readings make at an instant, told or not; null while there is none. */
  priceAt(instrument: Instrument, atMs: number): DecimalText | null {
    const price = compose(instrument, this.#readingsOf(instrument), this.#sources, atMs);
    return price && (price.divergenceBps ?? 0) <= MAX_DIVERGENCE_BPS ? price.price : null;
  }

  #compose(instrument: Instrument, atMs: number): Tick | null {
    const price = compose(instrument, this.#readingsOf(instrument), this.#sources, atMs, this.#sinceLastTick.get(instrument));
    this.#watch(instrument, atMs);
    if (!price) return null;
    // Two sources that are worlds apart when nothing else is known, as a slip of the unit at a cold start: no price beats a wrong one.
    if ((price.divergenceBps ?? 0) > MAX_DIVERGENCE_BPS) return null;
    // Over a weekend the last price stands, stale; a day's council rate would only move it backwards.
    if (price.basis === "council" && !this.#isOpen(atMs) && this.#seqs.has(instrument)) return null;
    this.#sinceLastTick.delete(instrument);
    const seq = (this.#seqs.get(instrument) ?? 0) + 1;
    this.#seqs.set(instrument, seq);
    this.#prices.set(instrument, price.price);
    return { ...price, seq };
  }
}

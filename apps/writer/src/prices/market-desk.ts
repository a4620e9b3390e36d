/** The writer's price and rate desk: applies readings, checks them against the rules, and composes the changes into a moment. */
import type { DecimalText } from "@assay/contract";
import type { Moment } from "@assay/db";
import type { Judgement } from "@assay/feeds";
import {
  type BarObservation,
  type BarRow,
  type DayPair,
  EMPTY_FX,
  type FxObservation,
  type FxRate,
  type FxState,
  fxRate,
  type Instrument,
  type JudgedTick,
  type PriceObservation,
  pairOf,
  type RateSet,
  repeatsTable,
  retainFx,
  type SettlementObservation,
  type SettlementRow,
  type SourceInfo,
  type SpotObservation,
  settlementKey,
  settlementRowOf,
  type Tick,
  utcDay,
  validateBar,
  validateFx,
  validateSettlement,
  validateSpot,
  withFx,
} from "@assay/pricing";
import { type BarKeeper, barOf } from "../bars/bar-keeper.ts";
import { type BarUndo, PriceDesk, type PriceDeskOptions } from "./price-desk.ts";
import { RateKeeper } from "./rate-keeper.ts";

type Reported = BarObservation | SettlementObservation;

/** The most names kept; beyond that the oldest are dropped, and a repeat is written once more, which is harmless. */
const MAX_NAMES = 50_000;

const nameOf = (reported: Reported): string =>
  reported.kind === "bar"
    ? `${reported.source} ${reported.symbol} ${reported.interval} ${reported.barStartMs}`
    : settlementKey(reported);

const figuresOf = (reported: Reported): string => {
  if (reported.kind === "settlement") {
    const { price, volume, openInterest } = reported;
    return `${price} ${volume} ${openInterest}`;
  }
  const { open, high, low, close, volume } = reported;
  return `${open} ${high} ${low} ${close} ${volume}`;
};

/** The last figures each source reported, so that repeats are not written and published again. */
class ReportedFigures {
  readonly #last = new Map<string, string>();

  /** Whether a reading differs from its source's last. */
  isNew(reported: Reported): boolean {
    const name = nameOf(reported);
    const figures = figuresOf(reported);
    if (this.#last.get(name) === figures) return false;
    this.#last.delete(name);
    this.#last.set(name, figures);
    if (this.#last.size > MAX_NAMES)
      for (const oldest of [...this.#last.keys()].slice(0, MAX_NAMES / 2)) this.#last.delete(oldest);
    return true;
  }
}

/** Older rates are useless: delayed callers look 15 minutes back. */
const KEEP_FX_MS = 30 * 60_000;

interface DeskOptions extends PriceDeskOptions {
  /** Currency tables received earlier, against which the first readings are checked. */
  readonly fx?: readonly FxObservation[];
  /** The rates beside recent ticks, oldest first. */
  readonly rateSets?: readonly RateSet[];
  /** The newest ticks of the last term. */
  readonly newest?: readonly Tick[];
}

export const isEmpty = ({ ticks, bars, fx, settlements = [], beliefs = [], undo = [] }: PriceMoment): boolean =>
  ticks.length + bars.length + fx.length + settlements.length + beliefs.length + undo.length === 0;

/** A moment, and the bars to withdraw before it is written. */
export interface PriceMoment extends Moment {
  readonly undo?: readonly BarUndo[];
}

export class MarketDesk {
  readonly prices: PriceDesk;
  readonly #sources: ReadonlyMap<string, SourceInfo>;
  readonly #bars: BarKeeper;
  readonly #reported = new ReportedFigures();
  readonly #isOpen: (atMs: number) => boolean;
  readonly #rates: RateKeeper;
  /** The last tick of each instrument that counts for its day. */
  readonly #counted = new Map<Instrument, Tick>();
  #fx: FxState;

  constructor(options: DeskOptions) {
    this.prices = new PriceDesk(options);
    this.#sources = options.sources;
    this.#bars = options.bars;
    this.#isOpen = options.isOpen;
    this.#rates = new RateKeeper(options.rateSets ?? []);
    for (const tick of options.newest ?? []) if (this.#counts(tick)) this.#counted.set(tick.instrument, tick);
    this.#fx = (options.fx ?? []).reduce(withFx, EMPTY_FX);
  }

  /** Checks a reading against the rules and the desk's current state. */
  judge(observation: PriceObservation, nowMs: number, { doubts = true } = {}): Judgement {
    if (observation.kind === "spot") {
      const verdict = validateSpot(observation, { nowMs, sources: this.#sources });
      const doubted = verdict.ok && doubts ? this.prices.doubt(observation, nowMs) : null;
      return doubted ? { ok: true, doubted } : verdict;
    }
    if (observation.kind === "bar") return validateBar(observation, nowMs);
    if (observation.kind === "settlement") return validateSettlement(observation, nowMs);
    const verdict = validateFx(observation, nowMs, this.#fx);
    if (!verdict.ok) return verdict;
    const refused = verdict.refused.map(({ currency, rule, detail }) => ({ rule, detail: `${currency}: ${detail}` }));
    return { ok: true, observation: verdict.table, refused };
  }

  /** The last price of an instrument, in USD per its unit; null before the first, and after it was withdrawn. */
  priceOf(instrument: Instrument): DecimalText | null {
    return this.prices.priceOf(instrument);
  }

  /** The price composed from the readings at an instant, published or not; null while none is believed. */
  priceAt(instrument: Instrument, atMs: number): DecimalText | null {
    return this.prices.priceAt(instrument, atMs);
  }

  /** Units of a currency for one USD, as known at an instant. */
  rateOf(currency: string, atMs: number): FxRate | null {
    return fxRate(this.#fx, currency, atMs);
  }

  /** Units of a currency for one USD beside a tick; its freshness is that of an instant. */
  rateBeside(tick: JudgedTick, currency: string, atMs: number): FxRate | null {
    return this.#rates.beside(this.#fx, tick, currency, atMs);
  }

  /** When a price next changes by itself: a source becomes stale, a wait ends; Infinity for never. */
  get nextChangeMs(): number {
    return this.prices.nextChangeMs;
  }

  /**
   * Applies accepted readings and composes what they change.
   * @param observations readings of one instant
   * @param options.grows false while the bars and settlements of this time come from elsewhere
   * @returns the ticks, bars and rates to be written; empty when nothing changed
   */
  take(observations: readonly PriceObservation[], atMs: number, { grows = true } = {}): PriceMoment {
    const touched = new Set<Instrument>();
    const bars: BarRow[] = [];
    const fx: FxObservation[] = [];
    const settlements: SettlementRow[] = [];
    for (const observation of observations) {
      if (observation.kind === "spot") {
        if (this.prices.put(observation) && this.#moves(observation, atMs)) touched.add(observation.instrument);
      } else if (observation.kind === "fx") {
        if (!this.#fx[observation.role].some((held) => repeatsTable(observation, held))) {
          this.#fx = retainFx(withFx(this.#fx, observation), atMs - KEEP_FX_MS);
          fx.push(observation);
        }
      } else if (observation.kind === "settlement") {
        if (grows && this.#reported.isNew(observation)) settlements.push(settlementRowOf(observation, atMs));
      } else if (grows && this.#reported.isNew(observation)) {
        bars.push(this.#bars.report(barOf(observation, atMs)));
      }
    }
    for (const instrument of this.prices.due(atMs)) touched.add(instrument);
    const steps = [...touched].map((instrument) => this.prices.step(instrument, atMs, grows));
    for (const step of steps) bars.push(...step.bars);
    if (grows) bars.push(...this.#bars.closeDue(atMs));
    const beliefs = steps.flatMap(({ belief }) => belief ?? []);
    const undo = steps.flatMap((step) => step.undo ?? []);
    const priced = steps.flatMap(({ tick }) => tick ?? []);
    const rates = priced.length > 0 ? this.#rates.at(this.#fx, atMs) : null;
    const ticks = rates ? priced.map((tick) => ({ ...tick, rateSet: rates.set.id })) : priced;
    const dayPairs = ticks.flatMap((tick) => this.#count(tick) ?? []);
    return {
      ticks,
      bars,
      fx,
      ...(rates?.isNew && { rateSets: [rates.set] }),
      ...(dayPairs.length > 0 && { dayPairs }),
      ...(settlements.length > 0 && { settlements }),
      ...(beliefs.length > 0 && { beliefs }),
      ...(undo.length > 0 && { undo }),
    };
  }

  /** Whether a tick is a price of its day, as bars have it. */
  #counts({ basis, computedAtMs }: Tick): boolean {
    return basis === "primary" && this.#isOpen(computedAtMs);
  }

  /** Counts a tick for its day; returns how the day began when it is the first. */
  #count(tick: Tick): DayPair | null {
    if (!this.#counts(tick)) return null;
    const { instrument, computedAtMs } = tick;
    const last = this.#counted.get(instrument);
    this.#counted.set(instrument, tick);
    const day = utcDay(computedAtMs);
    const opens = pairOf(tick);
    if (!opens || (last && utcDay(last.computedAtMs) >= day)) return null;
    return { instrument, day, opens, before: last ? pairOf(last) : null };
  }

  /** Applies readings whose moment was written before, so that later ones can be compared with them. */
  learn(observations: readonly PriceObservation[], atMs: number): void {
    for (const observation of observations) {
      if (observation.kind === "spot" && this.prices.put(observation)) this.prices.watch(observation.instrument, atMs);
      else if (observation.kind === "fx") this.#fx = withFx(this.#fx, observation);
    }
    this.prices.forgetVolumes();
  }

  /** Whether a reading is a reason to publish: a secondary one is not once the price's own market has closed. */
  #moves({ source }: SpotObservation, atMs: number): boolean {
    return this.#sources.get(source)?.role !== "informational" || this.#isOpen(atMs);
  }
}

/** Prices from readings: believed ones become ticks, and wrong ones are withdrawn with the bars they built. */
import type { DecimalText } from "@assay/contract";
import type { Refused } from "@assay/feeds";
import {
  addVolume,
  type BarRow,
  type Belief,
  type BeliefState,
  bandBps,
  barSymbolOf,
  compose,
  type Instrument,
  isSamePrice,
  isWorthStoring,
  type Probation,
  type SourceInfo,
  type SpotObservation,
  type SpotPrice,
  type Tick,
  takeVerdict,
  type WithdrawnRun,
  withDoubts,
} from "@assay/pricing";
import type { BarKeeper } from "../bars/bar-keeper.ts";
import { Beliefs, type RefuseReading } from "./beliefs.ts";

export interface PriceDeskOptions {
  readonly sources: ReadonlyMap<string, SourceInfo>;
  readonly bars: BarKeeper;
  /** The last published sequence number of each instrument. */
  readonly seqs: ReadonlyMap<Instrument, number>;
  /** Whether the market is open at an instant; bars grow only while it is. */
  readonly isOpen: (atMs: number) => boolean;
  /** The last published tick of each instrument that is shown; empty when nothing was published yet. */
  readonly ticks?: readonly Tick[];
  /** The beliefs at the end of the last term. */
  readonly beliefs?: ReadonlyMap<Instrument, BeliefState>;
  /** Called with readings that turn out not to be believed. */
  readonly refuse?: RefuseReading;
}

/** A run of ticks to withdraw from the bars. */
export interface BarUndo extends WithdrawnRun {
  readonly instrument: Instrument;
  readonly symbol: string;
  readonly fromSeq: number;
  /** The number of the first tick after it. */
  readonly untilSeq: number;
}

/** The result for one instrument. */
interface PriceStep {
  readonly tick: Tick | null;
  readonly bars: readonly BarRow[];
  readonly undo: BarUndo | null;
  readonly belief: BeliefState | null;
}

type Believed = Extract<Belief, { readonly verdict: "confirmed" | "unconfirmed" }>;

interface HeldPrice {
  readonly atMs: number;
  readonly price: DecimalText;
}

/** Prices of a cold start, kept for the bars while it waits. */
const MAX_HELD = 200;

const NOTHING: PriceStep = { tick: null, bars: [], undo: null, belief: null };

export class PriceDesk {
  readonly beliefs: Beliefs;
  readonly #options: PriceDeskOptions;
  readonly #seqs: Map<Instrument, number>;
  /** The last one of each instrument; none while it is hidden. */
  readonly #ticks: Map<Instrument, Tick>;
  readonly #stored: Map<Instrument, BeliefState>;
  readonly #nextChange = new Map<Instrument, number>();
  readonly #volumes = new Map<Instrument, Map<string, SpotObservation>>();
  readonly #held = new Map<Instrument, HeldPrice[]>();

  constructor(options: PriceDeskOptions) {
    this.#options = options;
    this.#seqs = new Map(options.seqs);
    this.#ticks = new Map(options.ticks?.map((tick) => [tick.instrument, tick]));
    this.#stored = new Map(options.beliefs);
    this.beliefs = new Beliefs(options.sources, options.beliefs ?? new Map(), options.refuse);
  }

  /** The last published price; null before the first, and after it was withdrawn. */
  priceOf(instrument: Instrument): DecimalText | null {
    return this.#ticks.get(instrument)?.price ?? null;
  }

  /** The price composed from the readings at an instant, published or not; null while none is believed. */
  priceAt(instrument: Instrument, atMs: number): DecimalText | null {
    const belief = this.beliefs.at(instrument, atMs);
    if (belief.verdict !== "confirmed" && belief.verdict !== "unconfirmed") return null;
    return compose(instrument, belief.believed, this.#options.sources, atMs)?.price ?? null;
  }

  /** Why a reading would not be believed; null when it would be. */
  doubt(observation: SpotObservation, nowMs: number): Refused | null {
    return this.beliefs.doubt(observation, nowMs);
  }

  /** Adds a reading unless it only repeats the last one. */
  put(observation: SpotObservation): boolean {
    if (!this.beliefs.put(observation)) return false;
    if (observation.volume === undefined) return true;
    // Volume accumulates until the next tick, across readings.
    const { instrument, source } = observation;
    const volumes = this.#volumes.get(instrument) ?? new Map<string, SpotObservation>();
    this.#volumes.set(instrument, volumes);
    const volume = addVolume(volumes.get(source)?.volume ?? null, observation.volume);
    volumes.set(source, volume === null ? observation : { ...observation, volume });
    return true;
  }

  /** Discards the volume so far: an earlier term counted it. */
  forgetVolumes(): void {
    this.#volumes.clear();
  }

  /** When a verdict next changes by itself; Infinity for never. */
  get nextChangeMs(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#nextChange.values());
  }

  /** The instruments whose verdict has changed by itself by an instant. */
  due(atMs: number): Instrument[] {
    return [...this.#nextChange].flatMap(([instrument, dueMs]) => (dueMs <= atMs ? [instrument] : []));
  }

  /** Schedules when an instrument's verdict next changes by itself. */
  watch(instrument: Instrument, atMs: number): void {
    const next = this.beliefs.nextChangeMs(instrument, atMs);
    if (next === null) this.#nextChange.delete(instrument);
    else this.#nextChange.set(instrument, next);
  }

  /** Schedules a new verdict of an instrument for the next moment. */
  wake(instrument: Instrument, atMs: number): void {
    this.#nextChange.set(instrument, atMs);
  }

  /**
   * Computes the verdict of an instrument, and from it a tick or nothing.
   * @param grows false while the bars of this time come from elsewhere
   */
  step(instrument: Instrument, atMs: number, grows: boolean): PriceStep {
    const belief = this.beliefs.verdict(instrument, atMs);
    this.watch(instrument, atMs);
    if (belief.verdict === "waiting") {
      if (belief.price !== null) this.#hold(instrument, { atMs, price: belief.price });
      return NOTHING;
    }
    const step = this.#decided(instrument, belief, atMs, grows);
    // The wait is over, whatever came of it: what was said in it proves nothing later.
    this.#held.delete(instrument);
    return step;
  }

  #decided(instrument: Instrument, belief: Exclude<Belief, { verdict: "waiting" }>, atMs: number, grows: boolean): PriceStep {
    const isBelieved = belief.verdict === "confirmed" || belief.verdict === "unconfirmed";
    const composed = isBelieved ? this.#composed(instrument, belief, atMs) : null;
    if (isBelieved && !composed) return this.#contradicted(instrument, belief, atMs);

    const seq = (this.#seqs.get(instrument) ?? 0) + 1;
    const { state, publishes, withdraws, begins } = takeVerdict(this.beliefs.of(instrument), belief, seq, atMs);
    const symbol = barSymbolOf(instrument);
    const { bars: keeper } = this.#options;
    const bars: BarRow[] = withdraws ? keeper.restoreTo(symbol, withdraws.fromSeq, withdraws.bars, atMs) : [];
    const undo = withdraws && {
      instrument,
      symbol,
      sourceId: keeper.sourceId,
      kept: withdraws.bars,
      fromSeq: withdraws.fromSeq,
      fromMs: withdraws.fromMs,
      untilSeq: seq,
    };
    const held = publishes && composed && grows ? this.#provenBy(composed) : [];
    const kept = begins && state.probation ? { ...state, probation: this.#run(state.probation, symbol, held) } : state;
    const changed = this.#keep(publishes ? kept : this.#doubted(kept, belief, atMs));
    if (!publishes || !composed) return { ...NOTHING, bars, undo, belief: changed };

    this.#seqs.set(instrument, seq);
    this.#volumes.delete(instrument);
    const tick: Tick = { ...composed, seq };
    this.#ticks.set(instrument, tick);
    if (grows) bars.push(...this.#grow(tick, held));
    return { tick, bars, undo, belief: changed };
  }

  #composed(instrument: Instrument, { believed, refused }: Believed, atMs: number): SpotPrice | null {
    const since = [...(this.#volumes.get(instrument)?.values() ?? [])];
    const known = this.beliefs.known(instrument, refused);
    const price = compose(instrument, believed, this.#options.sources, atMs, since, known);
    // Over a weekend the last price stays, marked stale; a daily council rate would only move it backwards.
    const isBackwards = price?.basis === "council" && !this.#options.isOpen(atMs) && this.#seqs.has(instrument);
    return isBackwards ? null : price;
  }

  /** What is believed while the market is closed is not published, yet it still hides a price on probation. */
  #contradicted(instrument: Instrument, belief: Believed, atMs: number): PriceStep {
    const { price, by } = belief;
    const before = this.beliefs.of(instrument);
    const { last } = before;
    if (!last || isSamePrice(price, last.price, bandBps(instrument, atMs - last.atMs))) return NOTHING;
    const { state } = takeVerdict(before, { verdict: "disputed", by, refused: [] }, 0, atMs);
    return { ...NOTHING, belief: this.#keep(this.#doubted(state, belief, atMs)) };
  }

  /** A state without a new tick: the last one is hidden, or ends sooner as its sources are doubted. */
  #doubted(state: BeliefState, { refused }: Belief, atMs: number): BeliefState {
    const tick = this.#ticks.get(state.instrument);
    if (state.hidden) this.#ticks.delete(state.instrument);
    return tick && !state.hidden ? withDoubts(state, tick, refused, atMs) : state;
  }

  #hold(instrument: Instrument, held: HeldPrice): void {
    const prices = this.#held.get(instrument) ?? [];
    this.#held.set(instrument, prices);
    if (prices.length < MAX_HELD) prices.push(held);
  }

  /** The prices that a cold start collected while it waited, as far as this one proves them right. */
  #provenBy({ instrument, price, basis, computedAtMs }: SpotPrice): readonly HeldPrice[] {
    // A council rate is a daily figure, not a trade: it makes a price but no bar.
    if (basis !== "primary") return [];
    const held = this.#held.get(instrument) ?? [];
    return held.filter(
      ({ atMs, price: before }) =>
        atMs < computedAtMs && this.#options.isOpen(atMs) && isSamePrice(before, price, bandBps(instrument, 0)),
    );
  }

  /** A run that begins: what bars take in from its first price on goes with it if it is withdrawn. A closed bar takes in nothing. */
  #run(run: Probation, symbol: string, [first]: readonly HeldPrice[]): Probation {
    const { bars } = this.#options;
    const fromMs = Math.max(first?.atMs ?? run.fromMs, bars.opensAtMs(symbol));
    return { ...run, fromMs, bars: bars.formingOf(symbol) };
  }

  /** Updates the bars with a tick, and before it with the prices it proves right. */
  #grow(tick: Tick, held: readonly HeldPrice[]): BarRow[] {
    const { isOpen, bars: keeper } = this.#options;
    if (tick.basis !== "primary") return [];
    const { instrument, seq, computedAtMs } = tick;
    const symbol = barSymbolOf(instrument);
    const grown = held.flatMap(({ atMs, price }) => keeper.take(symbol, { instrument, seq, price }, atMs));
    return isOpen(computedAtMs) ? [...grown, ...keeper.take(symbol, tick, computedAtMs)] : grown;
  }

  /** Records a state; returns it when it is worth storing, else null. */
  #keep(state: BeliefState): BeliefState | null {
    this.beliefs.set(state);
    if (!isWorthStoring(this.#stored.get(state.instrument), state)) return null;
    this.#stored.set(state.instrument, state);
    return state;
  }
}

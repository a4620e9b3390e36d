/** The ticks of the last 20 minutes, and the price at any instant in them. */
import { DELAY_MS } from "@assay/contract";
import {
  type BeliefState,
  type Instrument,
  isShown,
  isUnconfirmed,
  partitionPoint,
  type Tick,
  tickAsBelieved,
} from "@assay/pricing";

/** Ticks are kept longer than the delay, so that a delayed caller always finds one, even if this process's clock is behind. */
const KEEP_MS = DELAY_MS + 5 * 60_000;
/** A tick that is earlier by more than writers' clocks are apart: a clock was set back, and ticks go on from there. */
const SET_BACK_MS = 5 * 60_000;

/** Ticks of each instrument in time order. */
export class PriceBoard {
  readonly #ticks = new Map<Instrument, Tick[]>();
  readonly #beliefs = new Map<Instrument, BeliefState>();

  /** Adds a tick; one that is not newer than the newest is ignored, unless a clock was set back. */
  add(tick: Tick): boolean {
    const ticks = this.#ticks.get(tick.instrument);
    const believed = tickAsBelieved(this.#beliefs.get(tick.instrument), tick);
    if (!ticks) {
      this.#ticks.set(tick.instrument, [believed]);
      return true;
    }
    const newest = ticks.at(-1);
    if (newest && tick.seq <= newest.seq) return false;
    const behindMs = newest ? newest.computedAtMs - tick.computedAtMs : 0;
    if (behindMs > SET_BACK_MS) ticks.splice(this.#indexAt(ticks, tick.computedAtMs) + 1);
    else if (behindMs > 0) return false;
    ticks.push(believed);
    // An eighth of the list is dropped at once, so that eviction costs next to nothing per tick.
    const keep = this.#indexAt(ticks, tick.computedAtMs - KEEP_MS);
    if (keep > ticks.length / 8) ticks.splice(0, keep);
    return true;
  }

  get rateSets(): Set<number> {
    return new Set([...this.#ticks.values()].flat().flatMap(({ rateSet }) => rateSet ?? []));
  }

  /** Applies a new belief about an instrument: which of its ticks may be shown, and for how long they are fresh. */
  believe(state: BeliefState): void {
    this.#beliefs.set(state.instrument, state);
    const ticks = this.#ticks.get(state.instrument);
    // Replaced here, since a tick is the same object until it changes.
    for (const { seq } of state.doubted ?? []) {
      const index = ticks?.findLastIndex((tick) => tick.seq === seq) ?? -1;
      const tick = ticks?.[index];
      if (ticks && tick) ticks[index] = tickAsBelieved(state, tick);
    }
  }

  unconfirmed(): Instrument[] {
    return [...this.#beliefs.values()].filter(isUnconfirmed).map(({ instrument }) => instrument);
  }

  /** The belief about an instrument; undefined when there is none. */
  beliefIn(instrument: Instrument): BeliefState | undefined {
    return this.#beliefs.get(instrument);
  }

  /** Since when the ticks of an instrument are hidden; null when they are not. */
  hiddenSinceMs(instrument: Instrument): number | null {
    const state = this.#beliefs.get(instrument);
    return state?.hidden ? (state.probation?.fromMs ?? null) : null;
  }

  /** The price at an instant; null when there was none yet, or when it has since been withdrawn. */
  at(instrument: Instrument, atMs: number): Tick | null {
    const tick = this.#newestAt(instrument, atMs);
    return tick && isShown(this.#beliefs.get(instrument), tick.seq) ? tick : null;
  }

  /**
   * The newest tick at an instant, whether it is shown or not: its number, 0 without one, and the first tick of its run as long
   * as that may be withdrawn.
   */
  heardAt(instrument: Instrument, atMs: number): { readonly seq: number; readonly runSeq: number | null } {
    const seq = this.#newestAt(instrument, atMs)?.seq ?? 0;
    const runSeq = this.#beliefs.get(instrument)?.probation?.fromSeq ?? null;
    return { seq, runSeq: runSeq !== null && seq >= runSeq ? runSeq : null };
  }

  #newestAt(instrument: Instrument, atMs: number): Tick | undefined {
    const ticks = this.#ticks.get(instrument) ?? [];
    const newest = ticks.at(-1);
    return newest && newest.computedAtMs <= atMs ? newest : ticks[this.#indexAt(ticks, atMs)];
  }

  /** The newest tick of each instrument that may be shown. */
  newest(): Tick[] {
    return [...this.#ticks].flatMap(([instrument, ticks]) => {
      const tick = ticks.at(-1);
      return tick && isShown(this.#beliefs.get(instrument), tick.seq) ? [tick] : [];
    });
  }

  /** Index of the newest tick that is not after an instant; -1 when all are. */
  #indexAt(ticks: readonly Tick[], atMs: number): number {
    return partitionPoint(ticks, ({ computedAtMs }) => computedAtMs <= atMs) - 1;
  }
}

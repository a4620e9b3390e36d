/** Moments joined into one: every tick, and of each bar only its newest form. */
import type { Moment } from "@assay/db";
import { type BarRow, type BeliefState, barEnd, type Instrument, type SettlementRow, settlementKey } from "@assay/pricing";
import type { PriceMoment } from "./market-desk.ts";
import type { BarUndo } from "./price-desk.ts";

/** Collects moments until they are written together. */
export class MomentBatch {
  #ticks: Moment["ticks"][number][] = [];
  #fx: Moment["fx"][number][] = [];
  readonly #bars = new Map<string, BarRow>();
  readonly #settlements = new Map<string, SettlementRow>();
  readonly #beliefs = new Map<Instrument, BeliefState>();
  #undo: BarUndo[] = [];

  /** Adds a moment behind those added before; bars that it undoes are not written at all. */
  add(moment: PriceMoment): void {
    for (const undo of moment.undo ?? []) {
      this.#undo.push(undo);
      for (const [name, bar] of this.#bars)
        if (bar.symbol === undo.symbol && bar.sourceId === undo.sourceId && barEnd(bar) > undo.fromMs) this.#bars.delete(name);
    }
    for (const belief of moment.beliefs ?? []) this.#beliefs.set(belief.instrument, belief);
    this.#ticks.push(...moment.ticks);
    this.#fx.push(...moment.fx);
    for (const bar of moment.bars) this.#bars.set(`${bar.symbol} ${bar.interval} ${bar.barStartMs}`, bar);
    for (const row of moment.settlements ?? []) this.#settlements.set(settlementKey(row), row);
  }

  /** Puts bars in the place of those that wait. */
  replaceBars(bars: readonly BarRow[]): void {
    this.#bars.clear();
    for (const bar of bars) this.#bars.set(`${bar.symbol} ${bar.interval} ${bar.barStartMs}`, bar);
  }

  /** How many rows are waiting. */
  get size(): number {
    return (
      this.#ticks.length + this.#fx.length + this.#bars.size + this.#settlements.size + this.#beliefs.size + this.#undo.length
    );
  }

  /** What is to be undone before the moment is written. */
  get undo(): readonly BarUndo[] {
    return this.#undo;
  }

  /** Drops the ticks of all but the newest instants, when too many wait for a store that does not answer; bars stay. */
  shed(maxTicks: number): number {
    const dropped = Math.max(0, this.#ticks.length - maxTicks);
    if (dropped > 0) this.#ticks = this.#ticks.slice(dropped);
    return dropped;
  }

  /** What was collected. It stays until `clear`, so that a write that failed can be tried again. */
  read(): Moment {
    return {
      ticks: this.#ticks,
      bars: [...this.#bars.values()],
      fx: this.#fx,
      ...(this.#settlements.size > 0 && { settlements: [...this.#settlements.values()] }),
      ...(this.#beliefs.size > 0 && { beliefs: [...this.#beliefs.values()] }),
    };
  }

  /** Forgets what was written. */
  clear(): void {
    this.#ticks = [];
    this.#fx = [];
    this.#bars.clear();
    this.#settlements.clear();
    this.#beliefs.clear();
    this.#undo = [];
  }
}

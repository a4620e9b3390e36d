/** Merges moments into one: every tick, and only the newest state of each bar. */
import type { Moment } from "@assay/db";
import { type BarRow, type BeliefState, barEnd, type Instrument, type SettlementRow, settlementKey } from "@assay/pricing";
import type { PriceMoment } from "../prices/market-desk.ts";
import type { BarUndo } from "../prices/price-desk.ts";

/** Collects moments to be written together. */
export class MomentBatch {
  #ticks: Moment["ticks"][number][] = [];
  #fx: Moment["fx"][number][] = [];
  readonly #bars = new Map<string, BarRow>();
  readonly #settlements = new Map<string, SettlementRow>();
  readonly #beliefs = new Map<Instrument, BeliefState>();
  #undo: BarUndo[] = [];

  /** Adds a moment; bars it withdraws are not written at all. */
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

  /** Replaces queued bars. */
  replaceBars(bars: readonly BarRow[]): void {
    this.#bars.clear();
    for (const bar of bars) this.#bars.set(`${bar.symbol} ${bar.interval} ${bar.barStartMs}`, bar);
  }

  /** The number of queued rows. */
  get size(): number {
    return (
      this.#ticks.length + this.#fx.length + this.#bars.size + this.#settlements.size + this.#beliefs.size + this.#undo.length
    );
  }

  /** What must be withdrawn before the moment is written. */
  get undo(): readonly BarUndo[] {
    return this.#undo;
  }

  /** Drops the ticks of all but the newest instants when too many are queued for an unavailable store; bars are kept. */
  shed(maxTicks: number): number {
    const dropped = Math.max(0, this.#ticks.length - maxTicks);
    if (dropped > 0) this.#ticks = this.#ticks.slice(dropped);
    return dropped;
  }

  /** What was collected. It is kept until `clear`, so that a failed write can be retried. */
  read(): Moment {
    return {
      ticks: this.#ticks,
      bars: [...this.#bars.values()],
      fx: this.#fx,
      ...(this.#settlements.size > 0 && { settlements: [...this.#settlements.values()] }),
      ...(this.#beliefs.size > 0 && { beliefs: [...this.#beliefs.values()] }),
    };
  }

  /** Clears what was written. */
  clear(): void {
    this.#ticks = [];
    this.#fx = [];
    this.#bars.clear();
    this.#settlements.clear();
    this.#beliefs.clear();
    this.#undo = [];
  }
}

/** Moments joined into one: every tick, and of each bar only its newest form. */
import type { Moment } from "@assay/db";
import { type BarRow, type SettlementRow, settlementKey } from "@assay/pricing";

/** Collects moments until they are written together. */
export class MomentBatch {
  #ticks: Moment["ticks"][number][] = [];
  #fx: Moment["fx"][number][] = [];
  readonly #bars = new Map<string, BarRow>();
  readonly #settlements = new Map<string, SettlementRow>();

  /** Adds a moment behind those added before. */
  add(moment: Moment): void {
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
    return this.#ticks.length + this.#fx.length + this.#bars.size + this.#settlements.size;
  }

  /** Drops the ticks of all but the newest instants, when too many wait for a store that does not answer; bars stay. */
  shed(maxTicks: number): number {
    const dropped = Math.max(0, this.#ticks.length - maxTicks);
    if (dropped > 0) this.#ticks = this.#ticks.slice(dropped);
    return dropped;
  }

  /** What was collected. It stays until `clear`, so that a write that failed can be tried again. */
  read(): Moment {
    const moment = { ticks: this.#ticks, bars: [...this.#bars.values()], fx: this.#fx };
    return this.#settlements.size === 0 ? moment : { ...moment, settlements: [...this.#settlements.values()] };
  }

  /** Forgets what was written. */
  clear(): void {
    this.#ticks = [];
    this.#fx = [];
    this.#bars.clear();
    this.#settlements.clear();
  }
}

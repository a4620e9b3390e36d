/** Ratios of every pair, each point encoded once. */
import { RATIO_PAIRS, type RatioPair } from "@assay/contract";
import type { DailyClose, Store } from "@assay/db";
import { type BarRow, presentRatio, RATIO_LEGS, utcDay } from "@assay/pricing";
import { BarArena } from "./bar-arena.ts";
import { CloseBook } from "./close-book.ts";

const encodePoint = (above: DailyClose, below: DailyClose): string => {
  const { ratio, numerator, denominator } = presentRatio(above.close, below.close);
  return (
    `{"date":"${utcDay(above.dayStartMs)}","ratio":"${ratio}",` +
    `"numerator_close":"${numerator}","denominator_close":"${denominator}"}`
  );
};

/** The points of the days both legs have: one pass over both, oldest first. */
const join = (numerators: readonly DailyClose[], denominators: readonly DailyClose[]): BarArena => {
  const arena = new BarArena(Math.min(numerators.length, denominators.length) + 64);
  let place = 0;
  for (const numerator of numerators) {
    while ((denominators[place]?.dayStartMs ?? Number.POSITIVE_INFINITY) < numerator.dayStartMs) place += 1;
    const denominator = denominators[place];
    if (denominator?.dayStartMs === numerator.dayStartMs) arena.append(numerator.dayStartMs, encodePoint(numerator, denominator));
  }
  return arena;
};

/** Points of each pair; built when first requested, and again after a close of one of its legs changed. */
export class RatioBook {
  readonly #closes: CloseBook;
  readonly #arenas = new Map<RatioPair, BarArena>();

  constructor(store: Store) {
    this.#closes = new CloseBook(store, (symbol) => this.#legChanged(symbol));
  }

  #legChanged(symbol: string): void {
    for (const pair of RATIO_PAIRS) {
      const { numerator, denominator } = RATIO_LEGS[pair];
      if (numerator === symbol || denominator === symbol) this.#arenas.delete(pair);
    }
  }

  /** Applies bars as they were written. */
  apply(bars: readonly BarRow[]): void {
    this.#closes.apply(bars);
  }

  /** Drops one series, or all of them, because its stored bars were replaced. */
  forget(symbol?: string): void {
    this.#closes.forget(symbol);
  }

  /** The points of a pair; the same arena until one of them changes. Waits only for the first load of a leg. */
  pointsOf(pair: RatioPair): BarArena | Promise<BarArena> {
    return this.#arenas.get(pair) ?? this.#make(pair);
  }

  async #make(pair: RatioPair): Promise<BarArena> {
    const { numerator, denominator } = RATIO_LEGS[pair];
    await this.#closes.of(numerator);
    await this.#closes.of(denominator);
    const made = this.#arenas.get(pair);
    if (made) return made;
    // Read both again at the same instant: the first may have changed while the second was loading.
    const [above, below] = [this.#closes.of(numerator), this.#closes.of(denominator)];
    if (above instanceof Promise || below instanceof Promise) return this.#make(pair);
    const arena = join(above, below);
    this.#arenas.set(pair, arena);
    return arena;
  }
}

/** Ratios of every pair, each point encoded once. */
import { RATIO_PAIRS, type RatioPair } from "@assay/contract";
import { type DailyClose, readStandingCloses, type StandingDays, type Store } from "@assay/db";
import { presentRatio, ratioLegs, utcDay } from "@assay/pricing";
import { BarArena } from "./bar-arena.ts";
import type { CloseBook } from "./close-book.ts";
import type { PairRevisions, PairSnapshot } from "./snapshot.ts";

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
    // A day that closed at zero has no ratio.
    if (denominator?.dayStartMs === numerator.dayStartMs && /[1-9]/.test(denominator.close))
      arena.append(numerator.dayStartMs, encodePoint(numerator, denominator));
  }
  return arena;
};

/** The points of a pair, and which state of its two series they are. */
export interface RatioSnapshot extends PairSnapshot {
  readonly points: BarArena;
}

/** Points of each pair; built when first requested, and again after a close of one of its legs changed. */
export class RatioBook {
  readonly #store: Store;
  readonly #closes: CloseBook;
  readonly #made = new Map<RatioPair, RatioSnapshot>();

  constructor(store: Store, closes: CloseBook) {
    this.#store = store;
    this.#closes = closes;
    closes.onChange((symbol) => this.#legChanged(symbol));
  }

  #legChanged(symbol: string): void {
    for (const pair of RATIO_PAIRS) {
      const { numerator, denominator } = ratioLegs(pair);
      if (numerator === symbol || denominator === symbol) this.#made.delete(pair);
    }
  }

  /** The points of a pair; the same until one of them changes. Waits only for the first load of a leg. */
  of(pair: RatioPair): RatioSnapshot | Promise<RatioSnapshot> {
    const made = this.#made.get(pair);
    if (made) return made;
    const { numerator, denominator } = ratioLegs(pair);
    const [above, below] = [this.#closes.of(numerator), this.#closes.of(denominator)];
    // What changed while the other was loading is read again.
    if (above instanceof Promise || below instanceof Promise) return Promise.all([above, below]).then(() => this.of(pair));
    const snapshot: RatioSnapshot = {
      points: join(above.closes, below.closes),
      revisions: [above.revision, below.revision],
      unchangedSince: [above.unchangedSince, below.unchangedSince],
    };
    this.#made.set(pair, snapshot);
    return snapshot;
  }

  /** The points of a pair as they stood at revisions, within days; from the store. */
  async at(pair: RatioPair, [above, below]: PairRevisions, days: Omit<StandingDays, "revision">): Promise<BarArena> {
    const { numerator, denominator } = ratioLegs(pair);
    const [numerators, denominators] = await Promise.all([
      readStandingCloses(this.#store, numerator, { ...days, revision: above }),
      readStandingCloses(this.#store, denominator, { ...days, revision: below }),
    ]);
    return join(numerators, denominators);
  }
}

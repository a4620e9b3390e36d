/** Which price stood at a past instant: the one place that decides it, from what is stored. */
import { DAY_MS, type FuturesSymbol, INTERVALS, type PastBasis } from "@assay/contract";
import { readBarsEndedBy, readSettlementsKnownAt, readTickAt, type Store } from "@assay/db";
import {
  type BarRow,
  type BeliefState,
  barEnd,
  barSymbolOf,
  type Instrument,
  isShown,
  productOf,
  type SettlementRow,
  type StandingPrice,
  standingPrice,
  type Tick,
  tickAsBelieved,
} from "@assay/pricing";
import { SettlementBook } from "./settlement-book.ts";

export interface PastQuestion {
  readonly instrument: Instrument;
  /** The instant; of a whole day its end, at which its bar has ended and the next day's prices begin. */
  readonly atMs: number;
  /**
   * What counts besides settlements: the close of a day alone, ticks and daily bars, or bars of every interval too, where they are
   * open to the caller and kept for that time.
   */
  readonly reach: "day" | "daily" | "intraday";
  /** When the market had closed; null when it was open. */
  readonly closedSinceMs: number | null;
}

/** The price that stood, and what it was read from. */
export interface PastPrice {
  readonly price: StandingPrice;
  readonly basis: PastBasis;
}

/** Contracts settle every business day: one without a settlement for longer has expired. */
const SETTLEMENT_DAYS = 15;

/** The first tick of the hidden run that a hidden tick belongs to. */
const startOfRun = ({ withdrawn, probation }: BeliefState, seq: number): number =>
  withdrawn.find(({ fromSeq, toSeq }) => seq >= fromSeq && seq <= toSeq)?.fromSeq ?? probation?.fromSeq ?? seq;

/** The newest tick not after the instant that may be shown. */
const tickAt = async (
  store: Store,
  belief: BeliefState | undefined,
  { instrument, atMs }: PastQuestion,
): Promise<Tick | null> => {
  let belowSeq = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const tick = await readTickAt(store, instrument, atMs, belowSeq);
    if (!tick || !belief || isShown(belief, tick.seq)) return tick && tickAsBelieved(belief, tick);
    belowSeq = startOfRun(belief, tick.seq);
  }
};

/**
 * Of the bars that had ended, the one that ended last, and among those the one that began last: the shortest interval, unless its
 * bars are missing at that time. Bars of a closed market ended when it closed. While ticks are hidden, no bar counts that holds any.
 */
const barAt = async (
  store: Store,
  belief: BeliefState | undefined,
  { instrument, atMs, reach, closedSinceMs }: PastQuestion,
): Promise<BarRow | null> => {
  const hiddenMs = belief?.hidden ? (belief.probation?.fromMs ?? atMs) : atMs;
  const intervals = reach === "intraday" ? INTERVALS : (["1d"] as const);
  const bars = await readBarsEndedBy(store, barSymbolOf(instrument), intervals, Math.min(atMs, hiddenMs));
  const endOf = (bar: BarRow): number => Math.min(barEnd(bar), closedSinceMs ?? atMs);
  const [newest] = bars.sort((one, other) => endOf(other) - endOf(one) || other.barStartMs - one.barStartMs);
  return newest ?? null;
};

const settlementAt = async (store: Store, product: FuturesSymbol, atMs: number): Promise<SettlementRow | null> => {
  const book = new SettlementBook();
  book.apply(await readSettlementsKnownAt(store, product, atMs - SETTLEMENT_DAYS * DAY_MS, atMs));
  return book.nearestAt(product, atMs);
};

/**
 * The price that stood: of the newest tick, the newest settlement and the newest bar the one that is newest, as for the current
 * price; a bar counts from its start, and a price published within it is as new as its close.
 * @param belief which ticks of the instrument may be shown
 * @returns null when nothing was known that early
 */
export const pastPrice = async (
  store: Store,
  belief: BeliefState | undefined,
  question: PastQuestion,
): Promise<PastPrice | null> => {
  const product = productOf(question.instrument);
  // A day is half-open: what is published at its end is of the next.
  const lastMs = question.reach === "day" ? question.atMs - 1 : question.atMs;
  const [tick, bar, settlement] = await Promise.all([
    tickAt(store, belief, { ...question, atMs: lastMs }),
    barAt(store, belief, question),
    product ? settlementAt(store, product, lastMs) : null,
  ]);
  // The close of a day is its bar's, whatever was published in its last second; a later tick is of a day whose bar has not ended.
  const isInBar = tick !== null && bar !== null && tick.computedAtMs < barEnd(bar);
  const price = standingPrice({ tick: question.reach === "day" && isInBar ? null : tick, settlement, close: bar });
  if (!price) return null;
  return { price, basis: price.basis === "close" && bar ? bar.interval : price.basis === "settlement" ? "settlement" : "tick" };
};

/** All expiries of an option chain, nearest first, none cheaper than the one before it. */
import type { CallFloor } from "./kernel-fit.ts";
import type { OptionChain } from "./option-chain.ts";
import { type OptionSlice, optionSlice } from "./option-slice.ts";

/** One expiry of a chain. */
export interface ChainSlice extends OptionSlice {
  /** Whether its quotes contradict those of the previous expiry: then each is fitted on its own. */
  readonly crossesCalendar: boolean;
}

/** The continuous annual rate where put-call parity does not determine one: recent dollar interest. */
export const FALLBACK_RATE = 0.04;

/** The range where calls of one expiry are floors of the next: this many deviations to either side of the forward. */
const FLOOR_REACH = 7;
const FLOORS = 29;
/** A fifth of a basis point of the forward: below any tick, so that no quote is distorted for less. */
const ROUNDING = 2e-5;

const floorsOf = ({ distribution, deviation }: OptionSlice): CallFloor[] =>
  Array.from({ length: FLOORS }, (_, index) => {
    const moneyness = Math.exp(deviation * FLOOR_REACH * ((2 * index) / (FLOORS - 1) - 1));
    return { moneyness, call: distribution.call(moneyness) - ROUNDING };
  });

/**
 * The distribution of every expiry that has one.
 *
 * Over the forward, a call of the same moneyness may not get cheaper with time (Gatheral and Jacquier's condition against
 * calendar arbitrage), so each expiry is fitted above the one before it. Where quotes make that impossible, the expiry is fitted
 * alone and marked.
 * @param chain the chain; its own moment counts as now
 * @returns nearest expiry first; expiries whose quotes imply no distribution are omitted
 */
export const optionSurface = (chain: OptionChain): ChainSlice[] => {
  const slices: ChainSlice[] = [];
  for (const expiry of [...chain.expiries].sort((a, b) => a.expiresAtMs - b.expiresAtMs)) {
    const before = slices.at(-1);
    const fit = (floors: readonly CallFloor[]) => optionSlice(expiry, chain.retrievedAtMs, FALLBACK_RATE, floors);
    const bound = before && fit(floorsOf(before));
    const slice = bound ?? fit([]);
    if (slice) slices.push({ ...slice, crossesCalendar: before !== undefined && !bound });
  }
  return slices;
};

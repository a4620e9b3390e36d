/** Loads the beliefs of earlier terms, and where they have no reference price, the newest closed bars. */
import { readBeliefs, readNewestClose, type Store } from "@assay/db";
import {
  type Anchor,
  BAR_SYMBOL_OF,
  type BeliefState,
  INSTRUMENTS,
  type Instrument,
  type SourceInfo,
  unknownBelief,
  witnessOf,
} from "@assay/pricing";
import type { PriceDesk } from "./price-desk.ts";

const newestClose = async (
  store: Store,
  instrument: Instrument,
  sources: ReadonlyMap<string, SourceInfo>,
  except: string | null,
): Promise<Anchor | null> => {
  const close = await readNewestClose(store, BAR_SYMBOL_OF[instrument], except);
  if (!close) return null;
  const info = sources.get(close.sourceId);
  return { price: close.price, atMs: close.atMs, by: info ? [witnessOf(info)] : [] };
};

/** The states of all instruments, each with its newest reference price. */
export const restoreBeliefs = async (
  store: Store,
  sources: ReadonlyMap<string, SourceInfo>,
  own: string,
): Promise<Map<Instrument, BeliefState>> => {
  const stored = await readBeliefs(store);
  for (const instrument of INSTRUMENTS) {
    const state = stored.get(instrument) ?? unknownBelief(instrument);
    // For a service that stored no states yet, bars are the only reference.
    const close = await newestClose(store, instrument, sources, stored.has(instrument) ? own : null);
    const isNewer = close !== null && close.atMs > (state.anchor?.atMs ?? Number.NEGATIVE_INFINITY);
    stored.set(instrument, isNewer ? { ...state, anchor: close } : state);
  }
  return stored;
};

/**
 * Compares prices without a reference with the newest bars another process has stored since. Bars this service built from its
 * own ticks are excluded: they must not confirm themselves.
 * @param own the source of this service's bars
 */
export const seekAnchors = async (
  store: Store,
  prices: PriceDesk,
  sources: ReadonlyMap<string, SourceInfo>,
  own: string,
  nowMs: number,
): Promise<void> => {
  for (const instrument of prices.beliefs.withoutAnchor()) {
    const anchor = await newestClose(store, instrument, sources, own);
    if (anchor && prices.beliefs.anchor(instrument, anchor)) prices.wake(instrument, nowMs);
  }
};

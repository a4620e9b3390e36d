/** Loads the beliefs of earlier terms, and where they have no reference price, the newest closed bars. */
import { type NewestClose, readBeliefs, readNewestCloses, type Store } from "@assay/db";
import {
  type Anchor,
  type BeliefState,
  barSymbolOf,
  INSTRUMENTS,
  type Instrument,
  originOf,
  type SourceInfo,
  unknownBelief,
} from "@assay/pricing";
import type { PriceDesk } from "./price-desk.ts";

/** A close as the reference price it serves as. */
const anchorOf = ({ price, atMs, sourceId }: NewestClose, sources: ReadonlyMap<string, SourceInfo>): Anchor => {
  const info = sources.get(sourceId);
  return { price, atMs, by: info ? [originOf(info)] : [] };
};

/** The states of all instruments, each with its newest reference price. */
export const restoreBeliefs = async (
  store: Store,
  sources: ReadonlyMap<string, SourceInfo>,
  own: string,
): Promise<Map<Instrument, BeliefState>> => {
  const stored = await readBeliefs(store);
  const closes = await readNewestCloses(
    store,
    INSTRUMENTS.map((instrument) => ({
      symbol: barSymbolOf(instrument),
      // For a service that stored no states yet, bars are the only reference.
      except: stored.has(instrument) ? own : null,
      afterMs: stored.get(instrument)?.anchor?.atMs ?? null,
    })),
  );
  // Stored states of metals that the catalogue no longer has stay where they are.
  return new Map(
    INSTRUMENTS.map((instrument) => {
      const state = stored.get(instrument) ?? unknownBelief(instrument);
      const close = closes.get(barSymbolOf(instrument));
      return [instrument, close ? { ...state, anchor: anchorOf(close, sources) } : state];
    }),
  );
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
  const instruments = prices.beliefs.withoutAnchor();
  if (instruments.length === 0) return;
  const wanted = instruments.map((instrument) => ({ symbol: barSymbolOf(instrument), except: own, afterMs: null }));
  const closes = await readNewestCloses(store, wanted);
  for (const instrument of instruments) {
    const close = closes.get(barSymbolOf(instrument));
    if (close && prices.beliefs.anchor(instrument, anchorOf(close, sources))) prices.wake(instrument, nowMs);
  }
};

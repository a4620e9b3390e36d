/** What was believed before this term: the stored states, and where they know no past, the newest closed bars. */
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

/**
 * The newest close that this service did not make of its own ticks: those must not confirm themselves.
 * @param own the source that its bars name
 */
export const newestForeignClose = (
  store: Store,
  instrument: Instrument,
  sources: ReadonlyMap<string, SourceInfo>,
  own: string,
): Promise<Anchor | null> => newestClose(store, instrument, sources, own);

/** The states of all instruments, each with the newest past that can be compared with. */
export const restoreBeliefs = async (
  store: Store,
  sources: ReadonlyMap<string, SourceInfo>,
  own: string,
): Promise<Map<Instrument, BeliefState>> => {
  const stored = await readBeliefs(store);
  for (const instrument of INSTRUMENTS) {
    const state = stored.get(instrument) ?? unknownBelief(instrument);
    // Bars of a service that kept no states yet are all there is to compare with.
    const close = await newestClose(store, instrument, sources, stored.has(instrument) ? own : null);
    const isNewer = close !== null && close.atMs > (state.anchor?.atMs ?? Number.NEGATIVE_INFINITY);
    stored.set(instrument, isNewer ? { ...state, anchor: close } : state);
  }
  return stored;
};

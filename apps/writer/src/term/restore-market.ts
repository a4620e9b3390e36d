/** Restores prices, rates and beliefs from the last term. */
import { MINUTE_MS } from "@assay/contract";
import { readFxTables, readLastSeqs, readNewestTicks, readTicksSince } from "@assay/db";
import { isShown, type SourceInfo, type Tick } from "@assay/pricing";
import type { BarKeeper } from "../bars/bar-keeper.ts";
import type { Refusals } from "../feeds/refusals.ts";
import { restoreBeliefs } from "../prices/belief-store.ts";
import { MarketDesk } from "../prices/market-desk.ts";
import type { LeadershipOptions } from "./term-options.ts";
import { isOpenOf } from "./term-sources.ts";

/** How much tick history is built, so that delayed callers have a price at once. */
export const DELAYED_VIEW_MS = 16 * MINUTE_MS;

/** What the desk depends on besides what is stored. */
export interface MarketParts {
  readonly sources: ReadonlyMap<string, SourceInfo>;
  readonly bars: BarKeeper;
  readonly refusals: Refusals;
}

/** The price desk, and the time of the newest stored tick: minus infinity when there is none. */
export interface RestoredMarket {
  readonly market: MarketDesk;
  readonly lastTickMs: number;
}

/** Loads them. */
export const restoreMarket = async (
  options: LeadershipOptions,
  { sources, bars, refusals }: MarketParts,
  nowMs: number,
): Promise<RestoredMarket> => {
  const { store } = options;
  const sinceMs = nowMs - DELAYED_VIEW_MS;
  const seqs = await readLastSeqs(store);
  const newest = await readNewestTicks(store);
  const beliefs = await restoreBeliefs(store, sources, bars.sourceId);
  const wasShown = (tick: Tick): boolean => isShown(beliefs.get(tick.instrument), tick.seq);
  // Rarely the newest is withheld, and an older one is shown.
  const shown = newest.every(wasShown) ? newest : (await readTicksSince(store, sinceMs)).filter(wasShown);
  const prices = new Map(shown.map((tick) => [tick.instrument, tick.price]));
  const fx = await readFxTables(store, sinceMs);
  const market = new MarketDesk({
    ...{ sources, bars, seqs, prices, fx, beliefs, isOpen: isOpenOf(options) },
    refuse: (...refused) => refusals.refuse(...refused),
  });
  return { market, lastTickMs: newest.at(-1)?.computedAtMs ?? Number.NEGATIVE_INFINITY };
};

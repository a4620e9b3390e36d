/** The desks of a term. */
import type { LeaseToken } from "@assay/live";
import type { SourceInfo } from "@assay/pricing";
import { DealerDesk } from "../dealers/dealer-desk.ts";
import { Desks } from "../desks/desks.ts";
import type { Refusals } from "../feeds/refusals.ts";
import type { Outbox } from "../moments/outbox.ts";
import type { MarketDesk } from "../prices/market-desk.ts";
import { SurfaceDesk } from "../surface/surface-desk.ts";
import type { LeadershipOptions } from "./term-options.ts";

/** What the desks depend on besides the options. */
export interface DeskParts {
  readonly writer: LeaseToken;
  readonly sources: ReadonlyMap<string, SourceInfo>;
  readonly market: MarketDesk;
  readonly outbox: Outbox;
  readonly refusals: Refusals;
}

/** Opens them, except the price desk, which is already open. */
export const openDesks = (options: LeadershipOptions, { writer, sources, market, outbox, refusals }: DeskParts): Desks => {
  const { store, live, log, simulated } = options;
  const shared = { store, live, writer, outbox, log, sources };
  const madeUp = [...(simulated?.source.sources.keys() ?? [])];
  const sides = [
    new DealerDesk({
      ...shared,
      market,
      simulated: madeUp,
      retainMs: options.retainDealerQuotesMs,
      refuse: (...refused) => refusals.refuse(...refused),
    }),
    new SurfaceDesk({ ...shared, prices: market, computer: options.threads.surfaces() }),
  ];
  return new Desks(market, sides, refusals);
};

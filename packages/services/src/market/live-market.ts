/** A market view that follows the bus: loaded from the store, then kept up to date. */
import type { Store } from "@assay/db";
import type { Live, Log, MarketEvent } from "@assay/live";
import type { Time } from "@assay/ports";
import { MarketView } from "./market-view.ts";
import { Reloads } from "./reloads.ts";

export interface LiveMarketOptions {
  readonly store: Store;
  readonly live: Pick<Live, "bus">;
  readonly clock: Time;
  readonly log: Pick<Log, "error">;
  /** Whether the market ever closes. */
  readonly marketHours: boolean;
}

/** A view, until it is closed. */
export interface LiveMarket {
  readonly market: MarketView;
  close(): Promise<void>;
}

/**
 * Opens the view. Events that arrive while the store is being read are not lost.
 * @throws StoreUnavailableError when the database does not respond
 */
export const openMarket = async ({ store, live, clock, log, marketHours }: LiveMarketOptions): Promise<LiveMarket> => {
  const market = new MarketView({ store, keepsHours: marketHours });
  const reloads = new Reloads(clock, (error, what) =>
    log.error({ err: error, what }, "failed to reload from the database; retrying"),
  );
  const take = (event: MarketEvent): void => {
    if (event.kind === "bars-replaced") reloads.ask(event.symbol, () => market.reload(event.symbol, clock()));
    else if (event.kind === "history-filled") reloads.ask("history", () => market.reloadHistory());
    else if (event.kind === "settlements-replaced") reloads.ask("settlements", () => market.reloadSettlements(clock()));
    else market.apply(event);
  };
  const unsubscribe = await live.bus.subscribe(take, {
    onGap: () => reloads.ask("everything", () => market.refresh(clock())),
  });
  const close = async (): Promise<void> => {
    await unsubscribe();
    reloads.stop();
  };
  try {
    await market.load(clock());
  } catch (error) {
    await close();
    throw error;
  }
  return { market, close };
};

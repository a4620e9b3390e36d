/** One composition into the store, all or nothing, in one statement. */
import type { BarRow, BeliefState, FxObservation, SettlementRow, Tick } from "@assay/pricing";
import type { Store } from "../store.ts";
import { upsertOfMoment } from "./bars.ts";
import { upsertOfBeliefs } from "./beliefs.ts";
import { insertBehindFence, type WriterToken } from "./fence.ts";
import { upsertOfFxTables } from "./fx-tables.ts";
import { type BarKey, replacementOf } from "./replace-bars.ts";
import { upsertOfSettlements } from "./settlements.ts";
import { insertOfTicks } from "./ticks.ts";

/** What becomes of a series whose ticks are withdrawn. */
export interface TakenBack {
  readonly symbol: string;
  /** Bars that are no more. */
  readonly removed: readonly BarKey[];
  /** Bars that are written over whatever is there; the moment's own are not among them. */
  readonly restored: readonly BarRow[];
}

/** What one composition leaves behind. */
export interface Moment {
  readonly ticks: readonly Tick[];
  /** The bars it changed, forming or just closed. */
  readonly bars: readonly BarRow[];
  /** The rates it took in. */
  readonly fx: readonly FxObservation[];
  /** The futures settlements it took in; most moments have none. */
  readonly settlements?: readonly SettlementRow[];
  /** Series that are without withdrawn ticks from now on. */
  readonly takenBack?: readonly TakenBack[];
  /** What is believed from now on, of the instruments of which that changed. */
  readonly beliefs?: readonly BeliefState[];
}

/**
 * Writes a moment.
 * @param revision of the bars that the moment's were computed from: with it the moment is refused when another has written
 *   bars since; without it they are written over whatever is there
 * @throws StaleTokenError when a newer writer has written since; nothing is kept
 * @throws BarsRevisedError when bars were written since that revision; nothing is kept
 * @throws StoreQueryError with code 23505 when a tick's sequence number is taken; nothing is kept
 * @throws StoreUnavailableError when the server did not answer: all of it may be kept or nothing, `readLastSeqs` tells
 */
export const writeMoment = (store: Store, writer: WriterToken, moment: Moment, revision?: number): Promise<void> => {
  const { takenBack = [] } = moment;
  return insertBehindFence(
    store,
    writer,
    [
      ...insertOfTicks(moment.ticks),
      ...takenBack.flatMap(({ symbol, removed, restored }) => replacementOf(symbol, removed, restored)),
      ...upsertOfMoment(moment.bars),
      ...upsertOfFxTables(moment.fx),
      ...upsertOfSettlements(moment.settlements ?? []),
      ...upsertOfBeliefs(moment.beliefs ?? []),
    ],
    moment.bars.length + takenBack.length > 0 ? { revises: revision ?? true } : {},
  );
};

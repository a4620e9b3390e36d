/** Writes one composition to the store, all or nothing, in one statement. */
import type { BarRow, BeliefState, FxObservation, SettlementRow, Tick } from "@assay/pricing";
import type { Store } from "../store.ts";
import { upsertOfMoment } from "./bars.ts";
import { upsertOfBeliefs } from "./beliefs.ts";
import { insertBehindFence, type WriterToken } from "./fence.ts";
import { upsertOfFxTables } from "./fx-tables.ts";
import { type BarKey, replacementOf } from "./replace-bars.ts";
import { upsertOfSettlements } from "./settlements.ts";
import { insertOfTicks } from "./ticks.ts";

/** Changes to a series whose ticks are withdrawn. */
export interface TakenBack {
  readonly symbol: string;
  /** Bars to delete. */
  readonly removed: readonly BarKey[];
  /** Bars that overwrite existing ones; not including the moment's own. */
  readonly restored: readonly BarRow[];
}

/** Everything one composition stores. */
export interface Moment {
  readonly ticks: readonly Tick[];
  /** The bars it changed, forming or just closed. */
  readonly bars: readonly BarRow[];
  /** The rates it received. */
  readonly fx: readonly FxObservation[];
  /** The futures settlements it received; usually none. */
  readonly settlements?: readonly SettlementRow[];
  /** Series from which withdrawn ticks are removed. */
  readonly takenBack?: readonly TakenBack[];
  /** The new belief state of every instrument whose state changed. */
  readonly beliefs?: readonly BeliefState[];
}

/**
 * Writes a moment.
 * @param revision of the bars that the moment's were computed from: the moment is refused when bars have been written since; when
 *   omitted, existing bars are overwritten
 * @throws StaleTokenError when a newer writer has written since; nothing is stored
 * @throws BarsRevisedError when bars were written since that revision; nothing is stored
 * @throws StoreQueryError with code 23505 when a tick's sequence number is taken; nothing is stored
 * @throws StoreUnavailableError when the server did not answer: either all of it was stored or nothing; check with `readLastSeqs`
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

/** One composition into the store, all or nothing. */
import type { BarRow, FxObservation, Tick } from "@assay/pricing";
import type { Store } from "../store.ts";
import { upsertBarsIn } from "./bars.ts";
import { passFence, type WriterToken } from "./fence.ts";
import { upsertFxTablesIn } from "./fx-tables.ts";
import { insertTicksIn } from "./ticks.ts";

/** What one composition leaves behind. */
export interface Moment {
  readonly ticks: readonly Tick[];
  /** The bars it changed, forming or just closed. */
  readonly bars: readonly BarRow[];
  /** The rates it took in. */
  readonly fx: readonly FxObservation[];
}

/**
 * Writes a moment in one transaction.
 * @throws StaleTokenError when a newer writer has written since; nothing is kept
 * @throws StoreQueryError with code 23505 when a tick's sequence number is taken; nothing is kept
 */
export const writeMoment = (store: Store, writer: WriterToken, moment: Moment): Promise<void> =>
  store.transaction(async (db) => {
    await passFence(db, writer);
    await insertTicksIn(db, moment.ticks);
    await upsertBarsIn(db, moment.bars);
    await upsertFxTablesIn(db, moment.fx);
  });

/** Writes one composition to the store, all or nothing, in one statement. */
import type { BarRow, BeliefState, DayPair, FxObservation, RateSet, SettlementRow, SourceRecord, Tick } from "@assay/pricing";
import { type BarKey, replacementOf, upsertOfMoment } from "../bars/write.ts";
import { upsertOfRecords } from "../records/source-records.ts";
import { insertBehindFence, type WriterToken } from "../statements/fence.ts";
import type { Store } from "../store.ts";
import { insertOfDayPairs } from "./day-pairs.ts";
import { upsertOfFxTables } from "./fx-tables.ts";
import { insertOfRateSets } from "./rate-sets.ts";
import { upsertOfSettlements } from "./settlements.ts";
import { insertOfTicks, upsertOfBeliefs } from "./ticks.ts";

/** Changes to a series whose ticks are withdrawn. */
export interface WithdrawnBars {
  readonly symbol: string;
  readonly removed: readonly BarKey[];
  /** Bars that overwrite existing ones; not including the moment's own. */
  readonly restored: readonly BarRow[];
}

export interface Moment {
  readonly ticks: readonly Tick[];
  /** The bars it changed, forming or just closed. */
  readonly bars: readonly BarRow[];
  /** The rates it received. */
  readonly fx: readonly FxObservation[];
  /** The rates that stand beside its ticks, when none of its earlier ones have these; usually none. */
  readonly rateSets?: readonly RateSet[];
  /** The days that begin with its ticks; nearly always none. */
  readonly dayPairs?: readonly DayPair[];
  /** The futures settlements it received; usually none. */
  readonly settlements?: readonly SettlementRow[];
  /** Series from which withdrawn ticks are removed. */
  readonly withdrawnBars?: readonly WithdrawnBars[];
  /** The new belief state of every instrument whose state changed. */
  readonly beliefs?: readonly BeliefState[];
  /** What was counted of the sources' readings, four times an hour. */
  readonly records?: readonly SourceRecord[];
}

/** Whether it has rows that callers may see later as they stood. */
const isPublished = ({ bars, fx, settlements = [] }: Moment): boolean =>
  settlements.length > 0 || fx.some(({ role }) => role === "reference") || bars.some(({ isClosed }) => isClosed);

/**
 * Writes a moment.
 * @param revision of the bars that the moment's were computed from: the moment is refused when bars have been written since; when
 *   omitted, existing bars are overwritten
 * @returns the revision of the ledger that its closed bars, settlements and reference rates have; 0 when it has none of them
 * @throws StaleTokenError when a newer writer has written since; nothing is stored
 * @throws BarsRevisedError when bars were written since that revision; nothing is stored
 * @throws StoreQueryError with code 23505 when a tick's sequence number is taken; nothing is stored
 * @throws StoreUnavailableError when the server did not answer: either all of it was stored or nothing; check with `readLastSeqs`
 */
export const writeMoment = (store: Store, writer: WriterToken, moment: Moment, revision?: number): Promise<number> => {
  const { withdrawnBars = [], settlements = [] } = moment;
  return insertBehindFence(
    store,
    writer,
    [
      ...insertOfTicks(moment.ticks),
      ...withdrawnBars.flatMap(({ symbol, removed, restored }) => replacementOf(symbol, removed, restored)),
      ...upsertOfMoment(moment.bars),
      ...upsertOfFxTables(moment.fx),
      ...insertOfRateSets(moment.rateSets ?? []),
      ...insertOfDayPairs(moment.dayPairs ?? []),
      ...upsertOfSettlements(settlements),
      ...upsertOfBeliefs(moment.beliefs ?? []),
      ...upsertOfRecords(moment.records ?? []),
    ],
    {
      ...(moment.bars.length + withdrawnBars.length > 0 ? { revises: revision ?? true } : {}),
      records: withdrawnBars.length > 0 ? "withdrawn" : isPublished(moment) ? "publisher" : undefined,
    },
  );
};

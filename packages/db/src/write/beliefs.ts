/** States of belief into the store, and bars of withdrawn ticks out of it. */
import { INTERVAL_MS, INTERVALS } from "@assay/contract";
import type { BeliefState } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import type { Store } from "../store.ts";
import { insertBehindFence, type WriterToken } from "./fence.ts";

/** The bars of one series that ticks made from an instant on. */
export interface BarUndo {
  readonly symbol: string;
  /** The source they name; bars of others stay. */
  readonly sourceId: string;
  readonly fromMs: number;
}

/** The upsert of a moment's states, to run behind the fence; none for no states. */
export const upsertOfBeliefs = (states: readonly BeliefState[]): SQL[] =>
  states.length === 0
    ? []
    : [
        sql`
          insert into beliefs (instrument, document)
          select state ->> 'instrument', state
          from fence, json_array_elements(${JSON.stringify(states)}::text::json) as state
          on conflict (instrument) do update set document = excluded.document`,
      ];

/**
 * Deletes the bars that withdrawn ticks made or changed; what they were before is for the next moment to write.
 * @throws StaleTokenError when a newer writer has written since; nothing is deleted
 */
export const undoBars = (store: Store, writer: WriterToken, undo: BarUndo): Promise<void> =>
  insertBehindFence(
    store,
    writer,
    INTERVALS.map(
      (interval) => sql`
        delete from bars using fence
        where symbol = ${undo.symbol} and interval = ${interval} and source_id = ${undo.sourceId}
          and bar_start > ${formatInstant(undo.fromMs - INTERVAL_MS[interval])}::timestamptz`,
    ),
  );

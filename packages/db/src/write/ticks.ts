/** Writes ticks to the store. */
import type { Tick } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";

/**
 * The insert of a moment's ticks, to run behind the fence; empty for no ticks. A duplicate sequence number fails the whole
 * statement, because no number may be published twice.
 */
export const insertOfTicks = (ticks: readonly Tick[]): SQL[] =>
  ticks.length === 0
    ? []
    : [
        sql`
          insert into ticks (instrument, seq, computed_at, payload)
          select tick ->> 'instrument', (tick ->> 'seq')::bigint, to_timestamp((tick ->> 'computedAtMs')::numeric / 1000), tick
          from fence, json_array_elements(${JSON.stringify(ticks)}::text::json) as tick`,
      ];

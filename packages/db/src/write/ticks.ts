/** Ticks into the store. */
import type { Tick } from "@assay/pricing";
import { sql } from "drizzle-orm";
import type { Database } from "../store.ts";

/** Inserts ticks. A sequence number that is taken fails, because no number is published twice. */
export const insertTicksIn = async (db: Database, ticks: readonly Tick[]): Promise<void> => {
  if (ticks.length === 0) return;
  await db.execute(sql`
    insert into ticks (instrument, seq, computed_at, payload)
    select tick ->> 'instrument', (tick ->> 'seq')::bigint,
      to_timestamp((tick ->> 'computedAtMs')::numeric / 1000), tick
    from json_array_elements(${JSON.stringify(ticks)}::text::json) as tick`);
};

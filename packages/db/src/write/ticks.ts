/** Writes ticks to the store. */
import type { Tick } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { unnest, unnestJson } from "./columns.ts";

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
          select
            ${unnest(ticks, (tick) => tick.instrument, "text")},
            ${unnest(ticks, (tick) => tick.seq, "bigint")},
            ${unnest(ticks, (tick) => formatInstant(tick.computedAtMs), "timestamptz")},
            ${unnestJson(ticks)}
          from fence`,
      ];

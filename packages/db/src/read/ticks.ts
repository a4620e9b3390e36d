/** Published ticks. */
import type { Instrument, Tick } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";

/**
 * Reads the ticks from an instant on and, for each instrument, the newest before it, so that there is a price as of that instant
 * even over a weekend.
 * @returns oldest first by time of computation
 */
export const readTicksSince = (store: Store, sinceMs: number): Promise<Tick[]> =>
  store.run(async (db) => {
    const since = formatInstant(sinceMs);
    // As one text: thousands of rows cost a driver more than they cost the server.
    const [row] = await rowsOf<{ ticks: string | null }>(
      db,
      sql`
        select '[' || string_agg(payload::text, ',' order by computed_at, instrument, seq) || ']' as ticks from (
          select instrument, seq, computed_at, payload from ticks where computed_at >= ${since}::timestamptz
          union all
          (select distinct on (instrument) instrument, seq, computed_at, payload from ticks
            where computed_at < ${since}::timestamptz order by instrument, computed_at desc, seq desc)
        ) as wanted`,
    );
    return JSON.parse(row?.ticks ?? "[]") as Tick[]; // as `insertOfTicks` wrote them
  });

/** The newest tick of each instrument, oldest first. */
export const readNewestTicks = (store: Store): Promise<Tick[]> =>
  store.run(async (db) => {
    const rows = await rowsOf<{ payload: Tick }>(
      db,
      sql`
        select payload from ticks
        join (select instrument, max(seq) as seq from ticks group by instrument) as newest using (instrument, seq)
        order by computed_at, instrument`,
    );
    return rows.map((row) => row.payload);
  });

/** The last sequence number of each instrument; the next tick gets one more. Empty before the first tick. */
export const readLastSeqs = (store: Store): Promise<Map<Instrument, number>> =>
  store.run(async (db) => {
    const rows = await rowsOf<{ instrument: Instrument; seq: number }>(
      db,
      sql`select instrument, max(seq)::float8 as seq from ticks group by instrument`,
    );
    return new Map(rows.map((row) => [row.instrument, row.seq]));
  });

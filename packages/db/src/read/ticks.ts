/** Published ticks. */
import type { Instrument, Tick } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";

/** Every instrument with ticks, as `series`, like `WALK_SERIES`: a start asks several times. */
const WALK_INSTRUMENTS = sql`
  with recursive series as (
    (select instrument from ticks order by instrument limit 1)
    union all
    select next.instrument from series cross join lateral (
      select instrument from ticks where ticks.instrument > series.instrument order by instrument limit 1
    ) as next
  )`;

const inOrder = (left: Tick, right: Tick): number => {
  if (left.computedAtMs !== right.computedAtMs) return left.computedAtMs - right.computedAtMs;
  return left.instrument < right.instrument ? -1 : left.instrument > right.instrument ? 1 : left.seq - right.seq;
};

/**
 * Reads the ticks from an instant on and, for each instrument, the newest before it, so that there is a price as of that instant
 * even over a weekend.
 * @returns oldest first by time of computation
 */
export const readTicksSince = (store: Store, sinceMs: number): Promise<Tick[]> =>
  store.run(async (db) => {
    const since = formatInstant(sinceMs);
    const rows = await rowsOf<{ payload: Tick }>(
      db,
      sql`
        ${WALK_INSTRUMENTS}
        select before.payload from series cross join lateral (
          select payload from ticks where ticks.instrument = series.instrument and computed_at < ${since}::timestamptz
          order by computed_at desc, seq desc limit 1
        ) as before
        union all
        select payload from ticks where computed_at >= ${since}::timestamptz`,
    );
    // Sorting thousands of documents in the embedded engine takes longer than reading them.
    return rows.map((row) => row.payload).sort(inOrder);
  });

/** The newest tick of each instrument, oldest first. */
export const readNewestTicks = (store: Store): Promise<Tick[]> =>
  store.run(async (db) => {
    const rows = await rowsOf<{ payload: Tick }>(
      db,
      sql`
        ${WALK_INSTRUMENTS}
        select payload from series cross join lateral (
          select computed_at, payload from ticks where ticks.instrument = series.instrument order by seq desc limit 1
        ) as newest
        order by computed_at, instrument`,
    );
    return rows.map((row) => row.payload);
  });

/** The last sequence number of each instrument; the next tick gets one more. Empty before the first tick. */
export const readLastSeqs = (store: Store): Promise<Map<Instrument, number>> =>
  store.run(async (db) => {
    const rows = await rowsOf<{ instrument: Instrument; seq: number }>(
      db,
      sql`
        ${WALK_INSTRUMENTS}
        select instrument, (select max(seq) from ticks where ticks.instrument = series.instrument)::float8 as seq from series`,
    );
    return new Map(rows.map((row) => [row.instrument, row.seq]));
  });

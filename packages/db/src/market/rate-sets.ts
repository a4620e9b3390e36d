/** The rates that stood beside ticks. */
import type { RateSet, RateTable } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { unnest, unnestJson } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";

const read = async (store: Store, rows: SQL): Promise<RateSet[]> => {
  const found = await store.run((db) =>
    rowsOf<{ id: number; beganAtMs: number; document: RateTable }>(
      db,
      sql`
        select id::float8 as id, (extract(epoch from began_at) * 1000)::float8 as "beganAtMs", document
        from (${rows}) as wanted order by id`,
    ),
  );
  return found.map(({ document, ...row }) => ({ ...row, ...document }));
};

/** Reads sets by their numbers; those that are not stored are left out. */
export const readRateSets = async (store: Store, ids: Iterable<number>): Promise<RateSet[]> => {
  const wanted = [...new Set(ids)];
  return wanted.length === 0
    ? []
    : read(store, sql`select * from rate_sets where id = any (${`{${wanted.join(",")}}`}::text::bigint[])`);
};

/** Reads the sets that began from an instant on, and the one that stood then: oldest first, and the newest in any case. */
export const readRateSetsSince = (store: Store, sinceMs: number): Promise<RateSet[]> => {
  const since = sql`${formatInstant(sinceMs)}::text::timestamptz`;
  return read(
    store,
    sql`
      select * from rate_sets
      where began_at >= ${since} or id in (
        (select id from rate_sets where began_at < ${since} order by began_at desc, id desc limit 1)
        union (select max(id) from rate_sets))`,
  );
};

/** The insert of sets, to run behind the fence; empty for none. One that is stored already stays: its write was not answered. */
export const insertOfRateSets = (sets: readonly RateSet[]): SQL[] =>
  sets.length === 0
    ? []
    : [
        sql`
          insert into rate_sets (id, began_at, document)
          select
            ${unnest(sets, ({ id }) => id, "bigint")},
            ${unnest(sets, ({ beganAtMs }) => formatInstant(beganAtMs), "timestamptz")},
            ${unnestJson(sets.map(({ origins, rates }): RateTable => ({ origins, rates })))}
          from fence
          on conflict (id) do nothing`,
      ];

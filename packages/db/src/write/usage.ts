/** Writes metered calls to the store. */
import { sql } from "drizzle-orm";
import type { Store } from "../store.ts";
import { unnest } from "./columns.ts";

/** Calls to add to an organisation's day. */
export interface UsageToAdd {
  readonly orgId: string;
  /** UTC day, YYYY-MM-DD. */
  readonly day: string;
  readonly calls: number;
}

/** Adds counted calls, all or none. Rows are locked in key order, so that two processes do not deadlock. */
export const addUsage = (store: Store, deltas: readonly UsageToAdd[]): Promise<void> =>
  store.run(async (db) => {
    if (deltas.length === 0) return;
    await db.execute(sql`
      insert into usage_daily as stored (org_id, day, calls)
      select org_id, day, sum(calls)::bigint
      from (select
        ${unnest(deltas, (delta) => delta.orgId, "text")} as org_id,
        ${unnest(deltas, (delta) => delta.day, "date")} as day,
        ${unnest(deltas, (delta) => delta.calls, "bigint")} as calls
      ) as delta
      group by org_id, day order by org_id collate "C", day
      on conflict (org_id, day) do update set calls = stored.calls + excluded.calls`);
  });

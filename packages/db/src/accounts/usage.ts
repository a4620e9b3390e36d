/** Metered calls of each organisation, by UTC day. */
import type { TierName } from "@assay/contract";
import { and, asc, eq, gte, lt, lte, sql } from "drizzle-orm";
import { usageDaily } from "../schema/accounts.ts";
import { unnest } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";

/** An organisation's metered calls. */
export interface StoredUsage {
  readonly today: number;
  readonly thisMonth: number;
}

/**
 * Reads the settled calls of a day, and of its month up to and including that day.
 * @param day UTC day, YYYY-MM-DD
 */
export const readUsage = (store: Store, orgId: string, day: string): Promise<StoredUsage> =>
  store.run(async (db) => {
    const [row] = await db
      .select({
        today: sql<number>`coalesce(sum(${usageDaily.calls}) filter (where ${usageDaily.day} = ${day}), 0)::float8`,
        thisMonth: sql<number>`coalesce(sum(${usageDaily.calls}), 0)::float8`,
      })
      .from(usageDaily)
      .where(and(eq(usageDaily.orgId, orgId), gte(usageDaily.day, `${day.slice(0, 7)}-01`), lte(usageDaily.day, day)));
    return row ?? { today: 0, thisMonth: 0 };
  });

export interface DayUsage {
  /** UTC day, YYYY-MM-DD. */
  readonly day: string;
  readonly calls: number;
}

/**
 * Reads the settled calls of each day of a month before a day, oldest first; days without calls have no entry.
 * @param day UTC day, YYYY-MM-DD
 */
export const readEarlierDays = (store: Store, orgId: string, day: string): Promise<readonly DayUsage[]> =>
  store.run((db) =>
    db
      .select({ day: usageDaily.day, calls: usageDaily.calls })
      .from(usageDaily)
      .where(and(eq(usageDaily.orgId, orgId), gte(usageDaily.day, `${day.slice(0, 7)}-01`), lt(usageDaily.day, day)))
      .orderBy(asc(usageDaily.day)),
  );

/** What an organisation called, for the operator. */
export interface OrganisationUsage extends StoredUsage {
  readonly org: string;
  readonly tier: TierName;
  readonly suspendedAtMs: number | null;
}

/**
 * Reads the settled calls of the organisations that called most in the month of a day, up to it, the most first.
 * @param day UTC day, YYYY-MM-DD
 * @param most how many organisations
 */
export const readTopUsage = (store: Store, day: string, most: number): Promise<OrganisationUsage[]> =>
  store.run((db) =>
    rowsOf<OrganisationUsage>(
      db,
      sql`
        select name as org, tier, (extract(epoch from suspended_at) * 1000)::float8 as "suspendedAtMs",
          coalesce(sum(calls) filter (where day = ${day}), 0)::float8 as today, sum(calls)::float8 as "thisMonth"
        from usage_daily join organisations on organisations.id = org_id
        where day between ${`${day.slice(0, 7)}-01`} and ${day}
        group by organisations.id having sum(calls) > 0 order by sum(calls) desc, name limit ${most}`,
    ),
  );

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

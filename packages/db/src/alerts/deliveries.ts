/** The outbox of events: as their owners see it, what is due, and what became of each try. */
import type { DeliveryStatus, TierName } from "@assay/contract";
import type { AlertOwner } from "@assay/pricing";
import { and, desc, eq, gt, sql } from "drizzle-orm";
import { deliveries } from "../schema/alerts.ts";
import { formatInstant } from "../schema/columns.ts";
import { insertBehindFence, type WriterToken } from "../statements/fence.ts";
import { instantOf, unnest } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";
import { KEYS_OF_OWNER, OWNER, type OwnerRow, ownerOf } from "./owners.ts";

export type DeliveryRow = typeof deliveries.$inferSelect;

/** One delivery of an organisation; null when it has none of that id. */
export const readDelivery = (store: Store, orgId: string, id: string): Promise<DeliveryRow | null> =>
  store.run(async (db) => {
    const [row] = await db
      .select()
      .from(deliveries)
      .where(and(eq(deliveries.id, id), eq(deliveries.orgId, orgId)));
    return row ?? null;
  });

export interface DeliveryQuery {
  readonly orgId: string;
  /** Only those after this instant. */
  readonly sinceMs: number;
  readonly limit: number;
  readonly alertId?: string | undefined;
  readonly endpointId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  /** Only those older than this one. */
  readonly before?: Pick<DeliveryRow, "createdAtMs" | "id"> | undefined;
}

/** A page of the deliveries of an organisation, newest first. */
export const readDeliveries = (store: Store, query: DeliveryQuery): Promise<DeliveryRow[]> => {
  const { orgId, sinceMs, limit, alertId, endpointId, status, before } = query;
  return store.run((db) =>
    db
      .select()
      .from(deliveries)
      .where(
        and(
          eq(deliveries.orgId, orgId),
          gt(deliveries.createdAtMs, sinceMs),
          alertId === undefined ? undefined : eq(deliveries.alertId, alertId),
          endpointId === undefined ? undefined : eq(deliveries.endpointId, endpointId),
          status === undefined ? undefined : eq(deliveries.status, status),
          before && sql`(${deliveries.createdAtMs}, ${deliveries.id}) < (${instantOf(before.createdAtMs)}, ${before.id})`,
        ),
      )
      .orderBy(desc(deliveries.createdAtMs), desc(deliveries.id))
      .limit(limit),
  );
};

/**
 * Puts an event of an organisation back into the outbox, under its id and with all its tries.
 * @returns `no_endpoint` when its endpoint was deleted
 */
export const redeliver = (
  store: Store,
  delivery: { readonly id: string; readonly orgId: string; readonly atMs: number },
): Promise<"pending" | "no_delivery" | "no_endpoint"> =>
  store.run(async (db) => {
    const mine = sql`deliveries.id = ${delivery.id} and deliveries.org_id = ${delivery.orgId}`;
    const [row] = await rowsOf<{ isPending: boolean }>(
      db,
      sql`
        with again as (
          update deliveries set status = 'pending', tries = 0, next_try_at = ${instantOf(delivery.atMs)}
          where ${mine} and exists (select from endpoints where id = deliveries.endpoint_id and deleted_at is null) returning 1
        )
        select exists (select from again) as "isPending" from deliveries where ${mine}`,
    );
    if (!row) return "no_delivery";
    return row.isPending ? "pending" : "no_endpoint";
  });

/** An event that is due: its content, and where it goes, are read when it is sent. */
export interface DueDelivery {
  readonly id: string;
  readonly orgId: string;
  readonly tier: TierName;
  readonly endpointId: string;
}

/** An event as it is sent, with its endpoint and its owner's rights as of now. */
export interface OutgoingDelivery {
  /** The `webhook-id`. */
  readonly id: string;
  readonly orgId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly secret: string;
  /** Those that sign as well until `previousUntilMs`, separated by spaces. */
  readonly previousSecret: string | null;
  readonly previousUntilMs: number | null;
  readonly failingSinceMs: number | null;
  readonly isDisabled: boolean;
  readonly isDeleted: boolean;
  readonly payload: string;
  readonly tries: number;
  readonly owner: AlertOwner;
  /** Its alert; null for a test, and for an alert that was deleted, whose events still go out. */
  readonly alert: {
    readonly symbol: string;
    /** How many alerts its owner has that were made before it. */
    readonly older: number;
  } | null;
}

const msOf = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`);

/**
 * Reads what is due, the longest waiting first, and a few of each endpoint, so that a long queue of one hides nothing of the others.
 * @param limit the most of each endpoint
 */
export const readDueDeliveries = (store: Store, nowMs: number, limit: number): Promise<DueDelivery[]> =>
  store.run((db) =>
    rowsOf(
      db,
      sql`
        with recursive waiting as (
          (select endpoint_id from deliveries where status = 'pending' order by endpoint_id limit 1)
          union all
          select next.endpoint_id from waiting cross join lateral (
            select endpoint_id from deliveries
            where status = 'pending' and deliveries.endpoint_id > waiting.endpoint_id order by endpoint_id limit 1
          ) as next
        )
        select due.id, endpoints.org_id as "orgId", tier, endpoints.id as "endpointId"
        from waiting
        join endpoints on endpoints.id = waiting.endpoint_id
        join organisations on organisations.id = endpoints.org_id
        cross join lateral (
          select id, next_try_at from deliveries
          where status = 'pending' and deliveries.endpoint_id = waiting.endpoint_id
            and next_try_at <= ${instantOf(nowMs)}
          order by next_try_at, id limit ${limit}
        ) as due
        order by due.next_try_at, due.id`,
      "prepared",
    ),
  );

/** Reads events just before they are sent; those that do not wait any more are left out. */
export const readOutgoing = async (store: Store, ids: readonly string[]): Promise<OutgoingDelivery[]> => {
  const rows = await store.run((db) =>
    rowsOf<Omit<OutgoingDelivery, "owner" | "alert"> & OwnerRow & { symbol: string | null; older: number }>(
      db,
      sql`
        select deliveries.id, endpoints.org_id as "orgId", endpoints.id as "endpointId", url, secret,
          previous_secret as "previousSecret", ${msOf("previous_until")} as "previousUntilMs",
          ${msOf("failing_since")} as "failingSinceMs", disabled_at is not null as "isDisabled",
          endpoints.deleted_at is not null as "isDeleted", payload, tries, ${OWNER}, alerts.symbol, older.count as older
        from (select ${unnest(ids, (id) => id, "text")} as id) as wanted
        join deliveries on deliveries.id = wanted.id and status = 'pending'
        join endpoints on endpoints.id = endpoint_id
        join organisations on organisations.id = endpoints.org_id ${KEYS_OF_OWNER}
        left join alerts on alerts.id = alert_id and alerts.deleted_at is null
        cross join lateral (
          select count(*)::int as count from alerts as other
          where other.org_id = alerts.org_id and other.deleted_at is null
            and (other.created_at, other.id) < (alerts.created_at, alerts.id)
        ) as older
        order by deliveries.next_try_at, deliveries.id`,
      "prepared",
    ),
  );
  return rows.map(({ tier, isSuspended, isEndless, keysUntilMs, symbol, older, ...row }) => ({
    ...row,
    owner: ownerOf({ tier, isSuspended, isEndless, keysUntilMs }),
    alert: symbol === null ? null : { symbol, older },
  }));
};

/** What waits to be sent, now or later. */
export interface WaitingDeliveries {
  readonly count: number;
  /** When the oldest of them was made; null when none waits. */
  readonly oldestMs: number | null;
}

export const readWaitingDeliveries = async (store: Store): Promise<WaitingDeliveries> => {
  const [row] = await store.run((db) =>
    rowsOf<WaitingDeliveries>(
      db,
      sql`select count(*)::float8 as count, ${msOf("min(created_at)")} as "oldestMs" from deliveries where status = 'pending'`,
    ),
  );
  return row ?? { count: 0, oldestMs: null };
};

export interface DeliveryResult {
  readonly id: string;
  readonly endpointId: string;
  /** Whether it was sent: otherwise it was no try, and says nothing of its endpoint. */
  readonly isTry: boolean;
  /** When it ended. */
  readonly atMs: number;
  readonly status: "delivered" | "pending" | "failed";
  /** When the next try is due; null for none. */
  readonly nextTryAtMs: number | null;
  /** The HTTP status; null without an answer. */
  readonly httpStatus: number | null;
  /** One word; null when it was delivered. */
  readonly error: string | null;
  /** Why its endpoint is disabled now; null when it is not. */
  readonly disables: string | null;
}

/** The last try of each endpoint. */
const lastOfEach = (results: readonly DeliveryResult[]): DeliveryResult[] => [
  ...new Map(results.filter(({ isTry }) => isTry).map((result) => [result.endpointId, result])).values(),
];

/**
 * Writes results. An endpoint that received one is enabled and no longer failing; what waits for one that is disabled has failed.
 * Writing a result a second time, after an answer that was lost, changes nothing.
 * @throws StaleTokenError when a newer writer has written since; nothing is stored
 */
export const writeDeliveryResults = async (
  store: Store,
  writer: WriterToken,
  results: readonly DeliveryResult[],
): Promise<void> => {
  const ofMs = (ms: number | null): string | null => (ms === null ? null : formatInstant(ms));
  const endpoints = lastOfEach(results);
  const disabled = endpoints.filter(({ disables }) => disables !== null);
  await insertBehindFence(store, writer, [
    sql`
      update deliveries set
        status = tried.status, tries = tries + tried.counted, next_try_at = tried.next_try_at,
        last_try_at = case when tried.counted = 0 then last_try_at else tried.at end,
        last_status = case when tried.counted = 0 then last_status else tried.http_status end,
        last_error = case when tried.counted = 0 then coalesce(tried.error, last_error) else tried.error end
      from (
        select
          ${unnest(results, ({ id }) => id, "text")} as id,
          ${unnest(results, ({ status }) => status, "text")} as status,
          ${unnest(results, ({ isTry }) => (isTry ? 1 : 0), "bigint")}::integer as counted,
          ${unnest(results, ({ nextTryAtMs }) => ofMs(nextTryAtMs), "timestamptz")} as next_try_at,
          ${unnest(results, ({ atMs }) => formatInstant(atMs), "timestamptz")} as at,
          ${unnest(results, ({ httpStatus }) => httpStatus, "bigint")}::integer as http_status,
          ${unnest(results, ({ error }) => error, "text")} as error
        from fence
      ) as tried
      where deliveries.id = tried.id and (deliveries.status = 'pending' or tried.status = 'delivered')
        and (tried.counted = 0 or last_try_at is distinct from tried.at)`,
    sql`
      update endpoints set
        failing_since = case when tried.received then null else coalesce(failing_since, tried.at) end,
        disabled_at = case when tried.received then null when tried.reason is null then disabled_at else coalesce(disabled_at, tried.at) end,
        disabled_reason = case when tried.received then null else coalesce(tried.reason, disabled_reason) end
      from (
        select
          ${unnest(endpoints, ({ endpointId }) => endpointId, "text")} as id,
          ${unnest(endpoints, ({ status }) => (status === "delivered" ? "t" : "f"), "boolean")} as received,
          ${unnest(endpoints, ({ atMs }) => formatInstant(atMs), "timestamptz")} as at,
          ${unnest(endpoints, ({ disables }) => disables, "text")} as reason
        from fence
      ) as tried
      where endpoints.id = tried.id
        and (not tried.received or failing_since is not null or disabled_at is not null)`,
    ...(disabled.length === 0
      ? []
      : [
          sql`
            update deliveries set status = 'failed', next_try_at = null, last_error = 'disabled'
            where status = 'pending'
              and endpoint_id in (select ${unnest(disabled, ({ endpointId }) => endpointId, "text")} from fence)
              and id not in (select ${unnest(results, ({ id }) => id, "text")} from fence)`,
        ]),
  ]);
};

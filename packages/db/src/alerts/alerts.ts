/** Alerts as their owners see and change them. Each change takes the next revision, by which the judge reads it. */
import { and, desc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { keepAnswer, type NewAnswer } from "../accounts/idempotency.ts";
import { claimSeat, inTurn, type Replayed } from "../accounts/organisations.ts";
import { organisations } from "../schema/accounts.ts";
import { alerts } from "../schema/alerts.ts";
import { instantOf } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";

export type AlertRow = typeof alerts.$inferSelect;

/** A stored alert among those of its owner. */
export interface OwnedAlert extends AlertRow {
  /** How many of them were made before it. */
  readonly older: number;
  /** Whether the operator has suspended all of them. */
  readonly isSuspended: boolean;
}

const older = sql<number>`(
  select count(*)::int from alerts as other
  where other.org_id = alerts.org_id and other.deleted_at is null
    and (other.created_at, other.id) < (alerts.created_at, alerts.id))`;

const owned = {
  ...getTableColumns(alerts),
  older,
  isSuspended: sql<boolean>`coalesce(suspended_at, alerts_suspended_at) is not null`,
};

/** The alerts of an organisation, newest first. */
export const readAlerts = async (store: Store, orgId: string): Promise<OwnedAlert[]> => {
  const rows = await store.run((db) =>
    db
      .select({ ...owned, older: sql<number>`0` })
      .from(alerts)
      .innerJoin(organisations, eq(organisations.id, alerts.orgId))
      .where(and(eq(alerts.orgId, orgId), isNull(alerts.deletedAtMs)))
      .orderBy(desc(alerts.createdAtMs), desc(alerts.id)),
  );
  return rows.map((row, newer) => ({ ...row, older: rows.length - 1 - newer }));
};

/** One alert of an organisation; null when it has none of that id. */
export const readAlert = (store: Store, orgId: string, id: string): Promise<OwnedAlert | null> =>
  store.run(async (db) => {
    const [row] = await db
      .select(owned)
      .from(alerts)
      .innerJoin(organisations, eq(organisations.id, alerts.orgId))
      .where(and(eq(alerts.id, id), eq(alerts.orgId, orgId), isNull(alerts.deletedAtMs)));
    return row ?? null;
  });

/** Whether the operator has suspended the alerts of an organisation. */
export const readSuspended = (store: Store, orgId: string): Promise<boolean> =>
  store.run(async (db) => {
    const [row] = await db
      .select({ atMs: organisations.alertsSuspendedAtMs })
      .from(organisations)
      .where(eq(organisations.id, orgId));
    return row?.atMs != null;
  });

const bigint = (value: number): SQL => sql`${String(value)}::text::bigint`;

/** Takes the next revision; its row stays locked until the commit, so that revisions rise in the order of commits. */
const revised = (where: SQL): SQL =>
  sql`update alert_revision set revision = revision + 1 where id = 1 and ${where} returning revision`;

export type NewAlert = Omit<AlertRow, "hasFired" | "lastFiredAtMs" | "updatedAtMs" | "revision" | "deletedAtMs">;

export type AlertAdded = { readonly kind: "added" | "limit_reached" | "no_endpoint" } | Replayed;

/**
 * Adds an alert unless its organisation is at its limit, or does not have its endpoint.
 * @param mostAlerts the limit
 * @param answer under an Idempotency-Key
 */
export const addAlert = (store: Store, alert: NewAlert, mostAlerts: number, answer?: NewAnswer): Promise<AlertAdded> => {
  const { orgId, endpointId, createdAtMs: atMs } = alert;
  return inTurn<AlertAdded>(store, { orgId, endpointId, atMs, answer }, async (turn) => {
    if (!turn.hasEndpoint) return { kind: "no_endpoint" };
    if (turn.alerts >= mostAlerts) return { kind: "limit_reached" };
    const statement = sql`
      with seat as (${claimSeat(turn)}), turn as (${keepAnswer(answer, "seat", atMs)}),
      revised as (${revised(sql`exists (select from turn)`)})
      insert into alerts (
        id, org_id, name, symbol, kind, threshold, window_seconds, direction, once, endpoint_id, state, has_fired, seen_seq, memory,
        created_at, updated_at, revision
      )
      select
        ${alert.id}, ${orgId}, ${alert.name}, ${alert.symbol}, ${alert.kind}, ${alert.threshold}::text,
        ${alert.windowSeconds}::int, ${alert.direction}::text, ${alert.once}::boolean, ${endpointId}, ${alert.state}, false, ${bigint(alert.seenSeq)},
        ${alert.memory}::text, ${instantOf(atMs)}, ${instantOf(atMs)}, revision
      from revised returning 1`;
    return (await store.run((db) => rowsOf(db, statement))).length > 0 ? { kind: "added" } : null;
  });
};

/** An alert to be changed, and where it is sent from now on. */
export interface AlertAt {
  readonly id: string;
  readonly orgId: string;
  readonly atMs: number;
  readonly endpointId?: string | undefined;
}

/** What is changed of an alert; the rest stays. */
export interface AlertChange {
  readonly name?: string | undefined;
  /** Set where it is judged afresh, as if it was made now. */
  readonly afresh?:
    | Pick<AlertRow, "threshold" | "windowSeconds" | "direction" | "once" | "state" | "seenSeq" | "memory">
    | undefined;
}

/** What became of it: the alert as it was before. */
export type AlertChanged<Change> =
  | { readonly kind: "changed"; readonly before: OwnedAlert; readonly change: Change }
  | { readonly kind: "no_alert" | "no_endpoint" };

/**
 * Changes an alert of an organisation.
 * @param changeOf decides by the alert as it is, again when another change was faster
 */
export const changeAlert = async <Change extends AlertChange>(
  store: Store,
  { id, orgId, endpointId, atMs }: AlertAt,
  changeOf: (alert: OwnedAlert) => Change | Promise<Change>,
): Promise<AlertChanged<Change>> => {
  const own = sql`alerts.id = ${id} and alerts.org_id = ${orgId} and alerts.deleted_at is null`;
  const turnOf = { orgId, ...(endpointId === undefined ? {} : { endpointId }), atMs };
  const result = await inTurn<AlertChanged<Change>>(store, turnOf, async (turn) => {
    const before = await readAlert(store, orgId, id);
    if (!before) return { kind: "no_alert" };
    const change = await changeOf(before);
    if (endpointId !== undefined && !turn.hasEndpoint) return { kind: "no_endpoint" };
    const { name, afresh } = change;
    const sets = [
      sql`updated_at = ${instantOf(atMs)}`,
      sql`revision = revised.revision`,
      ...(name === undefined ? [] : [sql`name = ${name}`]),
      ...(endpointId === undefined ? [] : [sql`endpoint_id = ${endpointId}`]),
      ...(afresh
        ? [
            sql`threshold = ${afresh.threshold}::text, window_seconds = ${afresh.windowSeconds}::int, once = ${afresh.once}::boolean`,
            sql`direction = ${afresh.direction}::text`,
            sql`state = ${afresh.state}, has_fired = false, memory = ${afresh.memory}::text, seen_seq = ${bigint(afresh.seenSeq)}`,
          ]
        : []),
    ];
    const statement = sql`
      with seat as (${claimSeat(turn)}), revised as (${revised(sql`exists (select from seat)`)})
      update alerts set ${sql.join(sets, sql`, `)} from revised where ${own} returning 1`;
    const changed = await store.run((db) => rowsOf(db, statement));
    return changed.length > 0 ? { kind: "changed", before, change } : null;
  });
  // Without an answer to keep nothing is replayed.
  return result.kind === "replayed" ? { kind: "no_alert" } : result;
};

/**
 * Deletes an alert of an organisation.
 * @returns whether there was one
 */
export const deleteAlert = (store: Store, alert: Pick<AlertAt, "id" | "orgId" | "atMs">): Promise<boolean> =>
  store.run(async (db) => {
    const own = sql`id = ${alert.id} and org_id = ${alert.orgId} and deleted_at is null`;
    const rows = await rowsOf(
      db,
      sql`
        with revised as (${revised(sql`exists (select from alerts where ${own})`)})
        update alerts set deleted_at = ${instantOf(alert.atMs)}, revision = revised.revision from revised
        where ${own} returning 1`,
    );
    return rows.length > 0;
  });

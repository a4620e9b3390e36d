/** What a judge of alerts begins with, and what it found: events, where alerts stand, and how far they were judged. */
import type { AlertCursor, AlertOwner, AlertStanding, NumberedAlert } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { insertBehindFence, type WriterToken } from "../statements/fence.ts";
import { instantOf, unnest } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";
import { KEYS_OF_OWNER, OWNER, type OwnerRow, ownerOf } from "./owners.ts";

export interface StoredAlert extends NumberedAlert {
  readonly orgId: string;
  readonly createdAtMs: number;
  readonly isDeleted: boolean;
}

export interface AlertNews {
  readonly changes: readonly StoredAlert[];
  /** A number that moves whenever the tier, a key or the suspension of any organisation changes. */
  readonly rights: number;
}

/**
 * Reads the alerts that were made, changed or deleted since a revision, each with the newest change. Revisions are in the order of
 * commits, so that none below the newest is read later.
 * @param since the newest revision known; 0 for all alerts, without deleted ones
 */
export const readAlertNews = (store: Store, since: number): Promise<AlertNews> =>
  store.run(async (db) => {
    const rows = await rowsOf<{ rights: number } & (StoredAlert | { id: null })>(
      db,
      sql`
        select alert_revision.rights::float8 as rights, changed.* from alert_revision left join (
          select id, name, symbol, kind, threshold, window_seconds as "windowSeconds", direction, once, state, has_fired as "hasFired",
            seen_seq::float8 as "seenSeq", memory, revision::float8 as revision, deleted_at is not null as "isDeleted",
            org_id as "orgId", (extract(epoch from created_at) * 1000)::float8 as "createdAtMs"
          from alerts where revision > ${String(since)}::text::bigint and (${since > 0} or deleted_at is null)
        ) as changed on true
        order by changed.revision`,
      "prepared",
    );
    const changes = rows.flatMap(({ rights: _, ...row }) => (row.id === null ? [] : [row]));
    return { changes, rights: rows[0]?.rights ?? 0 };
  });

/** Reads what the owners of alerts may have, by organisation. */
export const readAlertOwners = async (store: Store): Promise<Map<string, AlertOwner>> => {
  const rows = await store.run((db) =>
    rowsOf<OwnerRow & { orgId: string }>(
      db,
      sql`
        select organisations.id as "orgId", ${OWNER} from organisations ${KEYS_OF_OWNER}
        where exists (select from alerts where org_id = organisations.id and deleted_at is null)`,
      "prepared",
    ),
  );
  return new Map(rows.map(({ orgId, ...row }) => [orgId, ownerOf(row)]));
};

/** How far each view of each instrument was judged. */
export const readAlertCursors = (store: Store): Promise<AlertCursor[]> =>
  store.run((db) =>
    rowsOf(
      db,
      sql`
        select instrument, view, seq::float8 as seq, (extract(epoch from at) * 1000)::float8 as "atMs", revision::float8 as revision
        from alert_cursors`,
    ),
  );

export interface FiredDelivery {
  /** Its `webhook-id`. */
  readonly id: string;
  /** The text that was sent. */
  readonly payload: string;
}

/** Ticks of some symbols. */
export interface FiringRange {
  readonly symbols: readonly string[];
  /** Both ends inclusive. */
  readonly fromSeq: number;
  readonly toSeq: number;
}

/** Reads the events that fired at ticks of a range and were not taken back yet. */
export const readFiringsOn = (store: Store, { symbols, fromSeq, toSeq }: FiringRange): Promise<FiredDelivery[]> =>
  store.run((db) =>
    rowsOf(
      db,
      sql`
        select fired.id, fired.payload
        from (select ${unnest(symbols, (symbol) => symbol, "text")} as symbol) as wanted
        join alerts on alerts.symbol = wanted.symbol
        join deliveries as fired on fired.alert_id = alerts.id and fired.type in ('price.above', 'price.below', 'price.moved')
          and fired.seq between ${String(fromSeq)}::text::bigint and ${String(toSeq)}::text::bigint
        where not exists (
          select from deliveries as taken
          where taken.alert_id = fired.alert_id and taken.type = 'price.withdrawn' and taken.seq = fired.seq)`,
    ),
  );

/** Where an alert stands, by the change of its owner that it was judged by. */
export interface JudgedStanding extends AlertStanding {
  readonly id: string;
  readonly revision: number;
  /** When it fired now; null when it did not. */
  readonly firedAtMs: number | null;
}

export interface JudgedEvent {
  /** The `webhook-id`. */
  readonly id: string;
  readonly alertId: string;
  /** The tick it fired at; null for events that may come again on the same one. */
  readonly seq: number | null;
  readonly type: string;
  /** What is sent and signed. */
  readonly payload: string;
}

export interface AlertJudgement {
  readonly standings: readonly JudgedStanding[];
  /** Each of an alert in `standings`. */
  readonly events: readonly JudgedEvent[];
  /** Ids of events that wait to be sent, and are left out in favour of later ones. */
  readonly dropped?: readonly string[];
  readonly cursors: readonly AlertCursor[];
  readonly atMs: number;
}

/** Reads the events of alerts that wait to be sent, oldest first. */
export const readPendingEvents = (
  store: Store,
  alertIds: readonly string[],
): Promise<Pick<JudgedEvent, "id" | "alertId" | "payload">[]> =>
  store.run((db) =>
    rowsOf(
      db,
      sql`
        select id, alert_id as "alertId", payload from (select ${unnest(alertIds, (id) => id, "text")} as wanted) as fired
        join deliveries on alert_id = wanted and status = 'pending' and type <> 'price.withdrawn'
        order by created_at, id`,
      "prepared",
    ),
  );

/** Where events of an endpoint begin: one that is disabled keeps them as failed, to be sent again when asked for. */
const BEGINNING = sql`
  case when disabled_at is null and deleted_at is null then 'pending' else 'failed' end as status,
  case when disabled_at is null and deleted_at is null then at end as next_try_at,
  case when disabled_at is null and deleted_at is null then null else 'disabled' end as last_error`;

/**
 * Writes a judgement. An alert that its owner has changed or deleted in between stays as it is, and its events are dropped: it is
 * judged again by what it has become. Writing a judgement a second time changes nothing.
 * @throws StaleTokenError when a newer writer has written since; nothing is stored
 */
export const writeAlertJudgement = async (
  store: Store,
  writer: WriterToken,
  { standings, events, dropped = [], cursors, atMs }: AlertJudgement,
): Promise<void> => {
  const at = instantOf(atMs);
  const ofMs = (ms: number | null): string | null => (ms === null ? null : formatInstant(ms));
  await insertBehindFence(store, writer, [
    sql`
      update alerts set
        state = judged.state, has_fired = judged.has_fired, seen_seq = judged.seen_seq, memory = judged.memory,
        last_fired_at = coalesce(judged.fired_at, last_fired_at)
      from (
        select
          ${unnest(standings, ({ id }) => id, "text")} as id,
          ${unnest(standings, ({ revision }) => revision, "bigint")} as revision,
          ${unnest(standings, ({ state }) => state, "text")} as state,
          ${unnest(standings, ({ hasFired }) => (hasFired ? "t" : "f"), "boolean")} as has_fired,
          ${unnest(standings, ({ seenSeq }) => seenSeq, "bigint")} as seen_seq,
          ${unnest(standings, ({ memory }) => memory, "text")} as memory,
          ${unnest(standings, ({ firedAtMs }) => ofMs(firedAtMs), "timestamptz")} as fired_at
        from fence
      ) as judged
      where alerts.id = judged.id and alerts.revision = judged.revision and deleted_at is null
      returning alerts.id, org_id, endpoint_id`,
    sql`
      insert into deliveries (id, org_id, endpoint_id, alert_id, seq, type, payload, created_at, tries, status, next_try_at, last_error)
      select event.id, step_0.org_id, endpoint_id, event.alert_id, seq, type, payload, at, 0, ${BEGINNING}
      from (
        select
          ${unnest(events, ({ id }) => id, "text")} as id,
          ${unnest(events, ({ alertId }) => alertId, "text")} as alert_id,
          ${unnest(events, ({ seq }) => seq, "bigint")} as seq,
          ${unnest(events, ({ type }) => type, "text")} as type,
          ${unnest(events, ({ payload }) => payload, "text")} as payload,
          ${at} as at
        from fence
      ) as event
      join step_0 on step_0.id = event.alert_id
      join endpoints on endpoints.id = endpoint_id
      on conflict do nothing`,
    sql`
      insert into alert_cursors (instrument, view, seq, at, revision)
      select
        ${unnest(cursors, ({ instrument }) => instrument, "text")},
        ${unnest(cursors, ({ view }) => view, "text")},
        ${unnest(cursors, ({ seq }) => seq, "bigint")},
        ${unnest(cursors, (cursor) => formatInstant(cursor.atMs), "timestamptz")},
        ${unnest(cursors, ({ revision }) => revision, "bigint")}
      from fence
      on conflict (instrument, view) do update set seq = excluded.seq, at = excluded.at, revision = excluded.revision`,
    ...(dropped.length === 0
      ? []
      : [
          sql`
            delete from deliveries where status = 'pending' and id in (select ${unnest(dropped, (id) => id, "text")} from fence)`,
        ]),
  ]);
};

export interface Retraction {
  readonly id: string;
  /** The event it takes back. */
  readonly of: string;
  readonly payload: string;
}

/**
 * Writes events that take back others, one for each at most, for the same endpoints. What is taken back is not tried any more: after
 * the event that takes it back a receiver would believe it.
 * @throws StaleTokenError when a newer writer has written since; nothing is stored
 */
export const writeRetractions = async (
  store: Store,
  writer: WriterToken,
  retractions: readonly Retraction[],
  atMs: number,
): Promise<void> => {
  await insertBehindFence(store, writer, [
    sql`
      insert into deliveries (id, org_id, endpoint_id, alert_id, seq, type, payload, created_at, tries, status, next_try_at, last_error)
      select taken.id, fired.org_id, endpoint_id, alert_id, seq, 'price.withdrawn', taken.payload, at, 0, ${BEGINNING}
      from (
        select
          ${unnest(retractions, ({ id }) => id, "text")} as id,
          ${unnest(retractions, ({ of }) => of, "text")} as fired_id,
          ${unnest(retractions, ({ payload }) => payload, "text")} as payload,
          ${instantOf(atMs)} as at
        from fence
      ) as taken
      join deliveries as fired on fired.id = fired_id
      join endpoints on endpoints.id = endpoint_id
      on conflict do nothing`,
    sql`
      update deliveries set status = 'failed', next_try_at = null, last_error = 'withdrawn'
      from (select ${unnest(retractions, ({ of }) => of, "text")} as id from fence) as fired
      where deliveries.id = fired.id and status = 'pending'`,
  ]);
};

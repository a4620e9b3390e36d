/** Tables of alerts: where events are sent, what is watched, how far it was judged, and the outbox of events. */

import type { AlertKind, AlertState, DeliveryStatus, MoveDirection, WebhookType } from "@assay/contract";
import type { Instrument } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, smallint, text, uniqueIndex } from "drizzle-orm/pg-core";
import { organisations } from "./accounts.ts";
import { count, instant } from "./columns.ts";

/** Where an organisation's events are sent to. The secrets are stored as they are, since they sign. */
export const endpoints = pgTable(
  "endpoints",
  {
    id: text().primaryKey(),
    orgId: text("org_id")
      .notNull()
      .references(() => organisations.id),
    url: text().notNull(),
    secret: text().notNull(),
    /** Those that sign as well until then, after rotations; separated by spaces, the newest first. */
    previousSecret: text("previous_secret"),
    previousUntilMs: instant("previous_until"),
    createdAtMs: instant("created_at").notNull(),
    failingSinceMs: instant("failing_since"),
    disabledAtMs: instant("disabled_at"),
    disabledReason: text("disabled_reason"),
    deletedAtMs: instant("deleted_at"),
  },
  (table) => [index("endpoints_by_organisation").on(table.orgId)],
);

/** What an organisation wants to hear of. Whether it is judged on delayed prices follows from the organisation's tier. */
export const alerts = pgTable(
  "alerts",
  {
    id: text().primaryKey(),
    orgId: text("org_id")
      .notNull()
      .references(() => organisations.id),
    name: text().notNull(),
    symbol: text().notNull(),
    kind: text().$type<AlertKind>().notNull(),
    /** Exact decimal text: a price, or a percentage for `moved`. */
    threshold: text(),
    windowSeconds: integer("window_seconds"),
    /** Of `moved`: `up`, `down` or `either`. */
    direction: text().$type<MoveDirection>(),
    once: boolean().notNull(),
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => endpoints.id),
    state: text().$type<AlertState>().notNull(),
    hasFired: boolean("has_fired").notNull(),
    /** The tick that its state is of: the one its owner saw at first, then that of its last change. It is judged on those after it. */
    seenSeq: count("seen_seq").notNull(),
    /** JSON that only the judge reads: the window of `moved`, stored now and then, and how it stood before prices that may be withdrawn. */
    memory: text(),
    lastFiredAtMs: instant("last_fired_at"),
    createdAtMs: instant("created_at").notNull(),
    updatedAtMs: instant("updated_at").notNull(),
    /** Number of its last change by its owner. */
    revision: count().notNull(),
    deletedAtMs: instant("deleted_at"),
  },
  (table) => [index("alerts_by_revision").on(table.revision), index("alerts_by_organisation").on(table.orgId)],
);

/** Numbers the changes of alerts in the order of their commits. Exactly one row, created by the migration. */
export const alertRevision = pgTable("alert_revision", {
  id: smallint().primaryKey(),
  revision: count().notNull(),
  /** Counts the changes of tiers and keys: triggers do. */
  rights: count().notNull().default(0),
});

/** The newest tick of each instrument that alerts were judged on, live and 15 minutes late. */
export const alertCursors = pgTable(
  "alert_cursors",
  {
    instrument: text().$type<Instrument>().notNull(),
    view: text().$type<"live" | "delayed">().notNull(),
    seq: count().notNull(),
    atMs: instant("at").notNull(),
    /** Of the changes by owners that it was judged with. */
    revision: count().notNull(),
  },
  (table) => [primaryKey({ name: "alert_cursors_pk", columns: [table.instrument, table.view] })],
);

/** The outbox: each event, what is sent of it, and what became of it. Rows outlive their alert and endpoint. */
export const deliveries = pgTable(
  "deliveries",
  {
    /** The `webhook-id`, the same in every try. */
    id: text().primaryKey(),
    orgId: text("org_id").notNull(),
    endpointId: text("endpoint_id").notNull(),
    /** Null for a test. */
    alertId: text("alert_id"),
    seq: count(),
    type: text().$type<WebhookType>().notNull(),
    /** The exact text that is sent and signed. */
    payload: text().notNull(),
    createdAtMs: instant("created_at").notNull(),
    status: text().$type<DeliveryStatus>().notNull(),
    tries: integer().notNull(),
    nextTryAtMs: instant("next_try_at"),
    lastTryAtMs: instant("last_try_at"),
    /** The HTTP status of the last try, when it got an answer. */
    lastStatus: integer("last_status"),
    /** Why the last try failed, in one word. */
    lastError: text("last_error"),
  },
  (table) => [
    index("deliveries_due").on(table.endpointId, table.nextTryAtMs).where(sql`status = 'pending'`),
    index("deliveries_waiting").on(table.alertId).where(sql`status = 'pending'`),
    uniqueIndex("deliveries_once").on(table.alertId, table.type, table.seq).where(sql`alert_id is not null`),
    index("deliveries_by_organisation").on(table.orgId, table.createdAtMs, table.id),
  ],
);

/** Tables of accounts: organisations, their keys, responses kept for retries, and metered calls. */
import type { TierName } from "@assay/contract";
import { date, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, count, instant, second } from "./columns.ts";

/** The owners of keys, limits and quotas. */
export const organisations = pgTable("organisations", {
  id: text().primaryKey(),
  name: text().notNull(),
  tier: text().$type<TierName>().notNull(),
  createdAtMs: instant("created_at").notNull(),
  /** When the operator suspended it: its keys are refused; null while they work. */
  suspendedAtMs: instant("suspended_at"),
  /** When the operator suspended its alerts; null while they are judged. */
  alertsSuspendedAtMs: instant("alerts_suspended_at"),
});

/** Every key ever minted. Only its SHA-256 is stored: a key has 190 bits of entropy, so a slow hash is unnecessary. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: text().primaryKey(),
    orgId: text("org_id")
      .notNull()
      .references(() => organisations.id),
    name: text().notNull(),
    keyHash: text("key_hash").notNull().unique("api_keys_key_hash_unique"),
    keyPrefix: text("key_prefix").notNull(),
    createdAtMs: instant("created_at").notNull(),
    lastUsedAtMs: instant("last_used_at"),
    /** In the future during grace. */
    revokedAtMs: second("revoked_at"),
    /** When it ends by itself, which is no grace: until then it may do everything. Set when it is minted, and never changed. */
    expiresAtMs: second("expires_at"),
  },
  (table) => [index("api_keys_by_organisation").on(table.orgId)],
);

/** Responses of the last day, kept for retries under an Idempotency-Key and encrypted at rest. */
export const idempotencyKeys = pgTable("idempotency_keys", {
  scopeHash: text("scope_hash").primaryKey(),
  bodyDigest: text("body_digest").notNull(),
  sealed: bytes().notNull(),
  createdAtMs: instant("created_at").notNull(),
});

/** Metered calls by UTC day. Rows outlive the organisation, because they record what was billed. */
export const usageDaily = pgTable(
  "usage_daily",
  {
    orgId: text("org_id").notNull(),
    day: date({ mode: "string" }).notNull(),
    calls: count().notNull(),
  },
  (table) => [primaryKey({ name: "usage_daily_pk", columns: [table.orgId, table.day] })],
);

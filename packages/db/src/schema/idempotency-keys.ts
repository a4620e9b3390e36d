/** Responses kept for retries under an Idempotency-Key, encrypted at rest. */
import { pgTable, text } from "drizzle-orm/pg-core";
import { bytes, instant } from "./columns.ts";

/** One row per caller and Idempotency-Key of the last day. */
export const idempotencyKeys = pgTable("idempotency_keys", {
  scopeHash: text("scope_hash").primaryKey(),
  bodyDigest: text("body_digest").notNull(),
  sealed: bytes().notNull(),
  createdAtMs: instant("created_at").notNull(),
});

/** Secrets shared by all processes of a service, such as the cursor's signing key. */
import { pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** One row per secret. */
export const serviceSecrets = pgTable("service_secrets", {
  name: text().primaryKey(),
  value: text().notNull(),
  createdAtMs: instant("created_at").notNull(),
});

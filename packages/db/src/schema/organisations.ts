/** Organisations: the owners of keys, limits and quotas. */
import type { TierName } from "@assay/contract";
import { pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** One row per organisation. */
export const organisations = pgTable("organisations", {
  id: text().primaryKey(),
  name: text().notNull(),
  tier: text().$type<TierName>().notNull(),
  createdAtMs: instant("created_at").notNull(),
});

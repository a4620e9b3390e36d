/** API keys. Only their SHA-256 is stored: a key has 190 bits of entropy, so a slow hash is unnecessary. */
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";
import { organisations } from "./organisations.ts";

/** One row per key ever minted. */
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
    revokedAtMs: instant("revoked_at"),
  },
  (table) => [index("api_keys_by_organisation").on(table.orgId)],
);

/** Currency rates into the store. */
import type { FxObservation } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { fxTables } from "../schema/fx-tables.ts";
import type { Database } from "../store.ts";

/** Upserts tables; a later reading of the same source and moment replaces the earlier. */
export const upsertFxTablesIn = async (db: Database, tables: readonly FxObservation[]): Promise<void> => {
  const distinct = new Map(tables.map((table) => [`${table.source} ${table.base} ${table.observedAtMs}`, table]));
  if (distinct.size === 0) return;
  await db
    .insert(fxTables)
    .values([...distinct.values()])
    .onConflictDoUpdate({
      target: [fxTables.source, fxTables.base, fxTables.observedAtMs],
      set: { role: sql`excluded.role`, freshForMs: sql`excluded.fresh_for_ms`, rates: sql`excluded.rates` },
    });
};

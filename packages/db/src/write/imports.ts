/** Writes records of finished imports to the store. */
import { sql } from "drizzle-orm";
import type { ImportRecord } from "../read/imports.ts";
import { imports } from "../schema/imports.ts";
import type { Store } from "../store.ts";

/** Records that a file is completely imported. */
export const recordImport = (store: Store, record: ImportRecord): Promise<void> =>
  store.run(async (db) => {
    await db
      .insert(imports)
      .values(record)
      .onConflictDoUpdate({
        target: [imports.fileDigest, imports.symbol, imports.interval],
        set: {
          rows: sql`excluded.rows`,
          finishedAtMs: sql`excluded.finished_at`,
          firstStartMs: sql`excluded.first_start`,
          lastStartMs: sql`excluded.last_start`,
        },
      });
  });

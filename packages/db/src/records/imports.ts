/** Files that were imported. */
import type { Interval } from "@assay/contract";
import { and, eq, sql } from "drizzle-orm";
import { imports } from "../schema/records.ts";
import type { Store } from "../store.ts";

export interface ImportRecord {
  /** SHA-256 of the file's bytes. */
  readonly fileDigest: string;
  readonly symbol: string;
  readonly interval: Interval;
  readonly rows: number;
  readonly finishedAtMs: number;
  /** The first and the last bar of the file, whichever series it was imported into; null in older records. */
  readonly firstStartMs: number | null;
  readonly lastStartMs: number | null;
}

/** Finds the record of a file that was already imported into a series. */
export const findImport = (
  store: Store,
  file: Pick<ImportRecord, "fileDigest" | "symbol" | "interval">,
): Promise<ImportRecord | null> =>
  store.run(async (db) => {
    const [row] = await db
      .select()
      .from(imports)
      .where(and(eq(imports.fileDigest, file.fileDigest), eq(imports.symbol, file.symbol), eq(imports.interval, file.interval)));
    return row ?? null;
  });

export const readImports = (store: Store, series: Pick<ImportRecord, "symbol" | "interval">): Promise<ImportRecord[]> =>
  store.run((db) =>
    db
      .select()
      .from(imports)
      .where(and(eq(imports.symbol, series.symbol), eq(imports.interval, series.interval))),
  );

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

/** Finished imports. */
import type { Interval } from "@assay/contract";
import { and, eq } from "drizzle-orm";
import { imports } from "../schema/imports.ts";
import type { Store } from "../store.ts";

/** A file whose bars are all in. */
export interface ImportRecord {
  /** SHA-256 of the file's bytes. */
  readonly fileDigest: string;
  readonly symbol: string;
  readonly interval: Interval;
  readonly rows: number;
  readonly finishedAtMs: number;
  /** The first and the last bar it brought, wherever it was imported to; null in records from before they were kept. */
  readonly firstStartMs: number | null;
  readonly lastStartMs: number | null;
}

/** Finds the record of a file that was imported into a series before. */
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

/** The records of every file that was imported into a series. */
export const readImports = (store: Store, series: Pick<ImportRecord, "symbol" | "interval">): Promise<ImportRecord[]> =>
  store.run((db) =>
    db
      .select()
      .from(imports)
      .where(and(eq(imports.symbol, series.symbol), eq(imports.interval, series.interval))),
  );

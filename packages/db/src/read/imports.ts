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

/** Builds the archives of one year of one series: read once, written in both formats, moved into place, recorded. */
import { createHash } from "node:crypto";
import { type ArchiveName, type ArchiveStore, CsvArchive, ParquetArchive } from "@assay/archives";
import type { BarSymbol, Interval } from "@assay/contract";
import { readLedgerHead, recordArchive, type Store, type WriterToken, walkArchiveBars } from "@assay/db";
import type { Time } from "@assay/ports";
import { TermEndedError } from "../term/term-options.ts";

/**
 * Bars read together: a row group of the Parquet file, and no more than an embedded engine can read without blocking its
 * process, or keeping much memory.
 */
const BATCH = 4_000;

/** An archive to be built, in both formats. */
export interface DueArchive {
  readonly symbol: BarSymbol;
  readonly interval: Interval;
  readonly year: number;
  /** How many times its bars have been replaced in bulk. */
  readonly changes: number;
}

export interface ArchiveBuilding {
  readonly store: Store;
  readonly archives: ArchiveStore;
  readonly writer: WriterToken;
  readonly clock: Time;
  readonly signal: AbortSignal;
  readonly mayWrite: () => boolean;
}

/**
 * Builds the archives of one year; a year without closed bars has none. If it is interrupted, the previous archives stay in
 * place, and it is repeated.
 * @returns the number of bars they contain
 * @throws TermEndedError, StaleTokenError, or the errors of store and archives
 */
export const buildArchive = async (due: DueArchive, building: ArchiveBuilding): Promise<number> => {
  const { store, archives, writer, clock, signal, mayWrite } = building;
  const { symbol, interval, year, changes } = due;
  const goOn = (): void => {
    if (signal.aborted || !mayWrite()) throw new TermEndedError("the lease ran out");
  };
  const builtAtMs = clock();
  const named = (format: ArchiveName["format"]): ArchiveName => ({ symbol, interval, year, format });
  // Read before any bar: a writer that lost the lease meanwhile must not replace newer archives with its older bars.
  const replaced = { csv: await archives.versionOf(named("csv")), parquet: await archives.versionOf(named("parquet")) };
  // One snapshot, however many readings it takes.
  const { revision } = await readLedgerHead(store);
  const csv = new CsvArchive();
  const parquet = new ParquetArchive(revision);
  let rows = 0;
  const window = { revision, symbol, interval, fromMs: Date.UTC(year, 0, 1), untilMs: Date.UTC(year + 1, 0, 1), limit: BATCH };
  for await (const batch of walkArchiveBars(store, window)) {
    goOn();
    csv.add(batch);
    parquet.add(batch);
    rows += batch.rows;
    // The embedded engine answers without yielding to the event loop; the lease's timers need that.
    await clock.turn();
  }
  const put = async (format: ArchiveName["format"], bytes: Uint8Array): Promise<void> => {
    goOn();
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await archives.put(named(format), bytes, { rows, sha256, revision }, replaced[format]);
  };
  if (rows > 0) {
    await put("csv", csv.finish());
    await put("parquet", parquet.finish());
  }
  goOn();
  await recordArchive(store, writer, { symbol, interval, year, builtChanges: changes, builtAtMs, rows });
  return rows;
};

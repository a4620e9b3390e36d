/** How large the database is, and how much room there is where this process keeps its data. */
import { statfs } from "node:fs/promises";
import { readDatabaseBytes, type Store } from "@assay/db";
import type { Clock } from "@assay/ports";
import type { MetricReading, ReadFigures } from "./meter.ts";

/** The database adds up its files for it; scrapes come more often than they change. */
const KEPT_MS = 60_000;

const gauge = (name: string, help: string, value: number): MetricReading => ({ name, help, kind: "gauge", value });

export const databaseReadings = (store: Store, clock: Clock): ReadFigures => {
  let known: { readonly atMs: number; readonly bytes: number } | null = null;
  return async () => {
    const nowMs = clock();
    if (known === null || Math.abs(nowMs - known.atMs) >= KEPT_MS) known = { atMs: nowMs, bytes: await readDatabaseBytes(store) };
    return [gauge("assay_database_size_bytes", "Size of the database", known.bytes)];
  };
};

/** @param dataDir the folder of the embedded database, or of archives; without it there are no figures */
export const diskReadings = (dataDir: string): ReadFigures => {
  return async () => {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    return [
      gauge("assay_disk_free_bytes", "Room on the disk of DATA_DIR", bavail * bsize),
      gauge("assay_disk_size_bytes", "Size of the disk of DATA_DIR", blocks * bsize),
    ];
  };
};

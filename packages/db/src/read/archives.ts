/** The ledger of archives. */
import type { Interval } from "@assay/contract";
import { archives } from "../schema/archives.ts";
import type { Store } from "../store.ts";

/** What is known of one year of one series. */
export interface ArchiveRecord {
  readonly symbol: string;
  readonly interval: Interval;
  readonly year: number;
  /** How often its bars were replaced in bulk, and how often they had been when it was built. */
  readonly changes: number;
  readonly builtChanges: number | null;
  /** Epoch milliseconds; null before it was built. */
  readonly builtAtMs: number | null;
  /** Bars in it; null before it was built. */
  readonly rows: number | null;
}

/** Every year of every series that was archived or changed. */
export const readArchives = (store: Store): Promise<ArchiveRecord[]> =>
  store.run(async (db): Promise<ArchiveRecord[]> => db.select().from(archives));

/** The ledger of archives. */
import type { Interval } from "@assay/contract";
import { archives } from "../schema/archives.ts";
import type { Store } from "../store.ts";

/** The state of one year of one series. */
export interface ArchiveRecord {
  readonly symbol: string;
  readonly interval: Interval;
  readonly year: number;
  /** How many bulk replacements of its bars there were, and how many when the archive was built. */
  readonly changes: number;
  readonly builtChanges: number | null;
  /** Epoch milliseconds; null before the first build. */
  readonly builtAtMs: number | null;
  /** Bars in it; null before the first build. */
  readonly rows: number | null;
}

/** Every year of every series that was archived or changed. */
export const readArchives = (store: Store): Promise<ArchiveRecord[]> =>
  store.run(async (db): Promise<ArchiveRecord[]> => db.select().from(archives));

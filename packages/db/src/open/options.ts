/** What a store is opened on, and its options. */
import type { StoreUnavailableError } from "../errors.ts";

/** Where the rows are stored. `temporary` is for tests: a folder that is removed on close. */
export type StoreSource = { readonly dataDir: string } | { readonly databaseUrl: string } | { readonly temporary: true };

/** Options of a store. */
export interface StoreOptions {
  /** Epoch milliseconds; recorded in the lock of the embedded database. Default: the system clock. */
  readonly now?: () => number;
  /** The folder of a database that a new embedded one begins as a copy of; an empty one by default. */
  readonly newDatabase?: string | undefined;
  /**
   * Called once when the embedded database terminates on its own, as on a full disk. It no longer answers; a restart may recover
   * it.
   */
  readonly onEnd?: (error: StoreUnavailableError) => void;
  /** Maximum connections to a PostgreSQL server. Default 10. */
  readonly maxConnections?: number;
  /** Connect timeout, in milliseconds. Default 5 000. */
  readonly connectTimeoutMs?: number;
  /** Statement timeout on a PostgreSQL server, in milliseconds; bulk loads have a minute. Default 5 000. */
  readonly answerTimeoutMs?: number;
}

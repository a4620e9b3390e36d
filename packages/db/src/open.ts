/** Opens the store: the embedded database of a folder, one in memory, or a PostgreSQL server. Migrations run first. */
import type { StoreUnavailableError } from "./errors.ts";
import { openPglite } from "./open/pglite.ts";
import { openPostgres } from "./open/postgres.ts";
import type { Store } from "./store.ts";

/** Where the rows are kept. `memory` is for tests: it is gone when it is closed. */
export type StoreSource = { readonly dataDir: string } | { readonly databaseUrl: string } | { readonly memory: true };

/** How it is opened. */
export interface StoreOptions {
  /** Epoch milliseconds; stamped into the lock of the embedded database. Default: the system clock. */
  readonly now?: () => number;
  /** Told once when the open embedded database ended by itself, as on a full disk. It answers nothing more; a new start may mend it. */
  readonly onEnd?: (error: StoreUnavailableError) => void;
  /** Most connections to a PostgreSQL server at once. Default 10. */
  readonly maxConnections?: number;
  /** How long to wait for a connection, in milliseconds. Default 5 000. */
  readonly connectTimeoutMs?: number;
  /** How long a PostgreSQL server may take to answer, in milliseconds; bulk loads have a minute. Default 5 000. */
  readonly answerTimeoutMs?: number;
}

/**
 * Opens a store.
 * @throws StoreHeldError when another process has the embedded database open
 * @throws StoreFolderError when the embedded database's folder cannot be used
 * @throws StoreUnavailableError when the server does not answer
 */
export const openStore = (source: StoreSource, options: StoreOptions = {}): Promise<Store> =>
  "databaseUrl" in source ? openPostgres(source.databaseUrl, options) : openPglite(source, options);

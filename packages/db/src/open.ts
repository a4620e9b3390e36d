/** Opens the store: the embedded database of a folder, a temporary one, or a PostgreSQL server. Migrations run first. */
import type { StoreOptions, StoreSource } from "./open/options.ts";
import { openPglite } from "./open/pglite.ts";
import { openPostgres } from "./open/postgres.ts";
import type { Store } from "./store.ts";

/**
 * Opens a store.
 * @throws StoreHeldError when another process has the embedded database open
 * @throws StoreFolderError when the embedded database's folder cannot be used
 * @throws StoreUnavailableError when the server does not answer
 */
export const openStore = (source: StoreSource, options: StoreOptions = {}): Promise<Store> =>
  "databaseUrl" in source ? openPostgres(source.databaseUrl, options) : openPglite(source, options);

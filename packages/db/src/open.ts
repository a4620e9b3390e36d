/**
 * Opens the store: the embedded database of a folder, a temporary one, or a PostgreSQL server. Migrations run first. Only the
 * engine that is opened is loaded.
 */
import type { Store, StoreOptions, StoreSource } from "./store.ts";

/**
 * Opens a store.
 * @throws StoreHeldError when another process has the embedded database open
 * @throws StoreMissingError when the embedded database must exist, and does not; nothing is created then
 * @throws StoreFolderError when the embedded database's folder cannot be used
 * @throws StoreTooNewError when it is of a later release
 * @throws StoreUnavailableError when the server does not answer
 */
export const openStore = async (source: StoreSource, options: StoreOptions = {}): Promise<Store> => {
  if ("databaseUrl" in source) {
    const { openPostgres } = await import("./open/postgres.ts");
    return openPostgres(source.databaseUrl, options);
  }
  const { openPglite } = await import("./open/pglite.ts");
  return openPglite(source, options);
};

/** The migrations, plain SQL in drizzle's journal, and whether a database has them all. */
import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";

/** Settings of drizzle's migrators: the folder is at the same relative path from `src` and `dist`. */
export const MIGRATIONS = { migrationsFolder: fileURLToPath(new URL("../../migrations", import.meta.url)) };

/** No such table, no such schema, and no permission to read it: the migrator finds out which. */
const UNKNOWN: ReadonlySet<unknown> = new Set(["42P01", "3F000", "42501"]);

/**
 * Whether nothing is left to do. The migrator itself needs the right to create schemas even then, which the roles of
 * `deploy/postgres/roles.sql` do not have, and takes several statements to find out.
 * @param query runs a statement that returns at most one row
 */
export const isMigrated = async (query: (text: string) => PromiseLike<{ readonly newest?: string | null } | undefined>) => {
  const newestMs = Math.max(...readMigrationFiles(MIGRATIONS).map(({ folderMillis }) => folderMillis));
  try {
    const row = await query("select max(created_at)::text as newest from drizzle.__drizzle_migrations");
    return Number(row?.newest ?? 0) >= newestMs;
  } catch (error) {
    if (error instanceof Error && "code" in error && UNKNOWN.has(error.code)) return false;
    throw error;
  }
};

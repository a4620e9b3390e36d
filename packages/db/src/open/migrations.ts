/** The migrations, plain SQL in drizzle's journal, whether a database has them all, and whether it is of a later release. */
import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { StoreTooNewError } from "../errors.ts";

/** Settings of drizzle's migrators: the folder is at the same relative path from `src` and `dist`. */
const MIGRATIONS = { migrationsFolder: fileURLToPath(new URL("../../migrations", import.meta.url)) };

/**
 * The first migration, by its `when` in the journal, that a build has to have to open what this one has migrated: 0019_day_pairs.
 * Migrations only add, so it is raised to one whose rows earlier builds would misread, and a release later at the earliest.
 */
const LEAST = 1_796_774_400_000;

/** Where a database keeps it: beside the list of its migrations, in dumps as well. */
const KEEP_LEAST = `comment on table drizzle.__drizzle_migrations is 'least migration of a build that may open this: ${LEAST}'`;

/** No such table, no such schema, and no permission to read it: the migrator finds out which. */
const UNKNOWN: ReadonlySet<unknown> = new Set(["42P01", "3F000", "42501"]);

const STATE = `select max(created_at)::text as newest,
  substring(obj_description('drizzle.__drizzle_migrations'::regclass) from '[0-9]+$') as least
  from drizzle.__drizzle_migrations`;

type State = { readonly newest?: string | null; readonly least?: string | null };

interface Engine {
  /** Runs a statement that returns at most one row. */
  query(text: string): PromiseLike<State | undefined>;
  /** Runs drizzle's migrator. */
  migrate(settings: typeof MIGRATIONS): Promise<void>;
}

const readState = async ({ query }: Engine): Promise<State> => {
  try {
    return (await query(STATE)) ?? {};
  } catch (error) {
    if (error instanceof Error && "code" in error && UNKNOWN.has(error.code)) return {};
    throw error;
  }
};

/**
 * Brings a database up to date, if it is not: the migrator itself needs the right to create schemas even then, which the roles of
 * `deploy/postgres/roles.sql` do not have, and takes several statements to find out.
 * @throws StoreTooNewError when a later release has migrated it so that this build would misread it
 */
export const bringUpToDate = async (engine: Engine): Promise<void> => {
  const newestMs = Math.max(...readMigrationFiles(MIGRATIONS).map(({ folderMillis }) => folderMillis));
  const { newest, least } = await readState(engine);
  if (Number(least ?? 0) > newestMs) throw new StoreTooNewError();
  if (Number(newest ?? 0) >= newestMs) return;
  await engine.migrate(MIGRATIONS);
  await engine.query(KEEP_LEAST);
};

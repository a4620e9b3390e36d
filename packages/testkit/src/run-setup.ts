/**
 * Resources of one test run: a temporary folder and a prefix for its databases; both are removed at the end. It imports no package
 * of the workspace: those would be the compiled ones, which a fresh clone does not have.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";

const dropDatabases = async (serverUrl: string): Promise<void> => {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => {} });
  const left = await sql<
    { datname: string }[]
  >`select datname from pg_database where starts_with(datname, ${process.env.TEST_DATABASE_PREFIX ?? "none"})`;
  for (const { datname } of left) await sql`drop database if exists ${sql(datname)} with (force)`;
  await sql.end();
};

/** Called once for each vitest project; the first call sets the run up. */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env.TEST_DATABASE_PREFIX !== undefined) return undefined;
  process.env.TEST_DATABASE_PREFIX = `assay_test_${randomUUID().slice(0, 8)}_`;
  const folder = await mkdtemp(join(tmpdir(), "assay-tests-"));
  // Where workers and their child processes put files they do not clean up.
  process.env.TMPDIR = folder;
  return async () => {
    if (process.env.TEST_DATABASE_URL) await dropDatabases(process.env.TEST_DATABASE_URL);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
};

/** The embedded engine: PostgreSQL inside this process, on a folder that only one process can open. */
import { cpSync, existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { machineTime } from "@assay/ports";
import { types } from "@electric-sql/pglite";
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { StoreFolderError, StoreMissingError, StoreUnavailableError, translate, translateFolderFault } from "../errors.ts";
import { formatInstant } from "../schema/columns.ts";
import * as schema from "../schema/index.ts";
import type { Database, Store, StoreOptions } from "../store.ts";
import { setAhead } from "./ahead.ts";
import { Engine, EngineEndedError } from "./engine.ts";
import { databaseFolder, hasDatabase, lockFile } from "./folder.ts";
import { type FolderLock, lockFolder } from "./folder-lock.ts";
import { bringUpToDate } from "./migrations.ts";

/** A new database, made by the build (`scripts/new-database.mjs`): making one takes seconds, copying it a tenth of one. */
const NEW_DATABASE = fileURLToPath(new URL("../../dist/new-database", import.meta.url));

const start = async (database: string) => {
  const client = await Engine.open(`file://${database}`);
  try {
    await bringUpToDate({
      query: (text) => client.query<{ newest: string | null }>(text).then(({ rows }) => rows[0]),
      migrate: (settings) => migrate(drizzle(client), settings),
    });
    return client;
  } catch (error) {
    await client.close();
    throw client.ended ?? translate(error);
  }
};

const missing = (folder: string): StoreMissingError => new StoreMissingError(`there is no database in ${folder}`);

/**
 * Opens the folder's database, and creates it on the first start. A first start that was killed halfway leaves a folder that no
 * engine can open and that never served anyone; the marker beside it records that, and the database is created again.
 */
const startInFolder = async (folder: string, options: StoreOptions) => {
  const { newDatabase = NEW_DATABASE, now = machineTime, mustExist = false } = options;
  const database = databaseFolder(folder);
  const mark = join(folder, "db.unfinished");
  const isNew = existsSync(mark) || !existsSync(database);
  if (isNew && mustExist) throw missing(folder);
  if (isNew) {
    await rm(database, { recursive: true, force: true });
    await writeFile(mark, "");
    // It contains key hashes and the service's secrets.
    await mkdir(database, { mode: 0o700 });
    // Code that runs from its source, without a build, has none. Copied synchronously, which takes half as long as `cp`.
    if (existsSync(newDatabase)) cpSync(newDatabase, database, { recursive: true });
  }
  const client = await start(database);
  if (!isNew) return client;
  // What was copied has been known here since now, not since it was made.
  const begin = formatInstant(now());
  await client.query("update revisions set recorded_at = $1", [begin]);
  await client.query("update writer_fence set ledger_at = $1 where ledger_revision > 0", [begin]);
  await rm(mark);
  return client;
};

const lockAndStart = async (dataDir: string, options: StoreOptions) => {
  const folder = resolve(dataDir);
  // One that is being created is in use, which opening it says.
  if (options.mustExist && !hasDatabase(folder) && !existsSync(lockFile(folder))) throw missing(folder);
  await mkdir(folder, { recursive: true });
  const lock = await lockFolder(lockFile(folder), options.now ?? machineTime);
  try {
    return { client: await startInFolder(folder, options), lock };
  } catch (error) {
    await lock.release();
    throw error;
  }
};

/** Opens a new database in a folder that is removed when its lock is released. */
const openTemporary = async (options: StoreOptions) => {
  const folder = await mkdtemp(join(tmpdir(), "assay-db-"));
  const { client, lock } = await lockAndStart(folder, options);
  const release = () => lock.release().then(() => rm(folder, { recursive: true }));
  return { client, lock: { release } };
};

const openFolder = (dataDir: string, options: StoreOptions) =>
  lockAndStart(dataDir, options).catch((error: unknown): never => {
    throw error instanceof EngineEndedError ? new StoreFolderError(error.message) : translateFolderFault(error);
  });

/**
 * Opens the embedded database.
 * @throws StoreTooNewError when it is of a later release
 * @throws StoreHeldError when another process has it open
 * @throws StoreMissingError when it must exist, and does not
 * @throws StoreFolderError when its folder cannot be used
 */
export const openPglite = async (
  source: { readonly dataDir: string } | { readonly temporary: true },
  options: StoreOptions,
): Promise<Store> => {
  const opened: { client: Engine; lock: FolderLock } =
    "dataDir" in source ? await openFolder(source.dataDir, options) : await openTemporary(options);
  const { client, lock } = opened;
  const { now = machineTime } = options;
  const db = drizzle(client, { schema });
  const common = db as unknown as Database; // the drivers' types differ only in how `execute` wraps its rows
  const dialect = new PgDialect();
  const encoder = new TextEncoder();
  const version = await client.query<{ version: string }>("select current_setting('server_version') as version");
  client.onEnd = (error) => options.onEnd?.(new StoreUnavailableError(error.message));
  let closing: Promise<void> | undefined;

  const guard = <T>(work: () => Promise<T>) =>
    work().catch((error: unknown): never => {
      throw translate(error);
    });
  const close = async () => {
    await client.close();
    await lock.release();
  };

  return {
    kind: "pglite",
    description: `embedded PostgreSQL ${version.rows[0]?.version}`,
    now,
    turn: machineTime.turn,
    db: common,
    run: (work) => guard(() => work(common)),
    readRow: (query: SQL) =>
      guard(async () => {
        const { sql: text, params } = dialect.sqlToQuery(query);
        const result = await client.query<(string | null)[]>(text, params, {
          rowMode: "array",
          parsers: { [types.BYTEA]: (hex) => hex },
        });
        return (result.rows[0] ?? []).map((value) => (value === null ? null : encoder.encode(value)));
      }),
    copyText: (statement, text, nowMs) =>
      guard(async () => {
        await client.query(setAhead(nowMs));
        await client.query(statement, [], { blob: new Blob([text]) });
      }),
    copyInto: null,
    // Known where its calls are watched.
    refusesWrites: () => false,
    ping: () => guard(() => db.execute(sql`select 1`)).then(() => {}),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
};

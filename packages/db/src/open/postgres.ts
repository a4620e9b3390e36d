/** The PostgreSQL engine: a pool of postgres.js connections, migrated under an advisory lock. */
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { translate } from "../errors.ts";
import * as schema from "../schema/index.ts";
import { BULK_TIMEOUT_MS, type Database, type Store } from "../store.ts";
import { isMigrated, MIGRATIONS } from "./migrations.ts";
import type { StoreOptions } from "./options.ts";
import { openRowStream } from "./row-stream.ts";
import { within } from "./within.ts";

/** An arbitrary lock id; it spells "assay". */
const MIGRATION_LOCK = "418447810937";

const connect = (url: string, max: number, options: StoreOptions, onClose = () => {}) => {
  const settings: postgres.Options<Record<string, never>> = {
    max,
    connect_timeout: Math.ceil((options.connectTimeoutMs ?? 5_000) / 1_000),
    // No lookup of array types: arrays are sent as text and cast in SQL, which saves a query per connection.
    fetch_types: false,
    onnotice: () => {},
    onclose: onClose,
    // The driver's own backoff grows to 20 seconds across all connections: too long after a short outage.
    backoff: (retries) => Math.min(0.05 * 2 ** retries, 0.5),
    // For a large table the planner expects much work, and JIT compilation would take longer than our statements do.
    connection: { application_name: "assay", TimeZone: "UTC", jit: "off" },
  };
  try {
    return postgres(url, settings);
  } catch (error) {
    // The driver's error repeats the whole URL, including the password.
    if (error instanceof TypeError) throw new TypeError("the database URL is invalid");
    throw error;
  }
};

/** Processes that start together migrate one after the other; the second finds nothing to do. */
const migrateOnce = async (url: string, options: StoreOptions) => {
  const client = connect(url, 1, options);
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK}::bigint)`;
    if (!(await isMigrated((text) => client.unsafe<{ newest: string | null }[]>(text).then(([row]) => row))))
      await migrate(drizzle(client), MIGRATIONS);
    const [row] = await client`select current_setting('server_version') as version`;
    return String(row?.version).split(" ")[0];
  } finally {
    // Closing the connection releases the lock.
    await client.end({ timeout: 1 });
  }
};

/**
 * Connects to a PostgreSQL server.
 * @param url `postgres://…`
 */
export const openPostgres = async (url: string, options: StoreOptions): Promise<Store> => {
  const guard = <T>(work: () => Promise<T>) =>
    work().catch((error: unknown): never => {
      throw translate(error);
    });
  const version = await guard(() => migrateOnce(url, options));
  const client = connect(url, options.maxConnections ?? 10, options);
  const db = drizzle(client, { schema });
  const common = db as unknown as Database; // the drivers' types differ only in how `execute` wraps its rows
  const dialect = new PgDialect();
  const answerMs = options.answerTimeoutMs ?? 5_000;

  return {
    kind: "postgres",
    description: `PostgreSQL ${version}`,
    db: common,
    run: (work, timeoutMs = answerMs) => guard(() => within(timeoutMs, work(common))),
    readRow: (query: SQL) =>
      guard(async () => {
        const { sql: text, params } = dialect.sqlToQuery(query);
        const rows = await within(BULK_TIMEOUT_MS, client.unsafe(text, params as string[]).raw()); // readers only bind text
        return (rows[0] ?? []) as (Uint8Array<ArrayBuffer> | null)[]; // raw() returns the socket's bytes
      }),
    copyText: null,
    copyInto: (statement) =>
      guard(() => {
        let isCut = false;
        const client = connect(url, 1, options, () => {
          isCut = true;
        });
        return openRowStream(client, statement, () => isCut);
      }),
    ping: (timeoutMs = 2_000) => guard(() => within(timeoutMs, db.execute(sql`select 1`))).then(() => {}),
    close: () => client.end({ timeout: 2 }),
  };
};

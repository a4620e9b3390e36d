/** The PostgreSQL engine: a pool of postgres.js connections, migrated under an advisory lock, and a COPY on a connection of its own. */
import { machineTime } from "@assay/ports";
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { StoreQueryError, StoreUnavailableError, translate } from "../errors.ts";
import * as schema from "../schema/index.ts";
import { BULK_TIMEOUT_MS, type Database, type RowStream, type Store, type StoreOptions } from "../store.ts";
import { AHEAD, aheadOf } from "./ahead.ts";
import { bringUpToDate } from "./migrations.ts";

/**
 * Waits for work with a timeout.
 * @throws StoreUnavailableError when it is not done in time
 */
const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = () => reject(new StoreUnavailableError(`the database does not answer within ${ms} ms`, "timeout"));
    const timer = setTimeout(late, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** An arbitrary lock id; it spells "assay". */
const MIGRATION_LOCK = "418447810937";

/** Connections of a process, by default. */
export const POOL_SIZE = 10;

const connect = (
  url: string,
  max: number,
  options: StoreOptions & { readonly onClose?: () => void; readonly settings?: Readonly<Record<string, string>> },
) => {
  const settings: postgres.Options<Record<string, never>> = {
    max,
    connect_timeout: Math.ceil((options.connectTimeoutMs ?? 5_000) / 1_000),
    // No lookup of array types: arrays are sent as text and cast in SQL, which saves a query per connection.
    fetch_types: false,
    onnotice: () => {},
    onclose: options.onClose ?? (() => {}),
    // The driver's own backoff grows to 20 seconds across all connections: too long after a short outage.
    backoff: (retries) => Math.min(0.05 * 2 ** retries, 0.5),
    // For a large table the planner expects much work, and JIT compilation would take longer than our statements do.
    connection: { application_name: "assay", TimeZone: "UTC", DateStyle: "ISO", jit: "off", ...options.settings },
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
    await bringUpToDate({
      query: (text) => client.unsafe<{ newest: string | null }[]>(text).then(([row]) => row),
      migrate: (settings) => migrate(drizzle(client), settings),
    });
    const [row] = await client`select current_setting('server_version') as version`;
    return String(row?.version).split(" ")[0];
  } finally {
    // Closing the connection releases the lock.
    await client.end({ timeout: 1 });
  }
};

/**
 * Starts a COPY.
 * @param client with a single connection, which is closed at the end
 * @param statement `copy … from stdin`
 * @param isCut whether its connection has closed: the driver then opens another, on which the COPY is not known
 */
const openRowStream = async (client: postgres.Sql, statement: string, isCut: () => boolean): Promise<RowStream> => {
  const close = (): Promise<void> => client.end({ timeout: 1 });
  const begin = async () => {
    try {
      return await within(BULK_TIMEOUT_MS, client.unsafe(statement).writable());
    } catch (error) {
      await close();
      throw error;
    }
  };
  const stream = await begin();
  let fault: Error | undefined;
  stream.on("error", (error) => {
    fault ??= error;
  });
  /** Prefers the server's error to the stream's later ones. */
  const refuse = (error: unknown): never => {
    throw translate(fault ?? error);
  };

  /**
   * Whether the server accepted the rows. When it refuses them after their end, postgres.js 3.4 reports nothing
   * (https://github.com/porsager/postgres/issues/1173). But a connection answers in order: once it has answered a query sent
   * after the end, the end has been answered or never will be. The query is empty, because the driver takes the completion of any
   * other for that of the rows.
   */
  const isTaken = async (): Promise<boolean> => {
    let taken = false;
    stream.end((error?: Error | null) => {
      taken = !error;
    });
    await machineTime.turn();
    if (fault) throw fault;
    await client.unsafe("").simple();
    await machineTime.turn();
    if (!taken && isCut())
      throw new StoreUnavailableError("the database does not answer: the connection was cut during a COPY", "unreachable");
    return taken;
  };

  return {
    write: (text) => {
      const written = new Promise<void>((done, fail) => {
        stream.write(text, (error) => (error ? fail(error) : done()));
      });
      return within(BULK_TIMEOUT_MS, written).catch(refuse);
    },
    finish: async () => {
      try {
        const taken = await within(BULK_TIMEOUT_MS, isTaken()).catch(refuse);
        if (!taken) refuse(new StoreQueryError("the server refused the rows", ""));
      } finally {
        await close();
      }
    },
    abandon: async () => {
      stream.destroy(new Error("abandoned"));
      await close();
    },
  };
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
  const client = connect(url, options.maxConnections ?? POOL_SIZE, options);
  const db = drizzle(client, { schema });
  const common = db as unknown as Database; // the drivers' types differ only in how `execute` wraps its rows
  const dialect = new PgDialect();
  const answerMs = options.answerTimeoutMs ?? 5_000;
  const { now = machineTime } = options;

  return {
    kind: "postgres",
    description: `PostgreSQL ${version}`,
    now,
    turn: machineTime.turn,
    db: common,
    run: (work, timeoutMs = answerMs) => guard(() => within(timeoutMs, work(common))),
    readRow: (query: SQL) =>
      guard(async () => {
        const { sql: text, params } = dialect.sqlToQuery(query);
        const rows = await within(BULK_TIMEOUT_MS, client.unsafe(text, params as string[]).raw()); // readers only bind text
        return (rows[0] ?? []) as (Uint8Array<ArrayBuffer> | null)[]; // raw() returns the socket's bytes
      }),
    copyText: null,
    copyInto: (statement, nowMs) =>
      guard(async () => {
        let isCut = false;
        const [row] = await within(answerMs, client.unsafe(aheadOf(nowMs)));
        const onClose = (): void => {
          isCut = true;
        };
        // A setting of the connection: a statement before the COPY would confuse the driver about its end.
        const copying = connect(url, 1, { ...options, onClose, settings: { [AHEAD]: String(row?.ahead) } });
        return openRowStream(copying, statement, () => isCut);
      }),
    // Known where its calls are watched.
    refusesWrites: () => false,
    ping: (timeoutMs = 2_000) => guard(() => within(timeoutMs, db.execute(sql`select 1`))).then(() => {}),
    close: () => client.end({ timeout: 2 }),
  };
};

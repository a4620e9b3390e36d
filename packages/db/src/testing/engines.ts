/** The engines a suite runs on: the embedded one always, in a temporary folder, PostgreSQL when TEST_DATABASE_URL is set. */
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { StoreUnavailableError } from "../errors.ts";
import { openStore } from "../open.ts";
import type { Store } from "../store.ts";

/**
 * Truncates the tables that have been written to: truncating makes new files, and for all tables that takes a third of a second.
 * Rows deleted instead would leave places, and with them another order to those that come.
 */
const EMPTY = sql.raw(`do $$
declare
  used text := (select string_agg(oid::regclass::text, ', ') from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not in ('alert_revision', 'writer_fence')
      and pg_relation_size(oid) > 0);
begin
  if used is not null then execute 'truncate ' || used || ' cascade'; end if;
  update alert_revision set revision = 0;
  update writer_fence set token = 0, holder = '', since = 'epoch', ledger_revision = 0, ledger_at = 'epoch',
    ledger_epoch = 1, ledger_base = 0, ledger_xact = 0;
end $$`);

/** Resets the tables to their state after the migrations. */
export const emptyTables = async (store: Store): Promise<void> => {
  await store.run((db) => db.execute(EMPTY));
};

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database on the server of a URL, with the prefix of the run, which drops those its suites left behind. */
export const createTestDatabase = async (serverUrl: string): Promise<TestDatabase> => {
  const name = `${process.env.TEST_DATABASE_PREFIX ?? "assay_test_"}${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  const admin = async (statement: string) => {
    const client = postgres(serverUrl, { max: 1, onnotice: () => {} });
    await client.unsafe(statement).finally(() => client.end());
  };
  await admin(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => admin(`drop database if exists ${name} with (force)`) };
};

export interface TestEngine {
  readonly name: "PGlite" | "PostgreSQL";
  /**
   * Opens an empty store; closing it leaves nothing behind.
   * @param now the clock that its writes are recorded by
   */
  open(now?: () => number): Promise<Store>;
}

/** A pooled store: closing it empties it and returns it to the pool. */
const lent = (store: Store, handBack: () => void, now: () => number): Store => {
  let closing: Promise<void> | undefined;
  const open = async (): Promise<Store> => {
    if (closing) throw new StoreUnavailableError("the store is closed");
    return store;
  };
  const { copyInto, copyText } = store;
  return {
    ...store,
    now,
    run: (work, timeoutMs) => open().then(() => store.run(work, timeoutMs)),
    readRow: (query) => open().then(() => store.readRow(query)),
    copyText: copyText && ((...copied) => open().then(() => copyText(...copied))),
    copyInto: copyInto && ((...copied) => open().then(() => copyInto(...copied))),
    ping: (timeoutMs) => open().then(() => store.ping(timeoutMs)),
    close: () => {
      closing ??= emptyTables(store).then(handBack);
      return closing;
    },
  };
};

/** Opening an engine takes seconds and emptying it milliseconds, so each worker reuses a few stores across its suites. */
const lending = (name: TestEngine["name"], make: () => Promise<Store>): TestEngine => {
  const idle: Store[] = [];
  return {
    name,
    open: async (now = Date.now) => {
      const store = idle.pop() ?? (await make());
      return lent(store, () => idle.push(store), now);
    },
  };
};

const embedded = lending("PGlite", () => openStore({ temporary: true }));

const server = (serverUrl: string): TestEngine =>
  lending("PostgreSQL", async () => openStore({ databaseUrl: (await createTestDatabase(serverUrl)).url }));

/** The server's URL, when suites may use one. */
export const testServerUrl: string | undefined = process.env.TEST_DATABASE_URL || undefined;

export const testEngines: readonly TestEngine[] = testServerUrl ? [embedded, server(testServerUrl)] : [embedded];

if (process.env.VITEST && !testServerUrl) console.info("PostgreSQL suites do not run: TEST_DATABASE_URL is not set");

/** Opens an empty store of the embedded engine. */
export const openEmbeddedStore = embedded.open;

/** Opens an empty store for a suite that runs once: on the server when configured, otherwise embedded. */
export const openTestStore = (now?: () => number): Promise<Store> => (testEngines.at(-1) ?? embedded).open(now);

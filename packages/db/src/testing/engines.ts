/** The engines a suite runs on: the embedded one always, in a temporary folder, PostgreSQL when TEST_DATABASE_URL is set. */
import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { StoreUnavailableError } from "../errors.ts";
import { openStore } from "../open.ts";
import type { Store } from "../store.ts";
import { emptyTables } from "./empty-tables.ts";

/** A suite's own database. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Name prefix of a run's databases, so that it drops those its suites left behind. */
export const testDatabasePrefix = (runId = process.env.TEST_RUN_ID ?? ""): string => `assay_test_${runId}_`;

/** Creates an empty database on the server of a URL. */
export const createTestDatabase = async (serverUrl: string): Promise<TestDatabase> => {
  const name = `${testDatabasePrefix()}${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  const admin = async (statement: string) => {
    const client = postgres(serverUrl, { max: 1, onnotice: () => {} });
    await client.unsafe(statement).finally(() => client.end());
  };
  await admin(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => admin(`drop database if exists ${name} with (force)`) };
};

/** An engine to run a suite on. */
export interface TestEngine {
  readonly name: "PGlite" | "PostgreSQL";
  /** Opens an empty store; closing it leaves nothing behind. */
  open(): Promise<Store>;
}

/** A pooled store: closing it empties it and returns it to the pool. */
const lent = (store: Store, handBack: () => void): Store => {
  let closing: Promise<void> | undefined;
  const open = async (): Promise<Store> => {
    if (closing) throw new StoreUnavailableError("the store is closed");
    return store;
  };
  const { copyInto, copyText } = store;
  return {
    ...store,
    run: (work, timeoutMs) => open().then(() => store.run(work, timeoutMs)),
    readRow: (query) => open().then(() => store.readRow(query)),
    copyText: copyText && ((statement, text) => open().then(() => copyText(statement, text))),
    copyInto: copyInto && ((statement) => open().then(() => copyInto(statement))),
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
    open: async () => {
      const store = idle.pop() ?? (await make());
      return lent(store, () => idle.push(store));
    },
  };
};

const embedded = lending("PGlite", () => openStore({ temporary: true }));

const server = (serverUrl: string): TestEngine =>
  lending("PostgreSQL", async () => openStore({ databaseUrl: (await createTestDatabase(serverUrl)).url }));

/** The server's URL, when suites may use one. */
export const testServerUrl: string | undefined = process.env.TEST_DATABASE_URL || undefined;

/** Every engine of this run. */
export const testEngines: readonly TestEngine[] = testServerUrl ? [embedded, server(testServerUrl)] : [embedded];

if (!testServerUrl) console.info("PostgreSQL suites do not run: TEST_DATABASE_URL is not set");

/** Opens an empty store of the embedded engine. */
export const openEmbeddedStore = embedded.open;

/** Opens an empty store for a suite that runs once: on the server when configured, otherwise embedded. */
export const openTestStore = (): Promise<Store> => (testEngines.at(-1) ?? embedded).open();

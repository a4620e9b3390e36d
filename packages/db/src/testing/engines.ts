/** The engines a suite runs on: the embedded one in memory always, PostgreSQL when TEST_DATABASE_URL names one. */
import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { openStore, type StoreOptions } from "../open.ts";
import type { Store } from "../store.ts";

/** A database of a suite's own. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Makes an empty database on the server of a URL. */
export const createTestDatabase = async (serverUrl: string): Promise<TestDatabase> => {
  const name = `assay_test_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
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
  open(options?: StoreOptions): Promise<Store>;
}

const embedded: TestEngine = { name: "PGlite", open: (options) => openStore({ memory: true }, options) };

const server = (serverUrl: string): TestEngine => ({
  name: "PostgreSQL",
  open: async (options) => {
    const database = await createTestDatabase(serverUrl);
    const store = await openStore({ databaseUrl: database.url }, options);
    return { ...store, close: () => store.close().then(database.drop) };
  },
});

/** The server's URL, when suites may use one. */
export const testServerUrl: string | undefined = process.env.TEST_DATABASE_URL || undefined;

/** Every engine this run covers. */
export const testEngines: readonly TestEngine[] = testServerUrl ? [embedded, server(testServerUrl)] : [embedded];

if (!testServerUrl) console.info("PostgreSQL suites do not run: TEST_DATABASE_URL is not set");

/** Stores for suites: the embedded one in memory always, PostgreSQL when TEST_DATABASE_URL names a server. */
import { randomUUID } from "node:crypto";
import { openStore, type Store } from "@assay/db";
import postgres from "postgres";

/** An engine a suite can run on. */
export interface StoreEngine {
  readonly name: "PGlite" | "PostgreSQL";
  /** Opens an empty store of the suite's own; closing it leaves nothing behind. */
  open(): Promise<Store>;
}

const administer = async (serverUrl: string, statement: string): Promise<void> => {
  const client = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await client.unsafe(statement).finally(() => client.end());
};

const openOnServer = async (serverUrl: string): Promise<Store> => {
  const name = `assay_test_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  await administer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const store = await openStore({ databaseUrl: url.href });
  return {
    ...store,
    close: async () => {
      await store.close();
      await administer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
};

/**
 * The engines this run covers.
 * @param serverUrl a PostgreSQL server whose user may make databases
 */
export const storeEngines = (serverUrl = process.env.TEST_DATABASE_URL || undefined): readonly StoreEngine[] => {
  const embedded: StoreEngine = { name: "PGlite", open: () => openStore({ memory: true }) };
  return serverUrl === undefined ? [embedded] : [embedded, { name: "PostgreSQL", open: () => openOnServer(serverUrl) }];
};

/** Opens the store a suite that runs once uses: on the server when one is named, embedded otherwise. */
export const openTestStore = (): Promise<Store> => {
  const engine = storeEngines().at(-1);
  if (!engine) throw new Error("there is always the embedded engine");
  return engine.open();
};

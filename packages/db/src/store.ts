/** The store as its readers and writers see it: one interface over both engines. */
import type { SQL } from "drizzle-orm";
import { type PgDatabase, PgDialect, type PgQueryResultHKT } from "drizzle-orm/pg-core";
import type * as schema from "./schema/index.ts";

/** How long a bulk statement, or a whole series, may take. */
export const BULK_TIMEOUT_MS = 60_000;

/** Rows on their way into a table by one COPY, which is one statement: all of them are kept, or none. */
export interface RowStream {
  /**
   * Sends whole rows, and waits while the server is behind.
   * @param text rows in COPY's text form, each with its line feed
   */
  write(text: string): Promise<void>;
  /**
   * Ends it; the rows are kept.
   * @throws StoreQueryError when the server refused a row: none is kept
   * @throws StoreUnavailableError when it no longer answers; whether they are kept is not known
   */
  finish(): Promise<void>;
  /** Ends it; no row is kept. */
  abandon(): Promise<void>;
}

/** drizzle over either engine. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/**
 * An open store. It has no transactions of several statements: whatever must happen together is one statement, which the
 * server keeps whole, and which a lost connection cannot tear in two as it can a transaction of postgres.js 3.4
 * (https://github.com/porsager/postgres/issues/1208, /1155: a crash, or its later statements run outside of it).
 */
export interface Store {
  readonly kind: "pglite" | "postgres";
  /** Engine and version, for logs; neither path nor address. */
  readonly description: string;
  /** Direct access. Its errors are the drivers' own; `run` translates them. */
  readonly db: Database;
  /**
   * Runs statements, each atomic by itself.
   * @param timeoutMs on a PostgreSQL server, how long to wait for the answer
   * @throws StoreUnavailableError when there is none, StoreQueryError when a statement was refused
   */
  run<T>(work: (db: Database) => Promise<T>, timeoutMs?: number): Promise<T>;
  /** The columns of a query that answers one row, as bytes of PostgreSQL's text form, undecoded where the driver can. */
  readRow(query: SQL): Promise<readonly (Uint8Array<ArrayBuffer> | null)[]>;
  /** Begins a COPY of the statement's own, on a connection of its own; null on the engine that has none. */
  readonly copyInto: ((statement: string) => Promise<RowStream>) | null;
  /** Fails with `StoreUnavailableError` when the engine does not answer in time. */
  ping(timeoutMs?: number): Promise<void>;
  /** Ends it. Calling again does nothing. */
  close(): Promise<void>;
}

const dialect = new PgDialect();

/**
 * A statement's rows, which the two drivers wrap differently.
 * @param kept `prepared` for a statement that is worth keeping prepared on its connection
 */
export const rowsOf = async <Row>(db: Database, query: SQL, kept?: "prepared"): Promise<Row[]> => {
  const statement = db._.session.prepareQuery(dialect.sqlToQuery(query), undefined, kept, false);
  const result: unknown = await statement.execute();
  const rows = Array.isArray(result) ? [...result] : (result as { rows: unknown[] }).rows; // PGlite's Results
  return rows as Row[]; // the statement's own columns, named by its reader
};

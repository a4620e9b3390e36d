/** The store as its readers and writers see it: one interface over both engines. */
import type { SQL } from "drizzle-orm";
import { type PgDatabase, PgDialect, type PgQueryResultHKT } from "drizzle-orm/pg-core";
import type * as schema from "./schema/index.ts";

/** drizzle over either engine, or inside a transaction of it. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/** An open store. */
export interface Store {
  readonly kind: "pglite" | "postgres";
  /** Engine and version, for logs; neither path nor address. */
  readonly description: string;
  /** Direct access. Its errors are the drivers' own; `run` and `transaction` translate them. */
  readonly db: Database;
  /** Runs statements outside a transaction. */
  run<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Runs statements in one transaction; whatever is thrown rolls it back. */
  transaction<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** The columns of a query that answers one row, as bytes of PostgreSQL's text form, undecoded where the driver can. */
  readRow(query: SQL): Promise<readonly (Uint8Array<ArrayBuffer> | null)[]>;
  /** Fails with `StoreUnavailableError` when the engine does not answer in time. */
  ping(timeoutMs?: number): Promise<void>;
  /** Ends it. Calling again does nothing. */
  close(): Promise<void>;
}

/** A statement's rows, which the two drivers wrap differently. */
export const rowsOf = async <Row>(db: Database, query: SQL): Promise<Row[]> => {
  const result: unknown = await db.execute(query);
  const rows = Array.isArray(result) ? [...result] : (result as { rows: unknown[] }).rows; // PGlite's Results
  return rows as Row[]; // the statement's own columns, named by its reader
};

const dialect = new PgDialect();

/** Runs a statement that is worth keeping prepared on its connection, and whose rows are of no interest. */
export const executePrepared = async (db: Database, query: SQL): Promise<void> => {
  await db._.session.prepareQuery(dialect.sqlToQuery(query), undefined, "kept", false).execute();
};

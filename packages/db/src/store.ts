/** The interface of the store for readers and writers, the same over both engines, what it is opened on, and its answers. */
import type { Clock, Time } from "@assay/ports";
import type { SQL } from "drizzle-orm";
import { type PgDatabase, PgDialect, type PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { StoreUnavailableError } from "./errors.ts";
import type * as schema from "./schema/index.ts";

/** Where the rows are stored. `temporary` is for tests: a folder that is removed on close. */
export type StoreSource = { readonly dataDir: string } | { readonly databaseUrl: string } | { readonly temporary: true };

export interface StoreOptions {
  /** Epoch milliseconds: when writes are recorded, and the lock of the embedded database. Default: the system clock. */
  readonly now?: Clock;
  /** The folder of a database that a new embedded one begins as a copy of; an empty one by default. */
  readonly newDatabase?: string | undefined;
  /** Whether an embedded database must exist already; it is created by default. */
  readonly mustExist?: boolean;
  /**
   * Called once when the embedded database terminates on its own, as on a full disk. It no longer answers; a restart may recover
   * it.
   */
  readonly onEnd?: (error: StoreUnavailableError) => void;
  /** Maximum connections to a PostgreSQL server. Default 10. */
  readonly maxConnections?: number;
  /** Connect timeout, in milliseconds. Default 5 000. */
  readonly connectTimeoutMs?: number;
  /** Statement timeout on a PostgreSQL server, in milliseconds; bulk loads have a minute. Default 5 000. */
  readonly answerTimeoutMs?: number;
}

/** Timeout of a bulk statement, or of reading a whole series. */
export const BULK_TIMEOUT_MS = 60_000;

/** Rows of a COPY in progress, which is one statement: all of them are stored, or none. */
export interface RowStream {
  /**
   * Sends complete rows, with backpressure.
   * @param text rows in COPY's text format, each with its line feed
   */
  write(text: string): Promise<void>;
  /**
   * Ends the COPY and commits the rows.
   * @throws StoreQueryError when the server refused a row: none is stored
   * @throws StoreUnavailableError when it no longer answers; whether they are stored is unknown
   */
  finish(): Promise<void>;
  /** Aborts the COPY; no row is stored. */
  abandon(): Promise<void>;
}

export interface ImportOrigin {
  /** As in `source_id`. */
  readonly source: string;
  /** Why they are imported, in the operator's words. */
  readonly note: string | null;
}

/** drizzle over either engine. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/**
 * An open store. It has no multi-statement transactions: changes that belong together are one statement, which is atomic on the
 * server. A lost connection can split a transaction of postgres.js 3.4 (https://github.com/porsager/postgres/issues/1208, /1155:
 * a crash, or its later statements run outside of it).
 */
export interface Store {
  /** What the corrections of an import name; set for the writes of one. */
  readonly importing?: ImportOrigin;
  readonly kind: "pglite" | "postgres";
  /** Engine and version, for logs; no path or address. */
  readonly description: string;
  /** The clock that writes are recorded by, epoch milliseconds. */
  readonly now: Clock;
  /** Lets other work of the process run: the embedded engine answers without yielding to the event loop. */
  readonly turn: Time["turn"];
  /** Direct access. Throws the drivers' errors; `run` translates them. */
  readonly db: Database;
  /**
   * Runs statements, each atomic on its own.
   * @param timeoutMs on a PostgreSQL server, how long to wait for the result
   * @throws StoreUnavailableError when there is none, StoreQueryError when a statement was refused
   */
  run<T>(work: (db: Database) => Promise<T>, timeoutMs?: number): Promise<T>;
  /** The columns of a query with one row, as bytes of PostgreSQL's text format, undecoded where the driver supports it. */
  readRow(query: SQL): Promise<readonly (Uint8Array<ArrayBuffer> | null)[]>;
  /** Runs `copy … from '/dev/blob'` on text held in memory, recorded by a clock; null on the engine that reads a stream instead. */
  readonly copyText: ((statement: string, text: string, nowMs: number) => Promise<void>) | null;
  /** Starts a COPY on its own connection, recorded by a clock; null on the engine without one. */
  readonly copyInto: ((statement: string, nowMs: number) => Promise<RowStream>) | null;
  /** Whether it has just refused a write, as its disk is full or it is read-only; reads and `ping` may still be answered. */
  refusesWrites(): boolean;
  /** Rejects with `StoreUnavailableError` when the engine does not answer in time. */
  ping(timeoutMs?: number): Promise<void>;
  /** Closes the store. Calling it again does nothing. */
  close(): Promise<void>;
}

const dialect = new PgDialect();

/**
 * A statement's rows, which the two drivers wrap differently.
 * @param kept `prepared` for a statement worth keeping prepared on its connection
 */
export const rowsOf = async <Row>(db: Database, query: SQL, kept?: "prepared"): Promise<Row[]> => {
  const statement = db._.session.prepareQuery(dialect.sqlToQuery(query), undefined, kept, false);
  const result: unknown = await statement.execute();
  const rows = Array.isArray(result) ? [...result] : (result as { rows: unknown[] }).rows; // PGlite's Results
  return rows as Row[]; // the statement's own columns, named by its reader
};

/** A column of `readRow` as text; empty when there was nothing. */
export const textOf = (bytes: Uint8Array | null | undefined): string => (bytes ? Buffer.from(bytes).toString() : "");

/** A column of `readRow` as lines: decodes `string_agg(…, E'\\n')`. */
export const linesOf = (bytes: Uint8Array | null | undefined): string[] => (bytes ? textOf(bytes).split("\n") : []);

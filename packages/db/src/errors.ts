/** Errors of the store: held by another process, unusable folder, stale writer, unavailable, and query errors. */
import { networkFault } from "@assay/ports";

/** Another process holds the embedded database. The lock is never taken from a live process. */
export class StoreHeldError extends Error {
  override readonly name = "StoreHeldError";
  readonly pid: number;
  readonly sinceMs: number;
  constructor(holder: { readonly pid: number; readonly sinceMs: number }) {
    const since = new Date(holder.sinceMs).toISOString();
    super(`the embedded database is in use by process ${holder.pid} (since ${since}); it serves one process at a time`);
    this.pid = holder.pid;
    this.sinceMs = holder.sinceMs;
  }
}

/** The folder of the embedded database cannot be used: not a folder, not writable, or its disk is full. */
export class StoreFolderError extends Error {
  override readonly name = "StoreFolderError";
}

/** There is no embedded database in the folder, and none was to be created. */
export class StoreMissingError extends Error {
  override readonly name = "StoreMissingError";
}

/** A later release has migrated the database, and this build would misread it. */
export class StoreTooNewError extends Error {
  override readonly name = "StoreTooNewError";
  constructor() {
    super(
      "the database was migrated by a later release, which this one cannot work beside: run that release, or restore a backup",
    );
  }
}

/** Disk errors, by the errno values of the embedded engine's file system. */
const ENGINE_FAULTS: Readonly<Record<number, string>> = {
  2: "permission denied",
  19: "disk quota exceeded",
  29: "input/output error",
  51: "no space left on device",
  69: "read-only file system",
};

/**
 * Separates errors of the folder from errors of ours.
 * @param error what opening the embedded database threw; its file system throws objects that are not Errors
 * @returns a StoreFolderError, or the original error when it is of another kind
 */
export const translateFolderFault = (error: unknown): unknown => {
  if (error instanceof Error) return "syscall" in error ? new StoreFolderError(error.message) : error;
  if (typeof error !== "object" || error === null || !("errno" in error) || typeof error.errno !== "number") return error;
  return new StoreFolderError(ENGINE_FAULTS[error.errno] ?? `fault ${error.errno} of the embedded database's file system`);
};

/** A newer writer has written since; this write was rolled back. */
export class StaleTokenError extends Error {
  override readonly name = "StaleTokenError";
  readonly token: number;
  constructor(token: number) {
    super(`writer token ${token} is older than the store's`);
    this.token = token;
  }
}

/** Bars were written since this write's input was read; it was rolled back. Read again and retry. */
export class BarsRevisedError extends Error {
  override readonly name = "BarsRevisedError";
  constructor(revision: number) {
    super(`bars were written since revision ${revision}`);
  }
}

const REFUSES_WRITES: ReadonlySet<string> = new Set(["disk_full", "read_only"]);

/** The database does not answer, or refuses every write; a retry may succeed. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
  /** Why, in one word. */
  readonly class: string;
  constructor(message: string, why = "busy") {
    super(message);
    this.class = why;
  }

  /** Whether it refuses writes alone, as its disk is full or it is read-only. */
  get refusesWrites(): boolean {
    return REFUSES_WRITES.has(this.class);
  }
}

/**
 * The database refused a statement. Carries the server's message and no cause, because the drivers' errors contain every
 * parameter of the statement, including secrets, and errors are logged.
 */
export class StoreQueryError extends Error {
  override readonly name = "StoreQueryError";
  /** SQLSTATE, five characters; empty when the driver refused the statement. */
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

const DRIVER_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
]);

/** PostgreSQL reports a file system that became read-only as a lack of rights. */
const NO_RIGHTS = "42501";
const READ_ONLY_FILES = /read-only file system/i;

/** Connection lost, resources exhausted, not in a state to serve, shutting down or starting up, login refused, database dropped. */
const SERVER_CODES = /^(08...|28...|3D000|53...|55000|57P0[1-5])$/;

/** Some of them in one word; the others have their class's. */
const SERVER_WORDS: Readonly<Record<string, string>> = {
  "53100": "disk_full",
  // A server that became a replica, or whose operator made it read-only.
  "25006": "read_only",
  "53300": "too_many_connections",
  "3D000": "no_such_database",
};

const serverWord = (code: string): string => {
  const word = SERVER_WORDS[code];
  if (word !== undefined) return word;
  if (code.startsWith("28")) return "login_refused";
  if (code.startsWith("53")) return "out_of_resources";
  return code.startsWith("08") ? "unreachable" : "restarting";
};

/**
 * Translates a driver's error. drizzle's wrapper is dropped, because its message repeats every parameter.
 * @param error what was thrown
 * @returns one of this file's errors, or the original error when it is not a database error
 */
export const translate = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const isWrapped = error.constructor.name === "DrizzleQueryError";
  const inner = isWrapped && error.cause instanceof Error ? error.cause : error;
  const code = "code" in inner && typeof inner.code === "string" ? inner.code : "";
  const refusesFiles = code === NO_RIGHTS && READ_ONLY_FILES.test(inner.message);
  const word = refusesFiles ? "read_only" : SERVER_WORDS[code];
  if (word !== undefined && REFUSES_WRITES.has(word)) {
    return new StoreUnavailableError(`the database refuses writes: ${inner.message}`, word);
  }
  if (DRIVER_CODES.has(code) || inner.message === "PGlite is closed") {
    return new StoreUnavailableError(`the database does not answer: ${inner.message || code}`, networkFault(code));
  }
  if (SERVER_CODES.test(code)) {
    const refuses = /^(28|3D)/.test(code) ? "refuses the connection" : "does not answer";
    return new StoreUnavailableError(`the database ${refuses}: ${inner.message}`, serverWord(code));
  }
  if (/^[0-9A-Z]{5}$/.test(code) || isWrapped) return new StoreQueryError(inner.message, code);
  return error;
};

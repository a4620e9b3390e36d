/** The store as the processes use it: its folder made, its server waited for, its outages logged and its calls watched. */
import { mkdir } from "node:fs/promises";
import { SettingError } from "@assay/config";
import { type Store, StoreQueryError, StoreUnavailableError } from "@assay/db";
import { type CallWrapper, type Log, Outage } from "@assay/live";
import type { Clock, Time } from "@assay/ports";

/** A data folder that cannot be used, reported as an invalid setting. */
export const dataDirFault = (dataDir: string, because: string): SettingError =>
  new SettingError({ variable: "DATA_DIR", value: dataDir, mayHold: "a writable folder on a disk with free space", because });

/** A data folder without the database that a command works on. */
export const noDatabase = (dataDir: string): SettingError =>
  new SettingError({
    variable: "DATA_DIR",
    value: dataDir,
    mayHold: "the data folder of a service that has been started, or DATABASE_URL",
    because: "there is no database in it",
  });

/** Private to the service: it holds key hashes, link-signing secrets and archives. */
const PRIVATE = 0o700;

/**
 * Creates the data folder if it is missing.
 * @throws SettingError when it cannot be created
 */
export const makeDataFolder = async (dataDir: string): Promise<void> => {
  try {
    await mkdir(dataDir, { recursive: true, mode: PRIVATE });
  } catch (error) {
    throw dataDirFault(dataDir, error instanceof Error ? error.message : String(error));
  }
};

const RETRY_MS = 1_000;

/** Refusals of the address, which at a start is a setting that waiting does not change. */
const REFUSALS: ReadonlySet<string> = new Set(["login_refused", "no_such_database"]);
export const isRefusal = (error: StoreUnavailableError): boolean => REFUSALS.has(error.class);

export interface WaitOptions {
  /** How long to retry, in milliseconds; 0 fails at once. */
  readonly withinMs: number;
  readonly log: Log;
  readonly clock: Time;
}

/**
 * Opens an engine, and retries while it does not answer. That is one line in the log when the wait begins and one when it ends.
 * @throws StoreUnavailableError when it does not answer in time
 */
export const untilItAnswers = async <T>(open: () => Promise<T>, { withinMs, log, clock }: WaitOptions): Promise<T> => {
  const lines = {
    fields: { engine: "database" },
    begins: "the database is unavailable; waiting for it",
    lasts: "the database is still unavailable; waiting for it",
    ends: "the database is available",
  };
  const outage = new Outage({ log, clock, lines });
  const startedMs = clock();
  for (;;) {
    try {
      const opened = await open();
      outage.recovered();
      return opened;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || isRefusal(error) || clock() - startedMs >= withinMs) throw error;
      outage.failed({ class: error.class, reason: error.message });
      await clock.sleep(RETRY_MS);
    }
  }
};

/**
 * Reads what a start needs, again while the database is away or too slow: the store's own log says so. What it reads must have no
 * effect that a second reading would double.
 */
export const untilRead = async <T>(read: () => Promise<T>, clock: Pick<Time, "sleep">): Promise<T> => {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      await clock.sleep(RETRY_MS);
    }
  }
};

export interface StoreWatch {
  readonly log: Log;
  readonly clock: Clock;
  readonly around?: CallWrapper | undefined;
}

/** A full disk still answers reads: it has room again once no write has been refused for so long. */
const REFUSED_MS = 30_000;

/** Wraps a store: its outages are logged, and its calls watched. */
export const watchStore = (store: Store, { log, clock, around = (work) => work() }: StoreWatch): Store => {
  const lines = {
    fields: { engine: "database" },
    begins: "the database is unavailable; retrying",
    lasts: "the database is still unavailable; retrying",
    ends: "the database is available again",
  };
  const outage = new Outage({ log, clock, lines });
  let isClosing = false;
  let refusedMs = Number.NEGATIVE_INFINITY;
  const refusesWrites = (): boolean => clock() - refusedMs < REFUSED_MS;
  const answered = (): void => {
    if (!refusesWrites()) outage.recovered();
  };

  const watched = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const value = await around(work);
      answered();
      return value;
    } catch (error) {
      if (error instanceof StoreUnavailableError && error.refusesWrites) refusedMs = clock();
      if (error instanceof StoreQueryError) answered();
      else if (error instanceof StoreUnavailableError && !isClosing) outage.failed({ class: error.class, reason: error.message });
      throw error;
    }
  };

  const { copyText, copyInto } = store;
  return {
    kind: store.kind,
    description: store.description,
    now: store.now,
    turn: store.turn,
    db: store.db,
    run: (work, timeoutMs) => watched(() => store.run(work, timeoutMs)),
    readRow: (query) => watched(() => store.readRow(query)),
    copyText: copyText && ((...copied) => watched(() => copyText(...copied))),
    copyInto: copyInto && ((...copied) => watched(() => copyInto(...copied))),
    refusesWrites,
    ping: (timeoutMs) => watched(() => store.ping(timeoutMs)),
    close: () => {
      isClosing = true;
      return store.close();
    },
  };
};

/** The store and the live engines, as the settings name them. */
import { type Archives, openArchives } from "@assay/archives";
import { openStore, type Store, StoreFolderError, StoreQueryError, type StoreUnavailableError } from "@assay/db";
import { type Live, type LiveLog, openLive } from "@assay/live";
import type { Clock } from "./clock.ts";
import { dataDirFault } from "./data-folder.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { archivePlace } from "./s3-setting.ts";
import { SettingError } from "./setting-error.ts";
import type { Settings } from "./settings.ts";

/** What every process of Assay stands on. */
export interface Engines {
  readonly store: Store;
  readonly live: Live;
  readonly archives: Archives;
}

/** What they are opened with. */
export interface EngineOptions {
  readonly clock: Clock;
  readonly log: LiveLog;
  /** Ends them when the process ends, and the process when the embedded database has ended. */
  readonly lifecycle: Lifecycle;
}

/** Refusals of a server that lie in its address: user or password, no such database, and a user who may not make tables. */
const ADDRESS_REFUSALS = /^(28...|3D000|42501)$/;

const openNamedStore = async ({ databaseUrl, dataDir }: Settings, { clock, log, lifecycle }: EngineOptions): Promise<Store> => {
  const onEnd = (error: StoreUnavailableError): void => {
    log.error({}, dataDirFault(dataDir, error.message).message);
    lifecycle.endFailed();
  };
  try {
    return await openStore(databaseUrl === undefined ? { dataDir } : { databaseUrl }, { now: clock, onEnd });
  } catch (error) {
    if (error instanceof StoreFolderError) throw dataDirFault(dataDir, error.message);
    if (databaseUrl === undefined || !(error instanceof StoreQueryError && ADDRESS_REFUSALS.test(error.code))) throw error;
    throw new SettingError({
      variable: "DATABASE_URL",
      value: databaseUrl,
      mayHold: "a database, and a user who may make tables in it",
      because: error.message,
    });
  }
};

/**
 * Opens the engines.
 * @throws SettingError for a bucket of archives without credentials, a data folder that cannot be used, and a database that refuses
 * @throws StoreHeldError when another process has the embedded database open
 * @throws StoreUnavailableError when the server does not answer
 */
export const openEngines = async (settings: Settings, options: EngineOptions): Promise<Engines> => {
  const { clock, log, lifecycle } = options;
  const archives = openArchives(archivePlace(settings));
  const store = await openNamedStore(settings, options);
  lifecycle.add("the store", () => store.close());
  const live = await openLive({ redisUrl: settings.redisUrl, clock, logger: log });
  lifecycle.add("the live engines", () => live.close());
  return { store, live, archives };
};

/**
 * Refuses a process of its own without the engines that processes share.
 * @throws SettingError naming the one that is missing
 */
export const requireShared = (settings: Settings, command: string): void => {
  const missing = settings.databaseUrl === undefined ? "DATABASE_URL" : settings.redisUrl === undefined ? "REDIS_URL" : null;
  if (missing === null) return;
  const mayHold = missing === "DATABASE_URL" ? "postgres://…" : "redis://…";
  throw new SettingError({
    variable: missing,
    value: "",
    mayHold,
    because: `${command} runs beside other processes and shares its engines with them; npm start runs everything in one`,
  });
};

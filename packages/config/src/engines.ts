/** The store and the live engines, as the settings name them. */
import { type Archives, openArchives } from "@assay/archives";
import { openStore, type Store } from "@assay/db";
import { type Live, type LiveLog, openLive } from "@assay/live";
import type { Clock } from "./clock.ts";
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
  /** Ends them when the process ends. */
  readonly lifecycle: Lifecycle;
}

/**
 * Opens the engines.
 * @throws SettingError for a bucket of archives without credentials
 * @throws StoreHeldError when another process has the embedded database open
 * @throws StoreUnavailableError when the server does not answer
 */
export const openEngines = async (settings: Settings, { clock, log, lifecycle }: EngineOptions): Promise<Engines> => {
  const { databaseUrl, dataDir, redisUrl } = settings;
  const archives = openArchives(archivePlace(settings));
  const store = await openStore(databaseUrl === undefined ? { dataDir } : { databaseUrl }, { now: clock });
  lifecycle.add("the store", () => store.close());
  const live = await openLive({ redisUrl, clock, logger: log });
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

/** Opens the store, the live engines and the archives the settings name. */
import { type ArchivePlace, type Archives, openArchives } from "@assay/archives";
import { SettingError, type Settings } from "@assay/config";
import { VERSION } from "@assay/contract";
import {
  openStore,
  POOL_SIZE,
  type Store,
  StoreFolderError,
  StoreMissingError,
  StoreQueryError,
  StoreUnavailableError,
} from "@assay/db";
import { type Live, type Log, openLive } from "@assay/live";
import type { Time } from "@assay/ports";
import { COMMIT } from "./commit.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { dataDirFault, isRefusal, noDatabase, untilItAnswers, watchStore } from "./store.ts";
import { databaseReadings, diskReadings } from "./telemetry/disk-readings.ts";
import { liveReadings } from "./telemetry/live-readings.ts";
import type { MetricReading } from "./telemetry/meter.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

export interface Engines {
  readonly store: Store;
  readonly live: Live;
  readonly archives: Archives;
}

export interface EngineOptions {
  readonly clock: Time;
  readonly log: Log;
  /** Closes the engines when the process ends, and ends the process when the embedded database has stopped. */
  readonly lifecycle: Lifecycle;
  /**
   * How long to wait for a PostgreSQL server that does not answer, in milliseconds. None by default, for commands that a person
   * runs; a service waits until it is stopped, because what started it knows better when to give up.
   */
  readonly waitMs?: number;
  /** Whether an embedded database must exist already, for commands that are meant to create none; with a wrong DATA_DIR they would. */
  readonly mustExist?: boolean;
  /** The folder of a database that a new embedded one begins as a copy of; an empty one by default. */
  readonly newDatabase?: string | undefined;
  /** Notified of their calls; omitted for commands. */
  readonly telemetry?: Telemetry;
}

/** A user who may not create tables. */
const NO_RIGHTS = "42501";

/** Whether the server refuses what its address names: user, password or database, or the user's rights. */
const isRefusedAddress = (error: unknown): error is Error =>
  error instanceof StoreUnavailableError ? isRefusal(error) : error instanceof StoreQueryError && error.code === NO_RIGHTS;

const openNamedStore = async (
  { databaseUrl, dataDir }: Settings,
  { clock, log, lifecycle, newDatabase, mustExist = false, waitMs = 0 }: EngineOptions,
): Promise<Store> => {
  const onEnd = (error: StoreUnavailableError): void => {
    log.error({}, dataDirFault(dataDir, error.message).message);
    lifecycle.endFailed();
  };
  try {
    const source = databaseUrl === undefined ? { dataDir } : { databaseUrl };
    return await untilItAnswers(() => openStore(source, { now: clock, newDatabase, mustExist, onEnd }), {
      withinMs: waitMs,
      log,
      clock,
    });
  } catch (error) {
    if (error instanceof StoreMissingError) throw noDatabase(dataDir);
    if (error instanceof StoreFolderError) throw dataDirFault(dataDir, error.message);
    if (databaseUrl === undefined || !isRefusedAddress(error)) throw error;
    throw new SettingError({
      variable: "DATABASE_URL",
      value: databaseUrl,
      mayHold: "a database that `assay migrate` has prepared, or a user who may create tables in it",
      because: error.message,
    });
  }
};

/**
 * The archive location with the credentials needed to reach it.
 * @throws SettingError for a bucket without credentials
 */
export const archivePlace = (settings: Pick<Settings, "archive" | "s3Endpoint" | "s3Region" | "s3Credentials">): ArchivePlace => {
  const { archive, s3Endpoint: endpoint, s3Region: region, s3Credentials: credentials } = settings;
  if (archive.kind === "file") return archive;
  if (credentials) return { ...archive, endpoint, region, credentials };
  throw new SettingError({
    variable: "AWS_ACCESS_KEY_ID",
    value: "",
    mayHold: "the id of an access key, and AWS_SECRET_ACCESS_KEY its secret",
    because: "ARCHIVE_URL names a bucket",
  });
};

/** More calls than this wait for a connection. */
const poolSize = (system: "postgresql" | "pglite"): MetricReading => ({
  name: "assay_engine_pool_size",
  help: "Connections to the database that this process opens at most",
  kind: "gauge",
  labels: { db_system_name: system },
  value: system === "postgresql" ? POOL_SIZE : 1,
});

/**
 * Opens the engines.
 * @throws SettingError for an archive bucket without credentials, an unusable data folder, one without the database that must
 * exist, and a database that rejects the connection
 * @throws StoreHeldError when another process has the embedded database open
 * @throws StoreUnavailableError when the server does not answer in time
 */
export const openEngines = async (settings: Settings, options: EngineOptions): Promise<Engines> => {
  const { clock, log, lifecycle, telemetry } = options;
  const { databaseUrl, dataDir } = settings;
  const archives = openArchives(archivePlace(settings));
  const opened = await openNamedStore(settings, options);
  // A start that is refused until here is one line on stderr.
  if (telemetry)
    log.info(
      { version: VERSION, ...(COMMIT !== null && { commit: COMMIT }), database: opened.description },
      "starting; the database is open",
    );
  const system = opened.kind === "postgres" ? "postgresql" : "pglite";
  const around = telemetry?.watchEngine(system);
  const store = watchStore(opened, { log, clock, around });
  telemetry?.add(() => [poolSize(system)]);
  telemetry?.add(databaseReadings(store, clock));
  if (databaseUrl === undefined || settings.archive.kind === "file") telemetry?.add(diskReadings(dataDir));
  // Opening it migrates it.
  telemetry?.readiness.check("migrated", () => true);
  lifecycle.add("the store", () => store.close());
  const { redisUrl } = settings;
  const live = await openLive({
    redisUrl,
    clock,
    logger: log,
    around: redisUrl === undefined ? undefined : telemetry?.watchEngine("redis"),
  });
  telemetry?.readiness.check("bus", () => live.latest.ping().then(() => true));
  telemetry?.add(liveReadings(live, clock));
  lifecycle.add("the live engines", () => live.close());
  return { store, live, archives };
};

/**
 * Refuses to run a separate process without the engines that processes share.
 * @throws SettingError naming the missing one
 */
export const requireShared = (settings: Settings, command: string): void => {
  const missing = settings.databaseUrl === undefined ? "DATABASE_URL" : settings.redisUrl === undefined ? "REDIS_URL" : null;
  if (missing === null) return;
  const mayHold = missing === "DATABASE_URL" ? "postgres://…" : "redis://…";
  throw new SettingError({
    variable: missing,
    value: "",
    mayHold,
    because: `${command} shares a database and a Redis with other processes; assay start runs everything in one process`,
  });
};

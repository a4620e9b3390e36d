/** `assay start`: everything in one process, on the embedded engines unless the settings name others. */
import { apiOptions, openSigningKeys, signingKeyPlace, startApi } from "@assay/api";
import { parseSettings, withSecretFiles } from "@assay/config";
import type { Store } from "@assay/db";
import type { Live, Log } from "@assay/live";
import { type Clock, machineRandom } from "@assay/ports";
import {
  announceKeyless,
  announceReady,
  endFailedStart,
  makeDataFolder,
  openEngines,
  openProcess,
  openServiceProgress,
  requireFreeAddress,
} from "@assay/process";
import { openStreams, streamOptions } from "@assay/stream";
import {
  checkStoredSymbols,
  chooseSources,
  KNOWN_FEEDS,
  preparedHistory,
  receivers,
  refuseSimulatedPast,
  Writer,
  workerThreads,
  writerLog,
} from "@assay/writer";
import { demoKeys } from "./demo-keys.ts";
import { welcome } from "./welcome.ts";

/** A lease in memory that ran out would only be given to the same writer again, with all its work to repeat. */
const SOLE_WRITER_LEASE_MS = 600_000;

/**
 * Opens what takes the operator's commands while this process holds the embedded database.
 * @returns closes it
 */
export type OpenCommands = (parts: {
  readonly dataDir: string;
  readonly store: Store;
  readonly live: Live;
  readonly clock: Clock;
  readonly log: Log;
}) => Promise<() => Promise<void>>;

const start = async (openCommands: OpenCommands): Promise<void> => {
  const settings = parseSettings(process.env, { knownFeeds: KNOWN_FEEDS });
  const begun = await openProcess("standalone", settings);
  const { log: logger, clock, lifecycle, telemetry } = begun;
  const log = writerLog(logger, clock);

  const sources = await chooseSources({ ...settings, feeds: settings.feeds.text }, withSecretFiles(process.env));
  for (const warning of sources.warnings) logger.warn({}, warning);
  if (sources.simulated) logger.warn({}, "the market is simulated: every price is made up");
  // Checked before generating a history that could not be served.
  await requireFreeAddress(settings.host, settings.port, "PORT");
  await makeDataFolder(settings.dataDir);
  const isOneOfMany = settings.redisUrl !== undefined;
  const signingKeys = await openSigningKeys(signingKeyPlace(settings), { clock, log: logger, isOneOfMany });
  const newDatabase = sources.simulated
    ? preparedHistory({ seed: settings.simSeed, hours: settings.simHours }, clock())
    : undefined;
  const engines = await openEngines(settings, { ...begun, newDatabase, waitMs: Number.POSITIVE_INFINITY });
  if (settings.databaseUrl === undefined) {
    lifecycle.add("the commands", await openCommands({ ...engines, dataDir: settings.dataDir, clock, log: logger }));
  }
  announceKeyless(settings, logger);
  await checkStoredSymbols(engines.store, logger);
  await refuseSimulatedPast(engines.store, sources, settings.feeds.text);
  const keys = sources.rehearsal ? await demoKeys(engines.store, settings.dataDir, clock()) : null;

  const progress = openServiceProgress((line) => log.info(line));
  const { writerId: holder, redisUrl, writerLeaseTtlMs } = settings;
  const archives = settings.disabled.has("download") ? null : engines.archives;
  const writer = Writer.start({
    ...engines,
    ...sources,
    archives,
    threads: workerThreads,
    onStuck: (error) => lifecycle.endStuck(error),
    webhooks: { post: receivers(settings.webhookHosts), catalog: settings.catalog },
    retainTicksMs: settings.retainTicksMs,
    retainDealerQuotesMs: settings.retainDealerQuotesMs,
    clock,
    random: machineRandom,
    log,
    progress,
    holder,
    leaseTtlMs: redisUrl === undefined ? SOLE_WRITER_LEASE_MS : writerLeaseTtlMs,
  });
  telemetry.add(() => writer.readings());
  lifecycle.add("the writer", () => writer.close());
  // With embedded engines it is the only possible writer; with shared ones another may lead, and this one stands by.
  if (settings.databaseUrl === undefined || settings.redisUrl === undefined) await writer.ready;
  progress.stop();

  const options = { configuredWriter: settings.configuredWriter, marketHours: sources.marketHours };
  const parts = { ...engines, clock, random: machineRandom, log: logger };
  const api = await startApi({
    ...apiOptions(settings, { ...parts, signingKeys }, options),
    telemetry,
    front: (shared) => openStreams({ ...streamOptions(settings, parts), ...shared }),
  });
  lifecycle.add("the API", () => api.close(settings.drainMs));
  begun.logStart(api.address);
  const { url, hasConsole } = api;
  const { stdout } = process;
  const text = stdout.isTTY
    ? `${welcome({ url, hasConsole, simulated: sources.simulated !== null, keys, catalog: settings.catalog })}\n`
    : "";
  // In one write, so that on a terminal no line of the log comes between.
  await announceReady(telemetry.readiness, url, { log: logger, clock, print: (line) => stdout.write(`${line}${text}`) });
};

/** Runs everything in this process until a signal ends it; when the start fails it prints why and exits with 1. */
export const runStandalone = (openCommands: OpenCommands): Promise<void> => start(openCommands).catch(endFailedStart);

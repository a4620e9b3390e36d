/** `assay start`: everything in one process, on the embedded engines unless the settings name others. */
import { apiOptions, requireFreeAddress, startApi } from "@assay/api";
import { parseSettings } from "@assay/config";
import { createLogger, endFailedStart, Lifecycle, makeDataFolder, openClock, openEngines, openProgress } from "@assay/process";
import { openStreams, streamOptions } from "@assay/stream";
import { chooseSources, KNOWN_FEEDS, Writer, workerThreads, writerLog } from "@assay/writer";
import { demoKeys } from "./demo-keys.ts";
import { welcome } from "./welcome.ts";

const start = async (): Promise<void> => {
  const settings = parseSettings(process.env, { knownFeeds: KNOWN_FEEDS });
  const logger = createLogger({ level: settings.logLevel, name: "standalone" });
  const clock = openClock(settings.clockOffsetMs);
  const log = writerLog(logger, clock);
  const lifecycle = new Lifecycle((error, message) => log.fault(error, message));
  lifecycle.endOnSignals();

  const sources = await chooseSources({ ...settings, feeds: settings.feeds.text }, process.env);
  for (const warning of sources.warnings) logger.warn({}, warning);
  if (sources.simulated) logger.warn({}, "the market is simulated: every price is made up");
  // Checked before generating a history that could not be served.
  await requireFreeAddress(settings.host, settings.port, "PORT");
  if (settings.metricsPort !== null) await requireFreeAddress(settings.host, settings.metricsPort, "METRICS_PORT");
  await makeDataFolder(settings.dataDir);
  const engines = await openEngines(settings, { clock, log: logger, lifecycle });
  const keys = sources.rehearsal ? await demoKeys(engines.store, settings.dataDir, clock()) : null;

  const progress = openProgress({ print: (line) => log.info(line, {}), everyMs: 5_000, isAnnounced: false });
  const { writerId: holder, writerLeaseTtlMs: leaseTtlMs } = settings;
  const archives = settings.disabled.has("download") ? null : engines.archives;
  const writer = Writer.start({
    ...engines,
    ...sources,
    archives,
    threads: workerThreads,
    clock,
    log,
    progress,
    holder,
    leaseTtlMs,
  });
  lifecycle.add("the writer", () => writer.close());
  // With embedded engines it is the only possible writer; with shared ones another may lead, and this one stands by.
  if (settings.databaseUrl === undefined || settings.redisUrl === undefined) await writer.ready;
  progress.stop();

  const options = { configuredWriter: settings.configuredWriter, marketHours: sources.marketHours };
  const parts = { ...engines, clock, log: logger };
  const api = await startApi({
    ...apiOptions(settings, parts, options),
    beside: (shared) => openStreams({ ...streamOptions(settings, parts, sources.marketHours), ...shared }),
  });
  lifecycle.add("the API", () => api.close(settings.drainMs));
  process.stdout.write(`ready ${api.url}\n`);
  if (process.stdout.isTTY) process.stdout.write(`${welcome({ url: api.url, simulated: sources.simulated !== null, keys })}\n`);
};

/** Runs everything in this process until a signal ends it; when the start fails it prints why and exits with 1. */
export const runStandalone = (): Promise<void> => start().catch(endFailedStart);

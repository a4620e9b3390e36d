/** `assay writer`: one writer process over the shared engines; of several, one leads and the others stand by. */
import { parseSettings, withSecretFiles } from "@assay/config";
import {
  createLogger,
  endFailedStart,
  Lifecycle,
  openClock,
  openEngines,
  openProgress,
  openTelemetry,
  requireShared,
  type Telemetry,
} from "@assay/process";
import { chooseSources, KNOWN_FEEDS } from "./sources.ts";
import { workerThreads } from "./threads/threads.ts";
import { Writer } from "./writer.ts";
import { writerLog } from "./writer-log.ts";

const start = async (): Promise<void> => {
  const env = withSecretFiles(process.env);
  const settings = parseSettings(env, { knownFeeds: KNOWN_FEEDS });
  requireShared(settings, "assay writer");
  let telemetry: Telemetry | undefined;
  const logger = createLogger({
    level: settings.logLevel,
    format: settings.logFormat,
    name: "writer",
    fields: () => telemetry?.logFields() ?? {},
  });
  const clock = openClock(settings.clockOffsetMs);
  const log = writerLog(logger, clock);
  const lifecycle = new Lifecycle((error, message) => log.fault(error, message));
  lifecycle.endOnSignals();
  const sources = await chooseSources({ ...settings, feeds: settings.feeds.text }, env);
  for (const warning of sources.warnings) logger.warn({}, warning);
  telemetry = await openTelemetry(settings, { role: "writer", log: logger, clock, lifecycle });
  const engines = await openEngines(settings, { clock, log: logger, lifecycle, telemetry, waitMs: Number.POSITIVE_INFINITY });
  const progress = openProgress({ print: (line) => log.info(line, {}), everyMs: 5_000, isAnnounced: false });
  const writer = Writer.start({
    ...engines,
    ...sources,
    archives: settings.disabled.has("download") ? null : engines.archives,
    threads: workerThreads,
    retainTicksMs: settings.retainTicksMs,
    retainDealerQuotesMs: settings.retainDealerQuotesMs,
    clock,
    log,
    progress,
    holder: settings.writerId,
    leaseTtlMs: settings.writerLeaseTtlMs,
  });
  telemetry.add(() => writer.readings());
  lifecycle.add("the writer", () => writer.close());
  process.stdout.write(`ready writer ${settings.writerId}\n`);
  await writer.ready;
  progress.stop();
};

/** Runs one writer process until a signal ends it; when the start fails it prints why and exits with 1. */
export const runWriter = (): Promise<void> => start().catch(endFailedStart);

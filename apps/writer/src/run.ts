/** `assay writer`: one writer process over the shared engines; of several, one leads and the others stand by. */
import { parseSettings, withSecretFiles } from "@assay/config";
import { machineRandom } from "@assay/ports";
import { announceReady, endFailedStart, openEngines, openProcess, openServiceProgress } from "@assay/process";
import { receivers } from "./alerts/receiver.ts";
import { refuseSimulatedPast } from "./simulated/leftover.ts";
import { chooseSources, KNOWN_FEEDS } from "./sources.ts";
import { checkStoredSymbols } from "./stored-symbols.ts";
import { workerThreads } from "./threads/threads.ts";
import { Writer } from "./writer.ts";
import { writerLog } from "./writer-log.ts";

const start = async (): Promise<void> => {
  const settings = parseSettings(process.env, { knownFeeds: KNOWN_FEEDS });
  const parts = await openProcess("writer", settings);
  const { log: logger, clock, lifecycle, telemetry } = parts;
  const log = writerLog(logger, clock);
  const sources = await chooseSources({ ...settings, feeds: settings.feeds.text }, withSecretFiles(process.env));
  for (const warning of sources.warnings) logger.warn({}, warning);
  const engines = await openEngines(settings, { ...parts, waitMs: Number.POSITIVE_INFINITY });
  await checkStoredSymbols(engines.store, logger);
  await refuseSimulatedPast(engines.store, sources, settings.feeds.text);
  const progress = openServiceProgress((line) => log.info(line));
  const writer = Writer.start({
    ...engines,
    ...sources,
    archives: settings.disabled.has("download") ? null : engines.archives,
    threads: workerThreads,
    onStuck: (error) => lifecycle.endStuck(error),
    webhooks: { post: receivers(settings.webhookHosts), catalog: settings.catalog },
    retainTicksMs: settings.retainTicksMs,
    retainDealerQuotesMs: settings.retainDealerQuotesMs,
    clock,
    random: machineRandom,
    log,
    progress,
    holder: settings.writerId,
    leaseTtlMs: settings.writerLeaseTtlMs,
  });
  telemetry.add(() => writer.readings());
  lifecycle.add("the writer", () => writer.close());
  parts.logStart(null);
  await announceReady(telemetry.readiness, `writer ${settings.writerId}`, { log: logger, clock });
  await writer.ready;
  progress.stop();
};

/** Runs one writer process until a signal ends it; when the start fails it prints why and exits with 1. */
export const runWriter = (): Promise<void> => start().catch(endFailedStart);

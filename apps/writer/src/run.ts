/** `assay writer`: one writer process over the shared engines; of several, one leads and the others stand by. */
import { parseSettings, withSecretFiles } from "@assay/config";
import { endFailedStart, openEngines, openProcess, openProgress } from "@assay/process";
import { chooseSources, KNOWN_FEEDS } from "./sources.ts";
import { workerThreads } from "./threads/threads.ts";
import { Writer } from "./writer.ts";
import { writerLog } from "./writer-log.ts";

const start = async (): Promise<void> => {
  const env = withSecretFiles(process.env);
  const settings = parseSettings(env, { knownFeeds: KNOWN_FEEDS });
  const parts = await openProcess("writer", settings);
  const { log: logger, clock, lifecycle, telemetry } = parts;
  const log = writerLog(logger, clock);
  const sources = await chooseSources({ ...settings, feeds: settings.feeds.text }, env);
  for (const warning of sources.warnings) logger.warn({}, warning);
  const engines = await openEngines(settings, { ...parts, waitMs: Number.POSITIVE_INFINITY });
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

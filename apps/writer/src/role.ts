/** `assay writer`: one writer process over the shared engines; of several, one leads and the others stand by. */
import { withSecretFiles } from "@assay/config";
import { type Engines, openServiceProgress, type Prepared, type ProcessParts, type Role, untilRead } from "@assay/process";
import { receivers } from "./alerts/receiver.ts";
import { refuseSimulatedPast } from "./simulated/leftover.ts";
import { chooseSources, KNOWN_FEEDS, type Sources } from "./sources.ts";
import { checkStoredSymbols } from "./stored-symbols.ts";
import { workerThreads } from "./threads/threads.ts";
import { Writer } from "./writer.ts";
import { writerLog } from "./writer-log.ts";

/** A lease in memory that ran out would only be given to the same writer again, with all its work to repeat. */
const SOLE_WRITER_LEASE_MS = 600_000;

/** A writer whose sources are chosen. */
export interface PreparedWriter {
  readonly sources: Sources;
  start(engines: Engines): Promise<Writer>;
}

/**
 * Chooses the sources of a writer.
 * @throws FeedSettingError, ReplayError
 */
export const prepareWriter = async (parts: ProcessParts): Promise<PreparedWriter> => {
  const { settings, log: logger, clock, random, lifecycle, telemetry } = parts;
  const sources = await chooseSources(settings, withSecretFiles(process.env));
  for (const warning of sources.warnings) logger.warn({}, warning);
  const log = writerLog(logger, clock);
  return {
    sources,
    start: async (engines) => {
      await untilRead(() => checkStoredSymbols(engines.store, logger), clock);
      await untilRead(() => refuseSimulatedPast(engines.store, sources, settings.feeds.text), clock);
      const progress = openServiceProgress((line) => log.info(line));
      const writer = Writer.start({
        ...engines,
        ...sources,
        archives: settings.disabled.has("download") ? null : engines.archives,
        threads: workerThreads,
        onStuck: (error) => lifecycle.endStuck(error),
        webhooks: { post: receivers(settings.webhookHosts), catalog: settings.catalog },
        commitEveryMs: settings.commitEveryMs,
        retainTicksMs: settings.retainTicksMs,
        retainDealerQuotesMs: settings.retainDealerQuotesMs,
        clock,
        random,
        log,
        progress,
        holder: settings.writerId,
        leaseTtlMs: settings.redisUrl === undefined ? SOLE_WRITER_LEASE_MS : settings.writerLeaseTtlMs,
      });
      telemetry.add(() => writer.readings());
      lifecycle.add("the writer", () => writer.close());
      void writer.ready.then(() => progress.stop());
      return writer;
    },
  };
};

/** Ready once it runs: whether it leads may depend on another. */
const prepare = async (parts: ProcessParts): Promise<Prepared<null>> => {
  const writer = await prepareWriter(parts);
  return {
    start: async (engines) => {
      await writer.start(engines);
      return null;
    },
  };
};

export const writerRole: Role = { name: "writer", serves: false, knownFeeds: KNOWN_FEEDS, prepare };

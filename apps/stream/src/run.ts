/** `assay stream`: one stream process over the shared engines. */
import { parseSettings } from "@assay/config";
import { createLogger, endFailedStart, Lifecycle, openClock, openEngines, requireShared } from "@assay/process";
import { startStreams } from "./service.ts";
import { streamOptions } from "./stream-options.ts";

const start = async (): Promise<void> => {
  const settings = parseSettings(process.env);
  requireShared(settings, "assay stream");
  const log = createLogger({ level: settings.logLevel, name: "stream" });
  const clock = openClock(settings.clockOffsetMs);
  const lifecycle = new Lifecycle((error, message) => log.error({ err: error }, message));
  lifecycle.endOnSignals();
  const engines = await openEngines(settings, { clock, log, lifecycle });
  const marketHours = !settings.feeds.isRehearsal || settings.simHours === "market";
  const { host, port, publicUrl, metricsPort } = settings;
  const streams = await startStreams({
    ...streamOptions(settings, { ...engines, clock, log }, marketHours),
    host,
    port,
    publicUrl,
    metricsPort,
  });
  lifecycle.add("the streams", () => streams.close(settings.drainMs));
  process.stdout.write(`ready ${streams.url}\n`);
};

/** Runs one stream process until a signal ends it; when the start fails it prints why and exits with 1. */
export const runStream = (): Promise<void> => start().catch(endFailedStart);

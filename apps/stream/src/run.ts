/** `assay stream`: one stream process over the shared engines. */
import { parseSettings } from "@assay/config";
import {
  createLogger,
  endFailedStart,
  Lifecycle,
  openClock,
  openEngines,
  openTelemetry,
  requireShared,
  type Telemetry,
} from "@assay/process";
import { startStreams } from "./service.ts";
import { streamOptions } from "./stream-options.ts";

const start = async (): Promise<void> => {
  const settings = parseSettings(process.env);
  requireShared(settings, "assay stream");
  let telemetry: Telemetry | undefined;
  const log = createLogger({
    level: settings.logLevel,
    format: settings.logFormat,
    name: "stream",
    fields: () => telemetry?.logFields() ?? {},
  });
  const clock = openClock(settings.clockOffsetMs);
  const lifecycle = new Lifecycle((error, message) => log.error({ err: error }, message));
  lifecycle.endOnSignals();
  telemetry = await openTelemetry(settings, { role: "stream", log, clock, lifecycle });
  const engines = await openEngines(settings, { clock, log, lifecycle, telemetry, waitMs: Number.POSITIVE_INFINITY });
  const marketHours = !settings.feeds.isRehearsal || settings.simHours === "market";
  const { host, port, publicUrl } = settings;
  const streams = await startStreams({
    ...streamOptions(settings, { ...engines, clock, log }, marketHours),
    host,
    port,
    publicUrl,
    telemetry,
  });
  lifecycle.add("the streams", () => streams.close(settings.drainMs));
  process.stdout.write(`ready ${streams.url}\n`);
};

/** Runs one stream process until a signal ends it; when the start fails it prints why and exits with 1. */
export const runStream = (): Promise<void> => start().catch(endFailedStart);

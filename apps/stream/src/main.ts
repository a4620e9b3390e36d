/** `npm run stream`: one stream process over the shared engines. */
import { createLogger, endFailedStart, Lifecycle, openClock, openEngines, parseSettings, requireShared } from "@assay/config";
import { startStreams } from "./service.ts";
import { streamOptions } from "./stream-options.ts";

const start = async (): Promise<void> => {
  const settings = parseSettings(process.env);
  requireShared(settings, "npm run stream");
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

start().catch(endFailedStart);

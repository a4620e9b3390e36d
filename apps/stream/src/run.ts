/** `assay stream`: one stream process over the shared engines. */
import { parseSettings } from "@assay/config";
import { endFailedStart, openEngines, openProcess } from "@assay/process";
import { startStreams } from "./service.ts";
import { streamOptions } from "./stream-options.ts";

const start = async (): Promise<void> => {
  const settings = parseSettings(process.env);
  const parts = await openProcess("stream", settings);
  const { log, clock, lifecycle, telemetry } = parts;
  const engines = await openEngines(settings, { ...parts, waitMs: Number.POSITIVE_INFINITY });
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

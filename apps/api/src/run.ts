/** `assay api`: one API process over the shared engines. */
import { parseSettings } from "@assay/config";
import { createLogger, endFailedStart, Lifecycle, openClock, openEngines, requireShared } from "@assay/process";
import { startApi } from "./service.ts";
import { apiOptions } from "./service-options.ts";

const start = async (): Promise<void> => {
  const settings = parseSettings(process.env);
  requireShared(settings, "assay api");
  const log = createLogger({ level: settings.logLevel, name: "api" });
  const clock = openClock(settings.clockOffsetMs);
  const lifecycle = new Lifecycle((error, message) => log.error({ err: error }, message));
  lifecycle.endOnSignals();
  const engines = await openEngines(settings, { clock, log, lifecycle });
  const marketHours = !settings.feeds.isRehearsal || settings.simHours === "market";
  const options = { configuredWriter: settings.configuredWriter, marketHours };
  const api = await startApi(apiOptions(settings, { ...engines, clock, log }, options));
  lifecycle.add("the API", () => api.close(settings.drainMs));
  process.stdout.write(`ready ${api.url}\n`);
};

/** Runs one API process until a signal ends it; when the start fails it prints why and exits with 1. */
export const runApi = (): Promise<void> => start().catch(endFailedStart);

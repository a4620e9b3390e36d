/** `npm run api`: one API process over the shared engines. */
import { createLogger, endFailedStart, Lifecycle, openClock, openEngines, parseSettings, requireShared } from "@assay/config";
import { startApi } from "./service.ts";
import { apiOptions } from "./service-options.ts";

const start = async (): Promise<void> => {
  const settings = parseSettings(process.env);
  requireShared(settings, "npm run api");
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

start().catch(endFailedStart);

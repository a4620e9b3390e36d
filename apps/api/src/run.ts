/** `assay api`: one API process over the shared engines. */
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
import { openSigningKeys, signingKeyPlace } from "./receipts/signing-key-file.ts";
import { startApi } from "./service.ts";
import { apiOptions } from "./service-options.ts";

const start = async (): Promise<void> => {
  const settings = parseSettings(process.env);
  requireShared(settings, "assay api");
  let telemetry: Telemetry | undefined;
  const log = createLogger({
    level: settings.logLevel,
    format: settings.logFormat,
    name: "api",
    fields: () => telemetry?.logFields() ?? {},
  });
  const clock = openClock(settings.clockOffsetMs);
  const lifecycle = new Lifecycle((error, message) => log.error({ err: error }, message));
  lifecycle.endOnSignals();
  telemetry = await openTelemetry(settings, { role: "api", log, clock, lifecycle });
  const signingKeys = await openSigningKeys(signingKeyPlace(settings), { clock, log });
  const engines = await openEngines(settings, { clock, log, lifecycle, telemetry, waitMs: Number.POSITIVE_INFINITY });
  const marketHours = !settings.feeds.isRehearsal || settings.simHours === "market";
  const options = { configuredWriter: settings.configuredWriter, marketHours };
  const api = await startApi({ ...apiOptions(settings, { ...engines, clock, log, signingKeys }, options), telemetry });
  lifecycle.add("the API", () => api.close(settings.drainMs));
  process.stdout.write(`ready ${api.url}\n`);
};

/** Runs one API process until a signal ends it; when the start fails it prints why and exits with 1. */
export const runApi = (): Promise<void> => start().catch(endFailedStart);

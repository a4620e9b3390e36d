/** `assay api`: one API process over the shared engines. */
import { parseSettings } from "@assay/config";
import { endFailedStart, openEngines, openProcess } from "@assay/process";
import { openSigningKeys, signingKeyPlace } from "./receipts/signing-key-file.ts";
import { startApi } from "./service.ts";
import { apiOptions } from "./service-options.ts";

const start = async (): Promise<void> => {
  const settings = parseSettings(process.env);
  const parts = await openProcess("api", settings);
  const { log, clock, lifecycle, telemetry } = parts;
  const signingKeys = await openSigningKeys(signingKeyPlace(settings), { clock, log, isOneOfMany: true });
  const engines = await openEngines(settings, { ...parts, waitMs: Number.POSITIVE_INFINITY });
  const marketHours = !settings.feeds.isRehearsal || settings.simHours === "market";
  const options = { configuredWriter: settings.configuredWriter, marketHours };
  const api = await startApi({ ...apiOptions(settings, { ...engines, clock, log, signingKeys }, options), telemetry });
  lifecycle.add("the API", () => api.close(settings.drainMs));
  process.stdout.write(`ready ${api.url}\n`);
};

/** Runs one API process until a signal ends it; when the start fails it prints why and exits with 1. */
export const runApi = (): Promise<void> => start().catch(endFailedStart);

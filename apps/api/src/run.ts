/** `assay api`: one API process over the shared engines. */
import { parseSettings, type Settings } from "@assay/config";
import { machineRandom } from "@assay/ports";
import { announceKeyless, announceReady, type Engines, endFailedStart, openEngines, openProcess } from "@assay/process";
import { type ApiServiceOptions, startApi } from "./service.ts";
import { openSigningKeys, signingKeyPlace } from "./signing-key-file.ts";

/**
 * Reads the API's part of the settings.
 * @param configuredWriter the preferred lease holder; null when any writer may hold it
 * @param marketHours whether the market ever closes
 */
export const apiOptions = (
  settings: Settings,
  engines: Engines & Pick<ApiServiceOptions, "clock" | "random" | "log" | "signingKeys">,
  { configuredWriter, marketHours }: { readonly configuredWriter: string | null; readonly marketHours: boolean },
): ApiServiceOptions => ({
  ...engines,
  catalog: settings.catalog,
  configuredWriter,
  marketHours,
  historySunset: settings.historySunset,
  disabled: settings.disabled,
  trustProxy: settings.trustProxy,
  host: settings.host,
  port: settings.port,
  maxPipelined: settings.maxPipelined,
  publicUrl: settings.publicUrl,
  embedOrigins: settings.embedOrigins,
  webhookHosts: settings.webhookHosts,
});

const start = async (): Promise<void> => {
  const settings = parseSettings(process.env);
  const parts = await openProcess("api", settings);
  const { log, clock, lifecycle, telemetry } = parts;
  const signingKeys = await openSigningKeys(signingKeyPlace(settings), { clock, log, isOneOfMany: true });
  const engines = await openEngines(settings, { ...parts, waitMs: Number.POSITIVE_INFINITY });
  announceKeyless(settings, log);
  const marketHours = !settings.feeds.isRehearsal || settings.simHours === "market";
  const options = { configuredWriter: settings.configuredWriter, marketHours };
  const api = await startApi({
    ...apiOptions(settings, { ...engines, clock, random: machineRandom, log, signingKeys }, options),
    telemetry,
  });
  lifecycle.add("the API", () => api.close(settings.drainMs));
  parts.logStart(api.address);
  await announceReady(telemetry.readiness, api.url, { log, clock });
};

/** Runs one API process until a signal ends it; when the start fails it prints why and exits with 1. */
export const runApi = (): Promise<void> => start().catch(endFailedStart);

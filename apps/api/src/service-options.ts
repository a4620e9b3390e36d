/** From settings to what the API is started with. */
import type { Engines, Settings } from "@assay/config";
import type { Clock, ServiceLog } from "@assay/services";
import type { ApiServiceOptions } from "./service.ts";

/**
 * Reads the API's part of the settings.
 * @param configuredWriter the writer that ought to hold the lease; null when any may
 * @param marketHours whether the market closes at all
 */
export const apiOptions = (
  settings: Settings,
  engines: Engines & { readonly clock: Clock; readonly log: ServiceLog },
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
  publicUrl: settings.publicUrl,
  metricsPort: settings.metricsPort,
});

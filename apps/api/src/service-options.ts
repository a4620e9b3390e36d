/** Derives the API's options from the settings. */
import type { Settings } from "@assay/config";
import type { Clock, Log } from "@assay/live";
import type { Engines } from "@assay/process";
import type { SigningKeyRing } from "@assay/services";
import type { ApiServiceOptions } from "./service.ts";

/**
 * Reads the API's part of the settings.
 * @param configuredWriter the preferred lease holder; null when any writer may hold it
 * @param marketHours whether the market ever closes
 */
export const apiOptions = (
  settings: Settings,
  engines: Engines & { readonly clock: Clock; readonly log: Log; readonly signingKeys: SigningKeyRing },
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
  embedOrigins: settings.embedOrigins,
});

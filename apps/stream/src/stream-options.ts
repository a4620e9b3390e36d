/** From settings to what streams are opened with. */
import type { Engines, Settings } from "@assay/config";
import type { StreamLog } from "./connection.ts";
import type { StreamsOptions } from "./streams.ts";

/**
 * Reads the streams' part of the settings.
 * @param marketHours whether the market closes at all
 */
export const streamOptions = (
  settings: Settings,
  parts: Engines & { readonly clock: () => number; readonly log: StreamLog },
  marketHours: boolean,
): Omit<StreamsOptions, "authenticator" | "limits" | "publicUrl"> => ({
  ...parts,
  catalog: settings.catalog,
  trustProxy: settings.trustProxy,
  marketHours,
  maxBufferBytes: settings.streamMaxBufferBytes,
  maxLagMs: settings.streamMaxLagMs,
});

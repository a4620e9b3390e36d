/** Derives the streams' options from the settings. */
import type { Settings } from "@assay/config";
import type { Log } from "@assay/live";
import type { Engines } from "@assay/process";
import type { StreamsOptions } from "./streams.ts";

/**
 * Reads the streams' part of the settings.
 * @param marketHours whether the market ever closes
 */
export const streamOptions = (
  settings: Settings,
  parts: Engines & { readonly clock: () => number; readonly log: Log },
  marketHours: boolean,
): Omit<StreamsOptions, "authenticator" | "limits" | "publicUrl"> => ({
  ...parts,
  catalog: settings.catalog,
  trustProxy: settings.trustProxy,
  marketHours,
  maxBufferBytes: settings.streamMaxBufferBytes,
  maxLagMs: settings.streamMaxLagMs,
});

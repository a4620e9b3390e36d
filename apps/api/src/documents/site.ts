/** What every document knows about the service that serves it. */
import { type TierCatalog, VERSION } from "@assay/contract";

/** The service as documents describe it. */
export interface Site {
  /** Base of absolute links, without a trailing slash. */
  readonly publicUrl: string;
  /** The path prefix, when a proxy serves the service under a path. */
  readonly basePath: string;
  readonly version: string;
  readonly catalog: TierCatalog;
  readonly hasConsole: boolean;
}

/** Parses the public address. */
export const siteOf = (publicUrl: string, catalog: TierCatalog, hasConsole = false): Site => ({
  publicUrl: publicUrl.replace(/\/+$/, ""),
  basePath: new URL(publicUrl).pathname.replace(/\/+$/, ""),
  version: VERSION,
  catalog,
  hasConsole,
});

/** What every document knows of the service it stands on. */
import { type TierCatalog, VERSION } from "@assay/contract";

/** The service as its documents tell of it. */
export interface Site {
  /** Base of absolute links, without a slash at its end. */
  readonly publicUrl: string;
  /** What paths begin with, where a proxy serves the service under a path of its own. */
  readonly basePath: string;
  readonly version: string;
  readonly catalog: TierCatalog;
}

/** Reads the public address. */
export const siteOf = (publicUrl: string, catalog: TierCatalog): Site => ({
  publicUrl: publicUrl.replace(/\/+$/, ""),
  basePath: new URL(publicUrl).pathname.replace(/\/+$/, ""),
  version: VERSION,
  catalog,
});

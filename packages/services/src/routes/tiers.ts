/** The tier catalog. */
import { type AssayContract, Encoded, TIER_NAMES, type TierCatalog, type Verb } from "@assay/contract";
import type { VerbContext } from "../context.ts";

/** `GET /v1/metadata/tiers`: encodes the catalog once; it does not change while the process runs. */
export const listTiers = (catalog: TierCatalog): Verb<AssayContract["tiers"]["list"], VerbContext> => {
  const body = JSON.stringify(TIER_NAMES.map((name) => catalog.tiers[name]));
  return () => new Encoded(body);
};

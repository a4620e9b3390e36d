/** The catalogue of metals, currencies and units. */
import { type AssayContract, Encoded, publishedCatalog, type Verb } from "@assay/contract";
import type { VerbContext } from "../context.ts";

/** `GET /v1/metadata/catalog`: encodes the catalogue once; it does not change while the process runs. */
export const getCatalog = (): Verb<AssayContract["catalog"]["get"], VerbContext> => {
  const body = JSON.stringify(publishedCatalog());
  return () => new Encoded(body);
};

/** The catalogue: every metal, currency, unit and fund, and what follows from them. */
export { BUILT_IN } from "./built-in.ts";
export { type Catalogue, catalogueOf, type InstrumentRow, type PriceSymbol, type RatioRow, spotSymbol } from "./catalogue.ts";
export { CatalogueFault, type CatalogueFile, mergeCatalogue } from "./file.ts";
export { jsonFaultPlace, jsonPlace } from "./json-place.ts";
export {
  type CatalogueRows,
  type CurrencyRow,
  type FundRow,
  type MetalRow,
  REFERENCE_BASE,
  type UnitPlace,
  type UnitRow,
} from "./rows.ts";
export { catalogue, catalogueFault, isOperatorsCatalogue } from "./running.ts";
export { SUBUNITS, type Subunit } from "./subunits.ts";
export { WIDE } from "./wide.ts";

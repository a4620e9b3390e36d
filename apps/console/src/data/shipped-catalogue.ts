/**
 * The catalogue as the SDK ships it: what stands in while the service's own cannot be had. A test compares it with the
 * contract.
 */
import {
  CONVERTIBLES,
  CURRENCIES,
  FUTURES_SYMBOLS,
  METALS,
  PRICE_UNITS,
  SPOT_NAMES,
  SPOT_SYMBOLS,
  SURFACE_METALS,
} from "@assay/sdk";
import type { Wire } from "@assay/sdk/trpc";

export type Metal = Pick<
  Wire.CatalogMetal,
  "code" | "name" | "unit" | "coverage" | "quoted_in" | "convertible" | "karats" | "finenesses" | "streams" | "has_surface"
> & { readonly futures: Pick<NonNullable<Wire.CatalogMetal["futures"]>, "product"> | null };
export type Currency = Pick<Wire.CatalogCurrency, "code" | "name" | "quoted" | "peg">;
export type Unit = Wire.CatalogUnit;

export interface Catalogue {
  readonly metals: readonly Metal[];
  readonly currencies: readonly Currency[];
  readonly units: readonly Unit[];
}

const includes = (values: readonly string[], value: string): boolean => values.includes(value);
const [OUNCE, POUND] = PRICE_UNITS;
const withFutures = METALS.filter((code) => includes(SPOT_SYMBOLS, `${code}-USD-FUTURES`));

// The SDK has lists of codes; what follows from them is true of the built-in catalogue, which they are of.
const metals = METALS.map((code, at): Metal => {
  const convertible = includes(CONVERTIBLES, code);
  const isInAll = CURRENCIES.every((currency) => includes(SPOT_SYMBOLS, `${code}-${currency}-SPOT`));
  const product = FUTURES_SYMBOLS[withFutures.indexOf(code)];
  return {
    code,
    name: SPOT_NAMES[at] ?? code,
    unit: convertible ? OUNCE : POUND,
    coverage: "spot",
    finenesses: [],
    quoted_in: isInAll ? "all" : "USD",
    convertible,
    karats: isInAll,
    streams: convertible ? ["sse", "websocket"] : ["websocket"],
    has_surface: includes(SURFACE_METALS, code.toLowerCase()),
    futures: product === undefined ? null : { product },
  };
});

const nameOf = new Intl.DisplayNames("en", { type: "currency" });

export const SHIPPED_CATALOGUE: Catalogue = {
  metals,
  currencies: CURRENCIES.map((code) => ({ code, name: nameOf.of(code) ?? code, quoted: true, peg: null })),
  units: [
    { code: "oz", name: "troy ounce", grams: "31.1034768", accepted: ["convert", "dealers"] },
    { code: "gram", name: "gram", grams: "1", accepted: ["convert", "dealers"] },
    { code: "kg", name: "kilogram", grams: "1000", accepted: ["convert", "dealers"] },
    { code: OUNCE, name: "troy ounce", grams: "31.1034768", accepted: ["price"] },
    { code: POUND, name: "avoirdupois pound", grams: "453.59237", accepted: ["price"] },
    { code: "tola", name: "tola", grams: "11.6638038", accepted: ["dealers"] },
  ],
};

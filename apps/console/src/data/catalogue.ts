/**
 * The catalogue of this service: its metals, currencies and units of weight, read once before the first page is drawn. Every
 * list, name and unit on a page is from here.
 */
import { language, lineOf, locale, text } from "../text/text.ts";
import { at, reach } from "./service.ts";
import { type Catalogue, type Metal, SHIPPED_CATALOGUE, type Unit } from "./shipped-catalogue.ts";

/** A page with the built-in lists is better than none. */
const WAIT_MS = 5_000;

const read = async (): Promise<Catalogue> => {
  try {
    // Without a key and with no headers: it is the request that the page's head has begun, or one the browser has cached.
    const response = await reach(at("v1/metadata/catalog"), { signal: AbortSignal.timeout(WAIT_MS) });
    if (response.ok) return (await response.json()) as Catalogue; // the contract's own shape
  } catch {
    // Whether the service answers at all, `reach` says.
  }
  return SHIPPED_CATALOGUE;
};

const catalogue = await read();

export const METALS: readonly Metal[] = catalogue.metals.filter(({ coverage }) => coverage === "spot");
export const CURRENCIES = catalogue.currencies.filter(({ quoted }) => quoted);
export const UNITS = catalogue.units;

/** The metal that is shown until another is chosen. */
export const GOLD = "XAU";

export const codesOf = (rows: readonly { readonly code: string }[]): readonly string[] => rows.map(({ code }) => code);

const find = <Row extends { readonly code: string }>(rows: readonly Row[], code: string): Row | undefined =>
  rows.find((row) => row.code === code);

/** A metal with a price, by a code of the list. */
export const metalOf = (code: string): Metal => {
  const found = find(METALS, code);
  if (found === undefined) throw new RangeError(`no metal ${code}`);
  return found;
};

/** The catalogue's own words are English; of what is not built in, they are all there is. */
const inWords = (lines: Readonly<Record<string, string>>, code: string, published: string): string =>
  language.value === "en" ? published : lineOf(lines, code, published);

/** A metal in words, within a sentence; one that is newer than the cached catalogue, by its code. */
export const metalName = (code: string): string =>
  inWords(text().names.metals, code, (find(METALS, code)?.name ?? code).replaceAll("_", " "));

export const metalText = (code: string): string =>
  metalName(code).replace(/^./u, (first) => first.toLocaleUpperCase(locale.value));

export const metalOptions = (metals: readonly Metal[]) => metals.map(({ code }) => ({ value: code, text: metalText(code) }));

const byIntl = (type: "currency" | "region", code: string, published: string): string =>
  language.value === "en" ? published : (new Intl.DisplayNames(locale.value, { type, fallback: "none" }).of(code) ?? published);

export const currencyOptions = () =>
  CURRENCIES.map(({ code, name }) => ({ value: code, text: `${code} · ${byIntl("currency", code, name)}` }));

export const countryText = (code: string, published: string): string => byIntl("region", code, published);

export const unitOf = (code: string): Unit | undefined => find(UNITS, code);

export const unitText = (code: string): string => inWords(text().names.units, code, unitOf(code)?.name ?? code);

export const unitOptions = (units: readonly Unit[]) => units.map(({ code }) => ({ value: code, text: unitText(code) }));

/** Whether conversions know a unit of weight. */
export const isConvertUnit = ({ accepted }: Unit): boolean => accepted.includes("convert");

/** The symbol of a metal's price in dollars, which is what streams carry. */
export const dollarSymbol = (code: string): string => `${code}-USD-SPOT`;

export const streamed = (transport: "sse" | "websocket"): readonly string[] =>
  METALS.filter(({ streams }) => streams.includes(transport)).map(({ code }) => dollarSymbol(code));

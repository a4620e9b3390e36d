/** Symbols: what is priced, what has bars, a metal in a currency, and the spellings callers may use. */
import { catalogue, type PriceSymbol, spotSymbol } from "@assay/catalogue";
import {
  BAR_SYMBOLS,
  type BarSymbol,
  type ContractType,
  CURRENCIES,
  type Currency,
  type FuturesSymbol,
  foldSymbol,
  type Metal,
  upperCase,
} from "@assay/contract";
import type { Venue } from "./exchange-calendar.ts";

export type { PriceSymbol } from "@assay/catalogue";

/** An instrument quoted in USD. */
export type Instrument = string;

/** Instruments that sources quote and the composition prices, all in USD. */
export const INSTRUMENTS: readonly Instrument[] = catalogue.instruments.map(({ instrument }) => instrument);

/** Series reported as complete daily bars instead of folded from ticks, used only for ratios. */
export const REPORTED_DAYS: readonly DailySymbol[] = catalogue.dailyMetals.map(({ code }) => spotSymbol(code));

/** A series with daily bars. */
export type DailySymbol = string;

/** Series with daily bars: those of the bar routes, and the reported ones. */
export const DAILY_SYMBOLS: readonly DailySymbol[] = [...BAR_SYMBOLS, ...REPORTED_DAYS];

/** The bar series of an instrument's ticks. */
export const barSymbolOf = (instrument: Instrument): BarSymbol => catalogue.instrument(instrument).barSymbol;

const INSTRUMENT_OF = new Map(catalogue.instruments.map(({ barSymbol, instrument }) => [barSymbol, instrument]));

export const instrumentOf = (symbol: BarSymbol): Instrument => INSTRUMENT_OF.get(symbol) ?? symbol;

/** The futures product that an instrument is a price of; undefined for spot and funds. */
export const productOf = (instrument: Instrument): FuturesSymbol | undefined => {
  const { kind, barSymbol } = catalogue.instrument(instrument);
  return kind === "futures" ? barSymbol : undefined;
};

export const venueOf = (instrument: Instrument): Venue => (catalogue.instrument(instrument).kind === "fund" ? "fund" : "metals");

/** Every symbol of the price routes, in listing order. */
export const PRICE_SYMBOLS: readonly PriceSymbol[] = catalogue.priceSymbols;

const FORM = new RegExp(`^(${catalogue.spotMetals.map(({ code }) => code).join("|")})-[A-Z]{3}-(SPOT|FUTURES)$`);

export type SymbolReading =
  | { readonly kind: "known"; readonly entry: PriceSymbol }
  /** Well-formed, but not priced by Assay. */
  | { readonly kind: "unknown"; readonly metal: Metal; readonly contractType: ContractType }
  | { readonly kind: "malformed" };

/** What every symbol and alias means, in upper case. */
const KNOWN = new Map([...catalogue.priceNames].map(([name, entry]) => [name, { kind: "known", entry } as const]));

/**
 * Parses a symbol or alias of the price routes, in any case, but for its currency (`foldSymbol`).
 * @param text as the caller wrote it
 */
export const readPriceSymbol = (text: string): SymbolReading => {
  const folded = KNOWN.has(text) ? text : foldSymbol(text);
  if (folded === null) return { kind: "malformed" };
  const known = KNOWN.get(folded);
  if (known) return known;
  const [, metal, contractType] = FORM.exec(folded) ?? [];
  if (metal === undefined) return { kind: "malformed" };
  return { kind: "unknown", metal, contractType: contractType === "SPOT" ? "spot" : "futures" };
};

/**
 * Parses a symbol of the bar routes, with dashes or a slash, in any case.
 * @param text as the caller wrote it
 * @returns the canonical series; null when there is no such series
 */
export const readBarSymbol = (text: string): BarSymbol | null =>
  catalogue.barNames.get(text) ?? catalogue.barNames.get(foldSymbol(text)?.replaceAll("/", "-") ?? "") ?? null;

/** A metal in a currency. */
export interface Cross {
  /** Canonical form, for example `XAU-EUR-SPOT`. */
  readonly symbol: string;
  readonly metal: Metal;
  readonly currency: Currency;
  /** The series in USD it is computed from. */
  readonly instrument: Instrument;
}

/** Codes, names and aliases of the metals, in upper case. */
const METALS_BY_NAME = new Map(
  catalogue.spotMetals.flatMap(({ code, name, aliases = [] }) => [code, name, ...aliases].map((each) => [upperCase(each), code])),
);
const QUOTED = new Set(CURRENCIES);
const CROSS_FORM = /^([A-Z0-9_]+)(?:[-/]([A-Z]{3})(?:-SPOT)?)?$/;

/**
 * Parses a cross, with dashes or a slash, in any case; a metal alone is its price in USD.
 * @param text as the caller wrote it: `XAU-EUR-SPOT`, `XAU/EUR`, `gold`
 * @returns null when the catalogue does not have the metal or the currency
 */
export const readCross = (text: string): Cross | null => {
  const [, name = "", currency = "USD"] = CROSS_FORM.exec(foldSymbol(text) ?? "") ?? [];
  const metal = METALS_BY_NAME.get(name);
  if (metal === undefined || !QUOTED.has(currency)) return null;
  return { symbol: `${metal}-${currency}-SPOT`, metal, currency, instrument: spotSymbol(metal) };
};

/** Symbols: what is priced, what has bars, and the spellings callers may use. */
import {
  BAR_SYMBOLS,
  type BarSymbol,
  type ContractType,
  CURRENCIES,
  type Currency,
  type FuturesSymbol,
  type Metal,
  upperCase,
} from "@assay/contract";

/** Instruments that sources quote and the composition prices, all in USD. */
export const INSTRUMENTS = [
  "XAU-USD-SPOT",
  "XAG-USD-SPOT",
  "HG-USD-SPOT",
  "XAU-USD-FUTURES",
  "XAG-USD-FUTURES",
  "HG-USD-FUTURES",
  "GLD",
] as const;
/** An instrument quoted in USD. */
export type Instrument = (typeof INSTRUMENTS)[number];

/** Series reported as complete daily bars instead of folded from ticks: platinum and palladium, used only for ratios. */
export const REPORTED_DAYS = ["XPT-USD-SPOT", "XPD-USD-SPOT"] as const;

/** Series with daily bars: those of the bar routes, and the reported ones. */
export const DAILY_SYMBOLS = [...BAR_SYMBOLS, ...REPORTED_DAYS] as const;
/** A series with daily bars. */
export type DailySymbol = (typeof DAILY_SYMBOLS)[number];

/** The bar series of each instrument's ticks. */
export const BAR_SYMBOL_OF: Record<Instrument, BarSymbol> = {
  "XAU-USD-SPOT": "XAU-USD-SPOT",
  "XAG-USD-SPOT": "XAG-USD-SPOT",
  "HG-USD-SPOT": "HG-USD-SPOT",
  "XAU-USD-FUTURES": "GC",
  "XAG-USD-FUTURES": "SI",
  "HG-USD-FUTURES": "HG",
  GLD: "GLD",
};

/** The product whose front contract an instrument is. */
export const FUTURES_OF_INSTRUMENT: Partial<Record<Instrument, FuturesSymbol>> = {
  "XAU-USD-FUTURES": "GC",
  "XAG-USD-FUTURES": "SI",
  "HG-USD-FUTURES": "HG",
};

/** A parsed symbol of the price routes. */
export interface PriceSymbol {
  /** Canonical form, for example XAU-EUR-SPOT. */
  readonly symbol: string;
  readonly metal: Metal;
  readonly currency: Currency;
  readonly contractType: ContractType;
  /** The USD instrument behind it. */
  readonly instrument: Instrument;
}

const priceSymbol = (metal: Metal, currency: Currency, contractType: ContractType): PriceSymbol => ({
  symbol: `${metal}-${currency}-${contractType.toUpperCase()}`,
  metal,
  currency,
  contractType,
  instrument: `${metal}-USD-${contractType === "spot" ? "SPOT" : "FUTURES"}`,
});

/** Every symbol of the price routes, in listing order: gold by currency, then the others. */
export const PRICE_SYMBOLS: readonly PriceSymbol[] = [
  ...CURRENCIES.map((currency) => priceSymbol("XAU", currency, "spot")),
  priceSymbol("XAG", "USD", "spot"),
  priceSymbol("HG", "USD", "spot"),
  priceSymbol("XAU", "USD", "futures"),
  priceSymbol("XAG", "USD", "futures"),
  priceSymbol("HG", "USD", "futures"),
];

const PRICE_ALIASES: Record<string, string> = {
  GOLD: "XAU-USD-SPOT",
  XAU: "XAU-USD-SPOT",
  SILVER: "XAG-USD-SPOT",
  XAG: "XAG-USD-SPOT",
  COPPER: "HG-USD-FUTURES",
  HG: "HG-USD-FUTURES",
};

const FORM = /^(XAU|XAG|HG)-[A-Z]{3}-(SPOT|FUTURES)$/;

/** The result of parsing a symbol. */
export type SymbolReading =
  | { readonly kind: "known"; readonly entry: PriceSymbol }
  /** Well-formed, but not priced by Assay. */
  | { readonly kind: "unknown"; readonly metal: Metal; readonly contractType: ContractType }
  | { readonly kind: "malformed" };

/** What every symbol and alias means, in upper case. */
const KNOWN = new Map<string, SymbolReading>(PRICE_SYMBOLS.map((entry) => [entry.symbol, { kind: "known", entry }]));
for (const [alias, symbol] of Object.entries(PRICE_ALIASES)) {
  const known = KNOWN.get(symbol);
  if (known) KNOWN.set(alias, known);
}

/**
 * Parses a symbol or alias of the price routes, in any case.
 * @param text as the caller wrote it
 */
export const readPriceSymbol = (text: string): SymbolReading => {
  const known = KNOWN.get(text) ?? KNOWN.get(upperCase(text));
  if (known) return known;
  const form = FORM.exec(upperCase(text));
  if (!form) return { kind: "malformed" };
  const metal = form[1] as Metal; // the pattern allows nothing else
  return { kind: "unknown", metal, contractType: form[2] === "SPOT" ? "spot" : "futures" };
};

const BAR_ALIASES: Record<string, BarSymbol> = {
  GOLD: "XAU-USD-SPOT",
  XAU: "XAU-USD-SPOT",
  "XAU-USD": "XAU-USD-SPOT",
  "XAU-USD-FUTURES": "GC",
  SILVER: "XAG-USD-SPOT",
  XAG: "XAG-USD-SPOT",
  "XAG-USD": "XAG-USD-SPOT",
  "XAG-USD-FUTURES": "SI",
  COPPER: "HG",
  "HG-USD": "HG-USD-SPOT",
  "HG-USD-FUTURES": "HG",
};

/** What every series and alias means, in upper case and with dashes. */
const BAR_NAMES = new Map<string, BarSymbol>([
  ...BAR_SYMBOLS.map((symbol) => [symbol, symbol] as const),
  ...Object.entries(BAR_ALIASES),
]);

/**
 * Parses a symbol of the bar routes, with dashes or a slash, in any case.
 * @param text as the caller wrote it
 * @returns the canonical series; null when there is no such series
 */
export const readBarSymbol = (text: string): BarSymbol | null =>
  BAR_NAMES.get(text) ?? BAR_NAMES.get(upperCase(text).replaceAll("/", "-")) ?? null;

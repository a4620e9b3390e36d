/**
 * Currency codes as callers write them. Their case is folded only where it means nothing: GBp is pence, which "any case" would
 * read as pounds, a price a hundred times too high.
 */
import { SUBUNITS } from "@assay/catalogue";
import { SYMBOL_HINT } from "./errors.ts";
import { CURRENCIES, type Currency, upperCase } from "./values.ts";

/** Whether letters of both cases are in a text. */
const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text);

/**
 * Parses the code of a quote currency, in capitals or in small letters.
 * @returns null when the catalogue does not quote in it
 */
export const readCurrency = (text: string): Currency | null => {
  const code = isMixed(text) ? text : upperCase(text);
  return CURRENCIES.find((known) => known === code) ?? null;
};

/**
 * What a code that is no currency was probably meant as; null when nothing is known of it.
 * @returns a sentence
 */
export const currencyHint = (text: string): string | null => {
  const subunit = SUBUNITS.get(text) ?? SUBUNITS.get(upperCase(text));
  if (subunit && readCurrency(text) === null)
    return `${text} is ${subunit.name}, a hundredth of ${subunit.currency}: use ${subunit.currency}, and convert.`;
  if (!isMixed(text) || readCurrency(upperCase(text)) === null) return null;
  return `A currency is written in capitals or in small letters, ${upperCase(text)}: ${text} could mean a part of it.`;
};

/** The refusal of a code that is no currency. */
export const unsupportedCurrency = (name: string, code: string, known: readonly string[]): string =>
  `${name} ${JSON.stringify(code)} is not supported: ${currencyHint(code) ?? `use one of ${known.join(", ")}.`}`;

/** The currency of a symbol as it was written; an empty text when the symbol names none. */
const currencyIn = (symbol: string): string => symbol.split(/[-/]/)[1] ?? "";

/**
 * A symbol in capitals.
 * @returns null when its currency is written in both cases, or is a hundredth of one
 */
export const foldSymbol = (symbol: string): string | null =>
  currencyHint(currencyIn(symbol)) === null ? upperCase(symbol) : null;

/**
 * The hint of a symbol that cannot be read.
 * @param otherwise where its currency is not the reason
 */
export const symbolHint = (symbol: string, otherwise: string = SYMBOL_HINT): string =>
  currencyHint(currencyIn(symbol)) ?? otherwise;

/** Daily prices as price directives of plain-text accounting programs: one line per settled day. */
import { catalogue } from "@assay/catalogue";
import { partOf } from "./formats.ts";

/** What an answer says of its prices as a whole: bars are in USD, per the unit of their series. */
export interface PricedAnswer {
  readonly symbol: string;
  readonly quote_currency?: string;
  readonly unit?: string;
  readonly fineness?: string;
}

/** The fields of a row: its day, which may go on with a time, its price, and whether that is final. */
export interface PricedRow {
  readonly day: string;
  readonly price: string;
  /** Rows without such a field are final. */
  readonly closed?: string;
}

const ROWS: Readonly<Record<string, PricedRow>> = {
  bars: { day: "bar_start", price: "close", closed: "is_closed" },
  points: { day: "date", price: "price" },
};

/**
 * The fields of the rows at a path.
 * @throws Error when they are no prices of days
 */
export const pricedRowAt = (path: string): PricedRow => {
  const row = ROWS[path];
  if (!row) throw new Error(`${path || "the answer"} is not a list of daily prices`);
  return row;
};

const unitIn = (metal: string): string | undefined => catalogue.spotMetals.find(({ code }) => code === metal)?.unit;

/**
 * The commodity of an answer: `XAU` of `XAU-USD-SPOT`, `GLD` of `GLD`. What is not one of the metal's own unit of pure metal has
 * its unit and fineness after that, `XAU-GRAM-750`: a book in which both had one name would be wrong.
 */
export const commodityOf = ({ symbol, unit, fineness }: PricedAnswer): string => {
  const [metal = symbol] = symbol.split("-");
  const weight = unit === undefined || unit === unitIn(metal) ? [] : [unit.toUpperCase()];
  return [metal, ...weight, ...(fineness === undefined || fineness === "1000" ? [] : [fineness])].join("-");
};

/** What a directive has before the day, between day and price, and behind the price. */
export type PriceLine = (answer: PricedAnswer) => readonly [string, string, string];

const currencyOf = ({ quote_currency: currency = "USD" }: PricedAnswer): string => currency;

/**
 * For beancount: `2026-11-20 price XAU 4062.00 USD`.
 * @see https://beancount.github.io/docs/beancount_language_syntax.html#prices
 */
export const beancountLine: PriceLine = (answer) => ["", ` price ${commodityOf(answer)} `, ` ${currencyOf(answer)}\n`];

/** Other names than plain letters are quoted, by both programs. */
const inLedger = (commodity: string): string => (/^[A-Za-z]+$/.test(commodity) ? commodity : `"${commodity}"`);

/**
 * For ledger and hledger: `P 2026-11-20 XAU 4062.00 USD`.
 * @see https://hledger.org/hledger.html#p-directive
 */
export const ledgerLine: PriceLine = (answer) => ["P ", ` ${inLedger(commodityOf(answer))} `, ` ${currencyOf(answer)}\n`];

/** Writes the rows at a path. A forming bar is left out: its price is not final, and books are not written twice. */
export const priceLinesWriter = (line: PriceLine, path: string): ((answer: unknown) => string) => {
  const { day, price, closed } = pricedRowAt(path);
  return (answer) => {
    const [before, between, behind] = line(answer as PricedAnswer); // routes with such rows answer with these fields
    const rows = partOf(answer, path) as readonly Readonly<Record<string, unknown>>[]; // a list, by the route's schema
    return rows
      .filter((row) => row[price] !== null && (closed === undefined || row[closed] === true))
      .map((row) => `${before}${String(row[day]).slice(0, 10)}${between}${String(row[price])}${behind}`)
      .join("");
  };
};

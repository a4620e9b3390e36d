/** Figures and months in the format of the exchange's settlement files. */
import type { DecimalText, FuturesSymbol } from "@assay/contract";
import { type FuturesContract, futuresContract, readFuturesContract } from "@assay/pricing";
import { FeedError } from "../../feed/error.ts";
import { isPublishedFigure } from "../../payload/published.ts";

/** The suffix of a figure without a trade: `A` for ask, `B` for bid. */
const MARK = /[AB]$/;
const GROUPED = /^[0-9]{1,3}(,[0-9]{3})*(\.[0-9]+)?$|^[0-9]+(\.[0-9]+)?$/;
const NOTHING: ReadonlySet<string> = new Set(["", "-"]);

const plain = (text: string): string | null => {
  const unmarked = text.trim().replace(MARK, "");
  return GROUPED.test(unmarked) ? unmarked.replaceAll(",", "") : null;
};

/**
 * A price, without thousands separators and an `A` or `B` suffix.
 * @returns null where the exchange prints none
 * @throws FeedError when it is not a positive figure
 */
export const readPrice = (text: string, where: string): DecimalText | null => {
  if (NOTHING.has(text.trim())) return null;
  const figure = plain(text);
  if (figure === null || !isPublishedFigure(figure)) throw new FeedError("payload", `${where}: settle is not a price`);
  return figure;
};

/**
 * A count, without thousands separators.
 * @returns null where the exchange prints none
 * @throws FeedError when it is not a whole number
 */
export const readCount = (text: string, where: string): number | null => {
  if (NOTHING.has(text.trim())) return null;
  const figure = plain(text);
  if (figure === null || !/^[0-9]{1,15}$/.test(figure)) throw new FeedError("payload", `${where}: a count is not a whole number`);
  return Number(figure);
};

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/** A month's number by its English name, 1 to 12; 0 for none. */
export const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toUpperCase()) + 1;

/**
 * The contract of a row: `DEC 26`, `DEC 2026`, `DEC-26` or `GCZ26`.
 * @throws FeedError when it is not a contract of the product
 */
export const readMonth = (text: string, symbol: FuturesSymbol, where: string): FuturesContract => {
  const named = readFuturesContract(text.trim().toUpperCase());
  if (named?.symbol === symbol) return named;
  const parts = /^([A-Z]{3})[A-Z]{0,6}[ -](?:20)?([0-9]{2})$/i.exec(text.trim());
  const month = monthOf(parts?.[1] ?? "");
  if (!parts || month === 0) throw new FeedError("payload", `${where}: month is not a contract of ${symbol}`);
  return futuresContract(symbol, 2000 + Number(parts[2]), month);
};

/**
 * A trade date: `08/21/2026`, `20260821` or `2026-08-21`.
 * @throws FeedError when there is no such day
 */
export const readTradeDate = (text: string, where: string): string => {
  const parts = /^(?<m>[0-9]{2})\/(?<d>[0-9]{2})\/(?<y>[0-9]{4})$|^(?<y2>[0-9]{4})-?(?<m2>[0-9]{2})-?(?<d2>[0-9]{2})$/.exec(
    text.trim(),
  );
  const { y, m, d, y2, m2, d2 } = parts?.groups ?? {};
  const day = `${y ?? y2}-${m ?? m2}-${d ?? d2}`;
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) {
    throw new FeedError("payload", `${where}: the trade date is not a valid day`);
  }
  return day;
};

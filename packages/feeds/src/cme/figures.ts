/** Figures and months as the exchange's settlement files write them. */
import type { DecimalText, FuturesSymbol } from "@assay/contract";
import { type FuturesContract, futuresContract, readFuturesContract } from "@assay/pricing";
import { FeedError } from "../feed-error.ts";
import { isPublishedFigure } from "../payload/published.ts";

/** Marks of a figure nobody traded at: above the last ask, below the last bid. */
const MARK = /[AB]$/;
const GROUPED = /^[0-9]{1,3}(,[0-9]{3})*(\.[0-9]+)?$|^[0-9]+(\.[0-9]+)?$/;
const NOTHING: ReadonlySet<string> = new Set(["", "-"]);

const plain = (text: string): string | null => {
  const unmarked = text.trim().replace(MARK, "");
  return GROUPED.test(unmarked) ? unmarked.replaceAll(",", "") : null;
};

/**
 * A price: thousands commas and an `A` or `B` behind it are left out.
 * @returns null where the exchange prints none
 * @throws FeedError when it is no positive figure
 */
export const readPrice = (text: string, where: string): DecimalText | null => {
  if (NOTHING.has(text.trim())) return null;
  const figure = plain(text);
  if (figure === null || !isPublishedFigure(figure)) throw new FeedError("payload", `${where}: settle is no price`);
  return figure;
};

/**
 * A count with thousands commas.
 * @returns null where the exchange prints none
 * @throws FeedError when it is no whole number
 */
export const readCount = (text: string, where: string): number | null => {
  if (NOTHING.has(text.trim())) return null;
  const figure = plain(text);
  if (figure === null || !/^[0-9]{1,15}$/.test(figure)) throw new FeedError("payload", `${where}: a count is no whole number`);
  return Number(figure);
};

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/** The place of a month's English name, 1 to 12; 0 for none. */
export const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toUpperCase()) + 1;

/**
 * The contract of a row: `DEC 26`, `DEC 2026`, `DEC-26` or `GCZ26`.
 * @throws FeedError when it is none of the product
 */
export const readMonth = (text: string, symbol: FuturesSymbol, where: string): FuturesContract => {
  const named = readFuturesContract(text.trim().toUpperCase());
  if (named?.symbol === symbol) return named;
  const parts = /^([A-Z]{3})[A-Z]{0,6}[ -](?:20)?([0-9]{2})$/i.exec(text.trim());
  const month = monthOf(parts?.[1] ?? "");
  if (!parts || month === 0) throw new FeedError("payload", `${where}: month is no contract of ${symbol}`);
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
    throw new FeedError("payload", `${where}: the trade date is no day`);
  }
  return day;
};

/** Parses a settlement file of the exchange, JSON or CSV: all of its rows or none. */
import { type DecimalText, type FuturesSymbol, HOUR_MS, MINUTE_MS } from "@assay/contract";
import {
  CHICAGO,
  type FuturesContract,
  futuresContract,
  hourOfTwelve,
  monthNamed,
  readFuturesContract,
  type SettlementObservation,
  wallTimeMs,
} from "@assay/pricing";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { FeedError } from "../../feed/error.ts";
import { readJson } from "../../payload/body.ts";
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
const readPrice = (text: string, where: string): DecimalText | null => {
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

/**
 * The contract of a row: `DEC 26`, `DEC 2026`, `DEC-26`, `JLY 27` or `GCZ26`.
 * @throws FeedError when it is not a contract of the product
 */
export const readMonth = (text: string, symbol: FuturesSymbol, where: string): FuturesContract => {
  const named = readFuturesContract(text.trim().toUpperCase());
  if (named?.symbol === symbol) return named;
  const parts = /^([A-Z]{3})[A-Z]{0,6}[ -](?:20)?([0-9]{2})$/i.exec(text.trim());
  const month = monthNamed(parts?.[1] ?? "");
  if (!parts || month === 0) throw new FeedError("payload", `${where}: month is not a contract of ${symbol}`);
  return futuresContract(symbol, 2000 + Number(parts[2]), month);
};

/**
 * A trade date: `08/21/2026`, `20260821` or `2026-08-21`.
 * @throws FeedError when there is no such day
 */
const readTradeDate = (text: string, where: string): string => {
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

export const CME_FILES = "cme-files";

/** When the day's settlements are final, Chicago time, where the file does not say. */
const FINAL_AT_MS = 17 * HOUR_MS;

const PRODUCT_OF: ReadonlyMap<string, FuturesSymbol> = new Map([
  ["gc", "GC"],
  ["si", "SI"],
  ["hg", "HG"],
  ["437", "GC"],
  ["458", "SI"],
  ["438", "HG"],
]);

/**
 * The product of a file, from its name: `GC`, `SI`, `HG` or the exchange's id, separated from other letters and digits.
 * @throws FeedError when the name contains none, or two
 */
export const productOf = (name: string): FuturesSymbol => {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const [product, ...others] = new Set(words.flatMap((word) => PRODUCT_OF.get(word) ?? []));
  if (!product || others.length > 0) throw new FeedError("payload", "its name says neither GC, SI nor HG");
  return product;
};

interface Row {
  readonly where: string;
  readonly month: string;
  readonly settle: string;
  readonly volume: string;
  readonly openInterest: string;
  readonly tradeDate: string;
  readonly observedAtMs: number;
}

const text = z.string("must be text");
const body = z.object({
  tradeDate: text,
  updateTime: text.optional(),
  settlements: z.array(z.object({ month: text, settle: text, volume: text, openInterest: text })),
});

/** `Friday, 21 Aug 2026 05:00 PM`, Chicago time. */
const UPDATED = /([0-9]{1,2}) ([A-Z][a-z]{2}) ([0-9]{4}) ([0-9]{2}):([0-9]{2}) ([AP])M/;

const updatedAtMs = (written: string | undefined, tradeDate: string): number => {
  const parts = UPDATED.exec(written ?? "");
  const month = monthNamed(parts?.[2] ?? "");
  if (!parts || month === 0) return wallTimeMs(CHICAGO, tradeDate, FINAL_AT_MS);
  const day = `${parts[3]}-${String(month).padStart(2, "0")}-${parts[1]?.padStart(2, "0")}`;
  const hours = hourOfTwelve(Number(parts[4]), parts[6] ?? "");
  const atMs = wallTimeMs(CHICAGO, day, hours * HOUR_MS + Number(parts[5]) * MINUTE_MS);
  if (Number.isNaN(atMs)) throw new FeedError("payload", "updateTime is not a valid time");
  return atMs;
};

const jsonRows = (content: string): Row[] => {
  const { tradeDate: written, updateTime, settlements } = readJson(content, body);
  const tradeDate = readTradeDate(written, "tradeDate");
  const observedAtMs = updatedAtMs(updateTime, tradeDate);
  return settlements.map((row, index) => ({ ...row, where: `settlements.${index}`, tradeDate, observedAtMs }));
};

/** Columns by heading, ignoring case, spaces and punctuation; of several the first one named here. */
const HEADINGS = {
  tradeDate: ["tradedate", "date", "settlementdate"],
  month: ["contract", "month", "contractmonth"],
  settle: ["settle", "settlementprice", "settlement"],
  volume: ["volume", "estvolume", "estvol", "estimatedvolume", "totalvolume"],
  openInterest: ["openinterest", "priordayopeninterest", "priorint", "oi"],
} as const;

/** @param symbol rows of other products are passed over, in a table that names them */
const csvRows = (content: string, symbol: FuturesSymbol): Row[] => {
  let table: string[][];
  try {
    table = parse(content, { bom: true, skip_empty_lines: true, trim: true });
  } catch (cause) {
    throw new FeedError("payload", "not valid CSV: a row does not match the header, or a quote is not closed", { cause });
  }
  const [heading = [], ...rows] = table;
  const names = heading.map((name) => name.toLowerCase().replace(/[^a-z]/g, ""));
  const place = (column: keyof typeof HEADINGS): number => {
    const named = HEADINGS[column].find((name) => names.includes(name));
    if (named === undefined) throw new FeedError("payload", `no column ${HEADINGS[column].join(" or ")}`);
    return names.indexOf(named);
  };
  const product = names.indexOf("productsymbol");
  const at = {
    tradeDate: place("tradeDate"),
    month: place("month"),
    settle: place("settle"),
    volume: place("volume"),
    openInterest: place("openInterest"),
  };
  return rows.flatMap((fields, index) => {
    if (product >= 0 && fields[product] !== symbol) return [];
    const where = `row ${index + 2}`;
    const cell = (column: keyof typeof HEADINGS): string => fields[at[column]] ?? "";
    // Each day ends with a total row; it has no contract and may have no date.
    const isTotal = cell("month").toLowerCase() === "total";
    const tradeDate = isTotal ? "" : readTradeDate(cell("tradeDate"), where);
    const observedAtMs = isTotal ? 0 : wallTimeMs(CHICAGO, tradeDate, FINAL_AT_MS);
    const [month, settle, volume, openInterest] = [cell("month"), cell("settle"), cell("volume"), cell("openInterest")];
    return { where, month, settle, volume, openInterest, tradeDate, observedAtMs };
  });
};

/**
 * Parses a file.
 * @param name its name, which determines product and format
 * @param content its text
 * @returns a settlement per settled contract; the total row is skipped
 * @throws FeedError at the first fault, naming the file and the row; the whole file is skipped then
 */
export const readSettlementFile = (name: string, content: string): SettlementObservation[] => {
  try {
    const symbol = productOf(name);
    const rows = name.toLowerCase().endsWith(".json") ? jsonRows(content) : csvRows(content, symbol);
    const settlements = rows
      .filter(({ month }) => month.trim().toLowerCase() !== "total")
      .flatMap((row): SettlementObservation[] => {
        const { where, tradeDate: settlementDate, observedAtMs } = row;
        const contract = readMonth(row.month, symbol, where);
        const price = readPrice(row.settle, where);
        const volume = readCount(row.volume, where);
        const openInterest = readCount(row.openInterest, where);
        if (price === null) return [];
        const origin = { kind: "settlement", source: CME_FILES, sourceType: "official_settlement" } as const;
        return [{ ...origin, symbol, futuresContract: contract.name, settlementDate, price, volume, openInterest, observedAtMs }];
      });
    const distinct = new Set(settlements.map((each) => `${each.futuresContract} ${each.settlementDate}`));
    if (distinct.size < settlements.length) throw new FeedError("payload", "duplicate contract for one day");
    if (settlements.length === 0) throw new FeedError("payload", "it holds no settlement");
    return settlements;
  } catch (thrown) {
    if (!(thrown instanceof FeedError)) throw thrown;
    throw new FeedError(thrown.kind, `${name}: ${thrown.message}`, { cause: thrown.cause });
  }
};

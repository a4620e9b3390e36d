/** Futures contracts: names, active months, last trading days, and the front contract. */
import { FUTURES_SYMBOLS, type FuturesSymbol, type Metal } from "@assay/contract";
import { businessDayFromEnd } from "../market/exchange-calendar.ts";
import type { CalendarDay } from "../market/zoned-time.ts";

/** Month codes, January first. */
const MONTH_CODES = "FGHJKMNQUVXZ";

/** Active months, 1 to 12. */
const ACTIVE_MONTHS: Record<FuturesSymbol, readonly number[]> = {
  GC: [2, 4, 6, 8, 10, 12],
  SI: [3, 5, 7, 9, 12],
  HG: [3, 5, 7, 9, 12],
};

/** The day of the month before delivery on which trading rolls to the next contract. */
const ROLL_DAY = 25;

/** Two-digit years from here on belong to the last century; gold futures began in December 1974. */
const FIRST_TWO_DIGIT_YEAR = 74;

/** The futures product of each metal. */
export const FUTURES_OF: Record<Metal, FuturesSymbol> = { XAU: "GC", XAG: "SI", HG: "HG" };

/** A parsed futures contract. */
export interface FuturesContract {
  /** Product, month code and two digits of the year: GCZ26. */
  readonly name: string;
  readonly symbol: FuturesSymbol;
  readonly year: number;
  /** The delivery month, 1 to 12. */
  readonly month: number;
}

/**
 * The contract of a delivery month.
 * @param symbol the product
 * @param year the year of delivery, 1974 to 2073
 * @param month the month of delivery, 1 to 12
 */
export const futuresContract = (symbol: FuturesSymbol, year: number, month: number): FuturesContract => ({
  name: `${symbol}${MONTH_CODES.charAt(month - 1)}${String(year % 100).padStart(2, "0")}`,
  symbol,
  year,
  month,
});

const NAME = new RegExp(`^(${FUTURES_SYMBOLS.join("|")})([${MONTH_CODES}])([0-9]{2})$`);

/**
 * Parses a contract's name.
 * @param name such as GCZ26
 * @returns null when it is not a contract of GC, SI or HG
 */
export const readFuturesContract = (name: string): FuturesContract | null => {
  const parts = NAME.exec(name);
  const symbol = FUTURES_SYMBOLS.find((each) => each === parts?.[1]);
  if (!parts || !symbol) return null;
  const digits = Number(parts[3]);
  const year = digits < FIRST_TWO_DIGIT_YEAR ? 2000 + digits : 1900 + digits;
  return { name, symbol, year, month: MONTH_CODES.indexOf(parts[2] ?? "") + 1 };
};

/** Whether a contract's month is active for its product. */
export const isActiveMonth = ({ symbol, month }: FuturesContract): boolean => ACTIVE_MONTHS[symbol].includes(month);

/**
 * The last day a contract trades: the third-to-last business day of its delivery month.
 * @see CME Group, contract specifications of GC, SI and HG, termination of trading
 */
export const lastTradeDay = ({ year, month }: FuturesContract): CalendarDay => businessDayFromEnd(year, month, 3);

/** The first day on which a contract is no longer the front: the 25th of the month before its delivery. */
const rollDay = ({ year, month }: FuturesContract): CalendarDay =>
  new Date(Date.UTC(year, month - 2, ROLL_DAY)).toISOString().slice(0, 10);

/**
 * The active contracts that still trade on a day and expire within a year of it, by date.
 * @param symbol the product
 * @param day a calendar day
 */
export const activeContracts = (symbol: FuturesSymbol, day: CalendarDay): FuturesContract[] => {
  const year = Number(day.slice(0, 4));
  const aYearLater = `${year + 1}${day.slice(4)}`;
  return [year, year + 1]
    .flatMap((each) => ACTIVE_MONTHS[symbol].map((month) => futuresContract(symbol, each, month)))
    .filter((each) => lastTradeDay(each) >= day && lastTradeDay(each) <= aYearLater);
};

const byDelivery = (a: FuturesContract, b: FuturesContract): number => a.year - b.year || a.month - b.month;

/**
 * The front of some contracts on a day: the nearest active month that has not rolled. Otherwise the nearest active month that
 * still trades; otherwise the nearest that trades, or the last that did.
 * @param contracts of one product
 * @param day a calendar day
 * @returns null for none
 */
export const frontContract = (contracts: readonly FuturesContract[], day: CalendarDay): FuturesContract | null => {
  const sorted = contracts.toSorted(byDelivery);
  const trading = sorted.filter((each) => lastTradeDay(each) >= day);
  const active = trading.filter(isActiveMonth);
  return active.find((each) => day < rollDay(each)) ?? active.at(-1) ?? trading[0] ?? sorted.at(-1) ?? null;
};

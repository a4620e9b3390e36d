/** Futures contracts: names, main months, last trading days, and which contract of a day is the front and which the active one. */
import { catalogue } from "@assay/catalogue";
import { FUTURES_SYMBOLS, type FuturesSymbol, type Metal } from "@assay/contract";
import { businessDayFromEnd } from "../conventions/exchange-calendar.ts";
import { type CalendarDay, utcDay } from "../conventions/zoned-time.ts";

/** Month codes, January first. */
const MONTH_CODES = "FGHJKMNQUVXZ";

const FUTURES = new Map(
  catalogue.spotMetals.flatMap(({ futures }) => (futures === null ? [] : [[futures.product, futures.main_months] as const])),
);

/** The delivery months of a product with high volume, 1 to 12. */
const mainMonths = (symbol: FuturesSymbol): readonly number[] => FUTURES.get(symbol) ?? [];

/** The day of the month before delivery on which most of the trading has rolled to the next main month. */
const ROLL_DAY = 25;

/** Two-digit years from here on belong to the last century; gold futures began in December 1974. */
const FIRST_TWO_DIGIT_YEAR = 74;

/** The futures product of a metal; undefined when it has none. */
export const futuresOf = (metal: Metal): FuturesSymbol | undefined => catalogue.metal(metal).futures?.product;

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
 * @returns null when it is not a contract of a product in the catalogue
 */
export const readFuturesContract = (name: string): FuturesContract | null => {
  const parts = NAME.exec(name);
  const symbol = FUTURES_SYMBOLS.find((each) => each === parts?.[1]);
  if (!parts || !symbol) return null;
  const digits = Number(parts[3]);
  const year = digits < FIRST_TWO_DIGIT_YEAR ? 2000 + digits : 1900 + digits;
  return { name, symbol, year, month: MONTH_CODES.indexOf(parts[2] ?? "") + 1 };
};

/** Whether a contract delivers in one of its product's main months. */
export const isMainMonth = ({ symbol, month }: FuturesContract): boolean => mainMonths(symbol).includes(month);

/**
 * The last day a contract trades: the third-to-last business day of its delivery month.
 * @see CME Group, contract specifications of GC, SI and HG, termination of trading
 */
export const lastTradeDay = ({ year, month }: FuturesContract): CalendarDay => businessDayFromEnd(year, month, 3);

/** The first day on which a contract is no longer the active one: the 25th of the month before its delivery. */
const rollDay = ({ year, month }: FuturesContract): CalendarDay => utcDay(Date.UTC(year, month - 2, ROLL_DAY));

/**
 * The contracts of main months that still trade on a day and expire within a year of it, by date. The first is the front
 * contract, which keeps its place to its last trading day.
 * @param symbol the product
 * @param day a calendar day
 */
export const tradingContracts = (symbol: FuturesSymbol, day: CalendarDay): FuturesContract[] => {
  const year = Number(day.slice(0, 4));
  const aYearLater = `${year + 1}${day.slice(4)}`;
  return [year, year + 1]
    .flatMap((each) => mainMonths(symbol).map((month) => futuresContract(symbol, each, month)))
    .filter((each) => lastTradeDay(each) >= day && lastTradeDay(each) <= aYearLater);
};

const byDelivery = (a: FuturesContract, b: FuturesContract): number => a.year - b.year || a.month - b.month;

/**
 * The active one of some contracts on a day: the nearest main month that has not rolled. Otherwise the last main month that still
 * trades; otherwise the nearest contract that trades, or the last that did.
 * @param contracts of one product
 * @param day a calendar day
 * @returns null for none
 */
export const activeContract = (contracts: readonly FuturesContract[], day: CalendarDay): FuturesContract | null => {
  const sorted = contracts.toSorted(byDelivery);
  const trading = sorted.filter((each) => lastTradeDay(each) >= day);
  const main = trading.filter(isMainMonth);
  return main.find((each) => day < rollDay(each)) ?? main.at(-1) ?? trading[0] ?? sorted.at(-1) ?? null;
};

/**
 * The active contract of a metal on a day, of those the exchange lists then. The simulated market rolls by it too.
 * @param day a calendar day
 * @returns null for a metal without futures, and where none of them expires within a year of the day
 */
export const activeContractOn = (metal: Metal, day: CalendarDay): FuturesContract | null => {
  const product = futuresOf(metal);
  return product === undefined ? null : activeContract(tradingContracts(product, day), day);
};

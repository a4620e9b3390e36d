/** Daily bars as price directives of plain-text accounting programs: one line per closed bar. */
import type { Bar } from "../routes/bars.ts";

/** The answer of the bars route, as far as it is read here. */
interface DailyBars {
  readonly symbol: string;
  readonly bars: readonly Bar[];
}

/** What a directive says: a day's last price of one unit of a commodity. */
interface DailyPrice {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly commodity: string;
  /** In USD. */
  readonly price: string;
}

/** The commodity of a series: `XAU` of `XAU-USD-SPOT`, `GLD` of `GLD`. */
const commodityOf = (symbol: string): string => symbol.split("-")[0] ?? symbol;

/** The closes of an answer. A forming bar is left out: its price is not final, and books are not written twice. */
const pricesIn = ({ symbol, bars }: DailyBars): DailyPrice[] =>
  bars.flatMap(({ bar_start: start, close, is_closed: isClosed }) =>
    isClosed && close !== null ? [{ day: start.slice(0, 10), commodity: commodityOf(symbol), price: close }] : [],
  );

const writer =
  (line: (price: DailyPrice) => string) =>
  (given: unknown): string =>
    pricesIn(given as DailyBars) // only routes that answer with bars have these formats
      .map((price) => `${line(price)}\n`)
      .join("");

/**
 * For beancount: `2026-11-20 price XAU 4062.00 USD`.
 * @see https://beancount.github.io/docs/beancount_language_syntax.html#prices
 */
export const beancountLines = writer(({ day, commodity, price }) => `${day} price ${commodity} ${price} USD`);

/**
 * For ledger and hledger: `P 2026-11-20 XAU 4062.00 USD`.
 * @see https://hledger.org/hledger.html#p-directive
 */
export const ledgerLines = writer(({ day, commodity, price }) => `P ${day} ${commodity} ${price} USD`);

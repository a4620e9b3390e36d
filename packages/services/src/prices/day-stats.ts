/** The UTC day of a series with its price: open, high, low, previous close and the change since. */
import { type DecimalText, type SpotRow, startOfUtcDay } from "@assay/contract";
import {
  barSymbolOf,
  compareDecimalText,
  type FxRate,
  fraction,
  higherOf,
  lowerOf,
  multiplyExact,
  type PriceSymbol,
  presentChange,
  presentPrice,
  productOf,
  type StandingPrice,
  utcDay,
} from "@assay/pricing";
import type { MarketView } from "../market/market-view.ts";

type DayStats = Pick<SpotRow, "open_price" | "high_price" | "low_price" | "prev_close_price" | "ch" | "chp" | "open_time">;

/** What a price is compared with: for a settlement the previous one of the same contract; else the previous day's close. */
const closeBefore = (
  market: MarketView,
  { instrument }: PriceSymbol,
  { basis }: StandingPrice,
  previousClose: DecimalText | undefined,
  asOfMs: number,
): DecimalText | undefined => {
  const product = productOf(instrument);
  const settlement = basis === "settlement" && product ? market.settlements.nearestAt(product, asOfMs) : null;
  return settlement ? market.settlements.priorOf(settlement, asOfMs)?.price : previousClose;
};

const isSamePrice = (one: DecimalText | null | undefined, other: DecimalText): boolean =>
  one != null && compareDecimalText(one, other) === 0;

/**
 * The same in another currency: of the day's first and the day before's last published pair, as far as the bars of those days have
 * their prices; the high and the low of a cross are not known.
 * @param price in USD, with its rate
 */
export const crossDayStats = (
  market: MarketView,
  { instrument, currency }: PriceSymbol,
  { price, rate }: { readonly price: StandingPrice; readonly rate: FxRate },
  { asOfMs, live }: { readonly asOfMs: number; readonly live: boolean },
): DayStats => {
  const stats: DayStats = {};
  const pricedAtMs = price.basis === "close" ? price.computedAtMs - 1 : price.computedAtMs;
  const began = market.dayPair(instrument, utcDay(pricedAtMs));
  if (!began) return stats;
  const { today, previous } = market.bars.recent.daily(barSymbolOf(instrument), asOfMs, live, pricedAtMs);
  const dayStartMs = startOfUtcDay(asOfMs);
  const open = market.crossOf(began.opens, currency);
  if (
    open &&
    today?.barStartMs === dayStartMs &&
    utcDay(dayStartMs) === began.day &&
    isSamePrice(today.open, began.opens.price)
  ) {
    stats.open_price = presentPrice(open);
    stats.open_time = dayStartMs / 1000;
  }
  const { before } = began;
  const isOfBar =
    before && previous && utcDay(before.atMs) === utcDay(previous.barStartMs) && isSamePrice(previous.close, before.price);
  const close = isOfBar ? market.crossOf(before, currency) : null;
  if (close) {
    const { ch, chp } = presentChange(multiplyExact(fraction(price.price), rate), close);
    Object.assign(stats, { prev_close_price: presentPrice(close), ch, chp });
  }
  return stats;
};

/**
 * The day's statistics as of an instant, from the daily bars; unknown ones are omitted.
 * @param standing the price in effect then
 * @param live whether the instant is now, so that the forming bar includes every published price
 */
export const dayStats = (
  market: MarketView,
  symbol: PriceSymbol,
  standing: StandingPrice,
  asOfMs: number,
  live: boolean,
): DayStats => {
  const stats: DayStats = {};
  const { price } = standing;
  // A delayed bar ends with the last whole minute, and the price may be a little newer; a settlement is not part of its bars at
  // all. A live bar includes every published price.
  const isWhole = live && standing.basis !== "settlement";
  const dayStartMs = startOfUtcDay(asOfMs);
  // A close is dated at the end of its bar, which for a day's last is the next day's midnight.
  const pricedAtMs = standing.basis === "close" ? standing.computedAtMs - 1 : standing.computedAtMs;
  const { today, previous } = market.bars.recent.daily(barSymbolOf(symbol.instrument), asOfMs, live, pricedAtMs);
  if (today && today.barStartMs === dayStartMs) {
    const { open } = today;
    const high = isWhole ? today.high : higherOf(today.high, price);
    const low = isWhole ? today.low : lowerOf(today.low, price);
    if (open !== null) stats.open_price = presentPrice(open);
    if (high !== null) stats.high_price = presentPrice(high);
    if (low !== null) stats.low_price = presentPrice(low);
    stats.open_time = dayStartMs / 1000;
  }
  const before = closeBefore(market, symbol, standing, previous?.close, asOfMs);
  if (before !== undefined) {
    const { ch, chp } = presentChange(price, before);
    stats.prev_close_price = presentPrice(before);
    stats.ch = ch;
    stats.chp = chp;
  }
  return stats;
};

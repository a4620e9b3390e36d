/** The UTC day of a series with its price: open, high, low, previous close and the change since. */
import { DAY_MS, type DecimalText, type SpotRow } from "@assay/contract";
import {
  barSymbolOf,
  higherOf,
  lowerOf,
  type PriceSymbol,
  presentChange,
  presentPrice,
  productOf,
  type StandingPrice,
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
  const dayStartMs = Math.floor(asOfMs / DAY_MS) * DAY_MS;
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

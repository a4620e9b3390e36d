/** The UTC day of a series beside its price: open, high, low, previous close and the change since. */
import type { DecimalText, SpotRow } from "@assay/contract";
import { BAR_SYMBOL_OF, compareDecimalText, type PriceSymbol, presentChange, presentPrice } from "@assay/pricing";
import type { MarketView } from "../market/market-view.ts";

const DAY_MS = 86_400_000;

type DayStats = Pick<SpotRow, "open_price" | "high_price" | "low_price" | "prev_close_price" | "ch" | "chp" | "open_time">;

/**
 * The day's figures as they stood at an instant, from the daily bars; what is not known is left out.
 * @param price the unrounded price that stood then
 * @param live whether the instant is now, so that the forming bar is the whole truth
 */
export const dayStats = (
  market: MarketView,
  symbol: PriceSymbol,
  price: DecimalText,
  asOfMs: number,
  live: boolean,
): DayStats => {
  const stats: DayStats = {};
  const dayStartMs = Math.floor(asOfMs / DAY_MS) * DAY_MS;
  const { today, previous } = market.bars.recent.daily(BAR_SYMBOL_OF[symbol.instrument], asOfMs, live);
  if (today && today.barStartMs === dayStartMs) {
    stats.open_price = presentPrice(today.open);
    // A delayed bar ends with the last whole minute; the price beside it may be a little younger. A live one is whole.
    stats.high_price = presentPrice(!live && compareDecimalText(price, today.high) > 0 ? price : today.high);
    stats.low_price = presentPrice(!live && compareDecimalText(price, today.low) < 0 ? price : today.low);
    stats.open_time = dayStartMs / 1000;
  }
  if (previous) {
    const { ch, chp } = presentChange(price, previous.close);
    stats.prev_close_price = presentPrice(previous.close);
    stats.ch = ch;
    stats.chp = chp;
  }
  return stats;
};

/** Whether a bar's prices are ones its market had at the time: another metal's file, or one in cents, is not. */
import { type BarRow, compareDecimalText, type DailySymbol, type PriceBounds, priceBoundsAt } from "@assay/pricing";

/** The field that is out of bounds, and what is wrong with it; null for none. */
export type PriceCheck = (bar: BarRow) => readonly [field: string, message: string] | null;

/**
 * Makes a check of one series. What was found within bounds once is not looked at again until it is exceeded.
 */
export const priceCheck = (symbol: DailySymbol): PriceCheck => {
  let bounds: PriceBounds | null = null;
  return ({ low, high, barStartMs }) => {
    if (bounds === null || barStartMs < bounds.fromMs || barStartMs >= bounds.untilMs) bounds = priceBoundsAt(symbol, barStartMs);
    const isLow = compareDecimalText(low, bounds.low) < 0;
    if (!isLow && compareDecimalText(high, bounds.high) <= 0) return null;
    const [field, price] = isLow ? ["low", low] : ["high", high];
    return [
      field,
      `the price check failed: ${price} is not within ${bounds.low} and ${bounds.high} USD, where ${symbol} was around ` +
        `${new Date(barStartMs).getUTCFullYear()}`,
    ];
  };
};

/** Checks a bar's prices against its market at the time: catches another metal's file, or one in cents. */
import { type BarRow, compareDecimalText, type DailySymbol, type PriceBounds, priceBoundsAt } from "@assay/pricing";

/** The out-of-bounds field, and what is wrong with it; null when all are plausible. */
export type PriceCheck = (bar: BarRow) => readonly [field: string, message: string] | null;

/**
 * Creates the check of one series. Values within a range already accepted are not checked again.
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
      `the price check failed: ${price} is not between ${bounds.low} and ${bounds.high} USD, where ${symbol} was around ` +
        `${new Date(barStartMs).getUTCFullYear()}`,
    ];
  };
};

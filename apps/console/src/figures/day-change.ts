/** A price beside the previous day's close, as the service works it out for its own rows. */
import { Decimal } from "@assay/sdk";

/** Change in price, and in percent. */
export interface DayChange {
  readonly change: string;
  readonly percent: string;
}

/**
 * The change since the previous close: price − close with the price's decimals, and that in percent with two.
 * @param price decimal text
 * @param previousClose decimal text, greater than zero
 */
export const dayChange = (price: string, previousClose: string): DayChange => {
  const change = new Decimal(price).minus(previousClose);
  const decimals = price.split(".")[1]?.length ?? 0;
  return { change: change.toFixed(decimals), percent: change.div(previousClose).times(100).toFixed(2) };
};

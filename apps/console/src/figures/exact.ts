/** The few figures the console works out itself, in exact decimals: distances, changes of a day, and carry. */
import { Decimal } from "@assay/sdk";

const DAYS_A_YEAR = 365;

const isFigure = (text: string): boolean => /^\d+(\.\d+)?$/.test(text) && !/^0(\.0+)?$/.test(text);

/** A published change with its sign, so that a rise differs from a fall without colour. */
export const withSign = (text: string): string =>
  /^(-|0(\.0+)?$)/.test(text) ? text.replace(/^-(?=0(\.0+)?$)/, "") : `+${text}`;

const signed = (figure: Decimal, places: number): string => withSign(figure.toFixed(places));

/** Basis points as percent: `125` is `1.25`. */
export const percentOfBps = (bps: number | string): string => new Decimal(bps).div(100).toFixed(2);

/** A distance in basis points, published to a tenth, as percent: `1.2` is `0.012`. */
export const distanceOfBps = (bps: number): string => new Decimal(bps).div(100).toFixed(3);

/** A share with four decimals as percent: `0.9987` is `99.87`. */
export const percentOfShare = (share: number): string => new Decimal(share).times(100).toFixed(2);

/**
 * How far one price is from another: (price / reference − 1) × 100.
 * @returns percent with three decimals and a sign; null unless both are positive prices
 */
export const distancePercent = (price: string, reference: string): string | null =>
  isFigure(price) && isFigure(reference) ? signed(new Decimal(price).div(reference).minus(1).times(100), 3) : null;

/**
 * What it costs to carry a metal from one delivery to a later one, a year: (later / earlier − 1) × 365 / days × 100, without
 * compounding.
 * @param days whole days between the two
 * @returns percent a year with two decimals and a sign; null when there are no days between them, and without prices
 */
export const carryPercent = (later: string, earlier: string, days: number): string | null =>
  isFigure(later) && isFigure(earlier) && days > 0
    ? signed(new Decimal(later).div(earlier).minus(1).times(DAYS_A_YEAR).div(days).times(100), 2)
    : null;

/** The higher of two published figures, digits as published. */
export const higher = (one: string, other: string): string => (new Decimal(one).gte(other) ? one : other);

/** The lower of two published figures, digits as published. */
export const lower = (one: string, other: string): string => (new Decimal(one).lte(other) ? one : other);

const decimalsOf = (figure: string): number => figure.split(".")[1]?.length ?? 0;

/**
 * A price for another weight: price × grams / its own grams, with the price's decimals.
 * @param grams of the wanted weight, as the catalogue has them
 */
export const forWeight = (price: string, grams: string, ownGrams: string): string =>
  new Decimal(price).times(grams).div(ownGrams).toFixed(decimalsOf(price));

/**
 * A price of a purity: price × part / whole, with the price's decimals.
 * @param part such as 22, of a whole of 24
 */
export const ofPurity = (price: string, part: number, whole: number): string =>
  new Decimal(price).times(part).div(whole).toFixed(decimalsOf(price));

/** A figure of one price in the money and weight of another, by how the two show one and the same: figure × shown / own. */
export const inTermsOf = (figure: string, own: string, shown: string): string =>
  new Decimal(figure).times(shown).div(own).toFixed(decimalsOf(shown));

/** Change in price, and in percent. */
interface DayChange {
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
  return { change: change.toFixed(decimalsOf(price)), percent: change.div(previousClose).times(100).toFixed(2) };
};

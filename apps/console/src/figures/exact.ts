/** The few figures the console works out itself, in exact decimals: distances between prices, and carry. */
import { Decimal } from "@assay/sdk";

const DAYS_A_YEAR = 365;

const isFigure = (text: string): boolean => /^\d+(\.\d+)?$/.test(text) && !/^0(\.0+)?$/.test(text);

/** A figure with its sign, so that a rise differs from a fall without colour. */
const signed = (figure: Decimal, places: number): string => {
  const text = figure.toFixed(places);
  return figure.isPositive() && !/^0(\.0+)?$/.test(text) ? `+${text}` : text.replace(/^-(?=0(\.0+)?$)/, "");
};

/**
 * How far one price is from another: (price / reference − 1) × 10 000.
 * @returns basis points with one decimal and a sign; null unless both are positive prices
 */
export const distanceBps = (price: string, reference: string): string | null =>
  isFigure(price) && isFigure(reference) ? signed(new Decimal(price).div(reference).minus(1).times(10_000), 1) : null;

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

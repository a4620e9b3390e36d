/** Ratios of daily closes: the pairs, and their quotients. */
import { catalogue } from "@assay/catalogue";
import { type DecimalText, RATIO_PAIRS, type RatioPair } from "@assay/contract";
import type { DailySymbol } from "../conventions/symbols.ts";
import { divideExact, fraction } from "../number/exact.ts";
import { presentFigure, presentPrice } from "../number/present.ts";

const RATIO_DECIMALS = 4;

/** The two series of a pair. */
export interface RatioLegs {
  readonly numerator: DailySymbol;
  readonly denominator: DailySymbol;
}

const RATIO_LEGS: ReadonlyMap<RatioPair, RatioLegs> = new Map(catalogue.ratios.map((row) => [row.pair, row]));

/**
 * The series of a pair.
 * @throws RangeError when there is no such pair
 */
export const ratioLegs = (pair: RatioPair): RatioLegs => {
  const legs = RATIO_LEGS.get(pair);
  if (!legs) throw new RangeError(`the catalogue has no pair ${pair}`);
  return legs;
};

/**
 * Parses a pair's name, in any case.
 * @returns null when there is no such pair
 */
export const readRatioPair = (text: string): RatioPair | null => RATIO_PAIRS.find((pair) => pair === text.toLowerCase()) ?? null;

/**
 * The ratio of two closes.
 * @param numerator the unrounded numerator close
 * @param denominator the unrounded denominator close, above zero
 * @returns 4 decimals, rounded half up once from the exact quotient; four significant digits where those would all be zero
 * @throws RangeError when the denominator is zero
 */
export const ratioOf = (numerator: DecimalText, denominator: DecimalText): DecimalText =>
  presentFigure(divideExact(fraction(numerator), fraction(denominator)), RATIO_DECIMALS);

export interface PresentedRatio {
  readonly ratio: DecimalText;
  readonly numerator: DecimalText;
  readonly denominator: DecimalText;
}

/**
 * Formats a ratio and its closes: closes have the decimals of a price, plus as many more, the same for both, as it takes for the
 * displayed closes to divide to the displayed ratio.
 * @param numerator the unrounded numerator close
 * @param denominator the unrounded denominator close, above zero
 * @throws RangeError when the denominator is zero
 */
export const presentRatio = (numerator: DecimalText, denominator: DecimalText): PresentedRatio => {
  const ratio = ratioOf(numerator, denominator);
  const [above, below] = [fraction(numerator), fraction(denominator)];
  // Terminates at the latest with all digits of both.
  for (let more = 0; ; more++) {
    const shown = { ratio, numerator: presentPrice(above, more), denominator: presentPrice(below, more) };
    if (ratioOf(shown.numerator, shown.denominator) === ratio) return shown;
  }
};

/** Ratios of daily closes: the pairs, and their quotients. */
import { type DecimalText, RATIO_PAIRS, type RatioPair } from "@assay/contract";
import type { DailySymbol } from "../market/symbols.ts";
import { divideExact, fraction, toFixedText } from "../number/fraction.ts";
import { presentPrice } from "../number/present.ts";

/** Decimals of a ratio. */
const RATIO_DECIMALS = 4;

/** The two series of a pair. */
export interface RatioLegs {
  readonly numerator: DailySymbol;
  readonly denominator: DailySymbol;
}

/** The series of each pair. */
export const RATIO_LEGS: Readonly<Record<RatioPair, RatioLegs>> = {
  "gold-silver": { numerator: "XAU-USD-SPOT", denominator: "XAG-USD-SPOT" },
  "gold-platinum": { numerator: "XAU-USD-SPOT", denominator: "XPT-USD-SPOT" },
  "silver-platinum": { numerator: "XAG-USD-SPOT", denominator: "XPT-USD-SPOT" },
  "gold-palladium": { numerator: "XAU-USD-SPOT", denominator: "XPD-USD-SPOT" },
  "gld-xau": { numerator: "GLD", denominator: "XAU-USD-SPOT" },
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
 * @returns 4 decimals, rounded half up once from the exact quotient
 * @throws RangeError when the denominator is zero
 */
export const ratioOf = (numerator: DecimalText, denominator: DecimalText): DecimalText =>
  toFixedText(divideExact(fraction(numerator), fraction(denominator)), RATIO_DECIMALS);

/** A ratio and its closes, formatted. */
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
    const isZero = /^[0.]*$/.test(shown.denominator);
    if (!isZero && ratioOf(shown.numerator, shown.denominator) === ratio) return shown;
  }
};

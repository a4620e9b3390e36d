/** Ratios of daily closes: the pairs, and the quotient. */
import { type DecimalText, RATIO_PAIRS, type RatioPair } from "@assay/contract";
import { divideExact, fraction, toFixedText } from "./fraction.ts";
import { presentPrice } from "./present.ts";
import type { DailySymbol } from "./symbols.ts";

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
 * Reads a pair's name, in any case.
 * @returns null when there is none of that name
 */
export const readRatioPair = (text: string): RatioPair | null => RATIO_PAIRS.find((pair) => pair === text.toLowerCase()) ?? null;

/**
 * The ratio of two closes.
 * @param numerator the unrounded close above the line
 * @param denominator the unrounded close below it, above zero
 * @returns 4 decimals, rounded half up once from the exact quotient
 * @throws RangeError when the denominator is zero
 */
export const ratioOf = (numerator: DecimalText, denominator: DecimalText): DecimalText =>
  toFixedText(divideExact(fraction(numerator), fraction(denominator)), RATIO_DECIMALS);

/** A ratio and its closes, written. */
export interface PresentedRatio {
  readonly ratio: DecimalText;
  readonly numerator: DecimalText;
  readonly denominator: DecimalText;
}

/**
 * Writes a ratio and the closes beside it: closes with the decimals of a price, and with as many more, both alike, as it
 * takes for what is shown to divide to the ratio that is shown.
 * @param numerator the unrounded close above the line
 * @param denominator the unrounded close below it, above zero
 * @throws RangeError when the denominator is zero
 */
export const presentRatio = (numerator: DecimalText, denominator: DecimalText): PresentedRatio => {
  const ratio = ratioOf(numerator, denominator);
  const [above, below] = [fraction(numerator), fraction(denominator)];
  // Ends at the latest with all digits of both.
  for (let more = 0; ; more++) {
    const shown = { ratio, numerator: presentPrice(above, more), denominator: presentPrice(below, more) };
    const isZero = /^[0.]*$/.test(shown.denominator);
    if (!isZero && ratioOf(shown.numerator, shown.denominator) === ratio) return shown;
  }
};

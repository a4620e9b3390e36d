/** Purity: how much of a weight is pure metal. */
import type { DecimalText } from "@assay/contract";
import { Decimal } from "../number/decimal.ts";
import { divideExact, type Fraction, fraction } from "../number/fraction.ts";
import { isDecimalText } from "../number/scaled.ts";

/** The fineness of 24 karat gold where the dealer does not state one: 999. */
const FINE: Fraction = { numerator: 999n, denominator: 1_000n };
const THOUSAND: Fraction = { numerator: 1_000n, denominator: 1n };
const TWENTY_FOUR: Fraction = { numerator: 24n, denominator: 1n };

/**
 * The share of pure metal: the fineness the dealer states, else karat / 24, with 24 as 0.999.
 * @param fineness a share of 1, or parts of 1000; null where it is not stated
 * @param karat parts of 24
 * @returns above 0 and at most 1; null when the stated value is not a purity
 */
export const finenessOf = (fineness: DecimalText | null, karat: number): Fraction | null => {
  if (fineness !== null) {
    if (!isDecimalText(fineness)) return null;
    const stated = new Decimal(fineness);
    if (stated.lte(0) || stated.gt(1_000)) return null;
    if (stated.lte(1)) return fraction(stated);
    return stated.lt(100) ? null : divideExact(fraction(stated), THOUSAND);
  }
  if (!(karat > 0 && karat <= 24)) return null;
  return karat === 24 ? FINE : divideExact(fraction(String(karat)), TWENTY_FOUR);
};

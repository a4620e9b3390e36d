/** Exact decimals: arithmetic of 40 digits, and published figures that keep their digits. */
import { Decimal as Base } from "decimal.js";

/**
 * An exact decimal with 40 significant digits, rounding half up. Its text never carries an exponent.
 * A clone of `decimal.js` of its own, so that settings made elsewhere do not reach it, nor it them.
 */
export const Decimal = Base.clone({
  precision: 40,
  rounding: Base.ROUND_HALF_UP,
  toExpNeg: -9e15,
  toExpPos: 9e15,
  defaults: true,
});
/** An exact decimal. */
export type Decimal = Base;

/**
 * A figure as the service published it: an exact decimal that keeps its digits, so `4003.20` stays `4003.20`.
 * Arithmetic on it gives plain decimals.
 */
export class PublishedDecimal extends Decimal {
  /** The digits exactly as published. */
  readonly text: string;

  /**
   * @param text decimal text in plain notation
   * @throws Error when the text is no decimal
   */
  constructor(text: string) {
    super(text);
    this.text = text;
  }

  /** @returns the digits exactly as published */
  override toString(): string {
    return this.text;
  }

  /** @returns the digits exactly as published */
  override toJSON(): string {
    return this.text;
  }

  /** @returns the digits exactly as published */
  override valueOf(): string {
    return this.text;
  }

  /** What Node's console shows. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.text;
  }
}

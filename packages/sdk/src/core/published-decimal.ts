/** Exact decimals: 40-digit arithmetic, and published figures that keep their digits. */
import { Decimal as Base } from "decimal.js";
import { brand } from "./brand.ts";

/**
 * An exact decimal with 40 significant digits, rounding half up. Its text never uses an exponent. A separate clone of
 * `decimal.js`, so that settings do not leak in or out. Do not use it with `<`, `>` or `+`, which would compare its text: use
 * `.cmp()`, `.gt()`, `.lt()`, `.eq()`.
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

/** Functions for which the library itself converts operands to numbers. */
const BY_NUMBERS = ["toPower", "pow", "squareRoot", "sqrt", "cubeRoot", "cbrt"] as const;
let underWay = 0;

const guarded: Base = Object.create(Base.prototype);
for (const name of BY_NUMBERS) {
  const work: (...operands: Base.Value[]) => Base = Base.prototype[name];
  guarded[name] = function (this: Base, ...operands: Base.Value[]): Base {
    underWay += 1;
    try {
      return work.apply(this, operands);
    } finally {
      underWay -= 1;
    }
  };
}
guarded.toNumber = function (this: Base): number {
  return Number(Base.prototype.valueOf.call(this));
};
guarded.valueOf = function (this: Base): string {
  if (underWay > 0) return Base.prototype.valueOf.call(this);
  // Operators would compare text, where 999.50 is above 3998.23.
  throw new TypeError(
    "A decimal cannot be compared with <, > or ==, nor added with +. Use .cmp(), .gt(), .lt(), .eq() and .plus(), or .toNumber()",
  );
};
Reflect.set(Decimal, "prototype", guarded);
brand(Decimal, "Decimal");

/**
 * A figure as the service published it: an exact decimal that keeps its digits, so `4003.20` stays `4003.20`.
 * Arithmetic on it returns plain decimals.
 */
export class PublishedDecimal extends Decimal {
  static {
    brand(PublishedDecimal, "PublishedDecimal");
  }
  /** The digits exactly as published. */
  readonly text: string;

  /**
   * @param text decimal text in plain notation
   * @throws Error when the text is not a decimal
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

  /** @throws TypeError always: `<`, `>`, `==` and `+` would use the text, where 999.50 is above 3998.23 */
  override valueOf(): never {
    return super.valueOf() as never; // never returns to code outside the library
  }

  /** How Node's console prints it. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.text;
  }
}

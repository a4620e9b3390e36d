/** Figures of a money answer as exact decimals. */
import { Decimal } from "@assay/pricing";
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";

/**
 * Reads a figure of an answer.
 * @throws NotChecked when it is not there; the body rule tells of that
 */
export const figureOf = (exchange: Exchange, name: string): Decimal => {
  const value = fieldsOf(exchange.json)[name];
  if (typeof value !== "string" || !/^-?\d+(\.\d+)?$/.test(value)) throw new NotChecked(`the answer has no figure ${name}`);
  return new Decimal(value);
};

/** Half of the last place a written figure has: the most its rounding can be off by. */
export const halfUlp = (exchange: Exchange, name: string): Decimal =>
  new Decimal(10).pow(-figureOf(exchange, name).decimalPlaces()).div(2);

/** Half of a place: the most a figure rounded to so many decimals can be off by. */
export const halfPlace = (decimals: number): Decimal => new Decimal(10).pow(-decimals).div(2);

/** Reads figures of a money answer as exact decimals. */
import { Decimal } from "@assay/pricing";
import { type Exchange, fieldsOf, NotChecked } from "../wire/exchange.ts";

/**
 * Reads a figure of an answer.
 * @throws NotChecked when it is missing; the body rule reports that
 */
export const figureOf = (exchange: Exchange, name: string): Decimal => {
  const value = fieldsOf(exchange.json)[name];
  if (typeof value !== "string" || !/^-?\d+(\.\d+)?$/.test(value)) throw new NotChecked(`the answer has no figure ${name}`);
  return new Decimal(value);
};

/** Half of the last decimal place of a written figure: its largest rounding error. */
export const halfUlp = (exchange: Exchange, name: string): Decimal =>
  new Decimal(10).pow(-figureOf(exchange, name).decimalPlaces()).div(2);

/** Half a unit of the last place: the largest error of a figure rounded to that many decimals. */
export const halfPlace = (decimals: number): Decimal => new Decimal(10).pow(-decimals).div(2);

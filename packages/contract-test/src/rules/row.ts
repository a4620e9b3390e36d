/** Rules of single objects of an answer, whatever its format, and the figures in them. */
import { Decimal } from "@assay/pricing";
import { objectsOf } from "./answer-objects.ts";
import { type AnswerObject, isSuccess, type Rule, type Subject } from "./rule.ts";

/**
 * A rule that each object of a success must keep.
 * @param judge every violation in words; null when it does not apply to the object
 */
export const ofRows = (title: string, says: string, judge: (row: AnswerObject, subject: Subject) => string[] | null): Rule => ({
  title,
  says,
  judge: (subject) => {
    if (!isSuccess(subject)) return null;
    const judged = objectsOf(subject.route, subject.exchange).flatMap((row) => {
      const faults = judge(row, subject);
      return faults === null ? [] : [faults];
    });
    return judged.length === 0 ? null : [...new Set(judged.flat())];
  },
});

/** A figure of an object; null for anything else. */
export const figureIn = (row: AnswerObject, name: string): Decimal | null => {
  const { [name]: value } = row;
  return typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)) ? new Decimal(value) : null;
};

/** Half of the last place that a figure is written with: its largest rounding error. */
export const halfUlp = (row: AnswerObject, name: string): Decimal =>
  new Decimal(10).pow(-(String(row[name]).split(".")[1]?.length ?? 0)).div(2);

export const halfUp = (figure: Decimal, places: number): Decimal => figure.toDecimalPlaces(places, Decimal.ROUND_HALF_UP);

/** Decimals of a price per unit of a metal, decided on the unrounded figure. */
export const pricePlaces = (figure: Decimal): number => (figure.gte(100) ? 2 : figure.gte(1) ? 4 : 6);

export const GRAMS_PER_OZT = new Decimal("31.1034768");

/** The sources of a price add up to it. */
import { Decimal } from "@assay/pricing";
import { fieldsOf } from "../wire/exchange.ts";
import { type AnswerObject, objectsOf } from "./answer-objects.ts";
import { isSuccess, type Rule } from "./rule.ts";

const PLAIN = /^\d+(\.\d+)?$/;

/** The figures that read the same when they are rounded: from the first bound, without the second. */
type Range = readonly [least: Decimal, below: Decimal];

const rangeOf = (text: string): Range => {
  const figure = new Decimal(text);
  const half = new Decimal(10).pow(-(text.split(".")[1]?.length ?? 0)).div(2);
  return [figure.minus(half), figure.plus(half)];
};

const medianOf = (figures: readonly Decimal[]): Decimal => {
  const sorted = figures.toSorted((a, b) => a.cmp(b));
  const middle = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]].map((each) => each ?? new Decimal(0));
  return Decimal.sum(...middle).div(2);
};

/** The prices of the believed sources that set a price: the primaries, without one the council's. */
const setters = (sources: readonly AnswerObject[]): string[] => {
  const believed = sources.filter(({ verdict }) => verdict === "believed");
  const primaries = believed.filter(({ role }) => role === "primary");
  const chosen = primaries.length > 0 ? primaries : believed.filter(({ role }) => role === "council");
  return chosen.map(({ price }) => String(price)).filter((price) => PLAIN.test(price));
};

/** What is wrong with a row; null when it has no price with sources. */
const faultsOf = ({ price, sources }: AnswerObject): string[] | null => {
  if (typeof price !== "string" || !PLAIN.test(price) || !Array.isArray(sources)) return null;
  const listed = sources.map(fieldsOf);
  // A bar's close has no sources, and a rate's own entry is none of the price.
  if (!listed.some(({ role }) => role === "primary" || role === "council")) return null;
  const odd = listed.filter(({ verdict, rule }) => (verdict === "refused") !== (rule !== undefined));
  const faults = odd.map(
    ({ source, verdict }) => `${source} is ${verdict} ${verdict === "refused" ? "by no rule" : "by a rule"}`,
  );
  const prices = setters(listed);
  if (prices.length === 0) return [...faults, `the price is ${price}, and no source is believed`];
  const ranges = prices.map(rangeOf);
  const [least, below] = rangeOf(price);
  // Rounded figures leave the median between two bounds, within which the price must be.
  const [lowest, highest] = [medianOf(ranges.map(([low]) => low)), medianOf(ranges.map(([, high]) => high))];
  return lowest.lt(below) && least.lt(highest)
    ? faults
    : [...faults, `the price is ${price}, the median of the believed ${prices.join(", ")} another`];
};

/** The rule; it does not apply to answers without sources. */
export const sourcesAddUp: Rule = {
  title: "sources add up",
  says: "the price is the median of the believed primaries, without one of the council's; what is refused names its rule",
  judge: (subject) => {
    if (!isSuccess(subject)) return null;
    const judged = objectsOf(subject.route, subject.exchange).map(faultsOf);
    return judged.every((each) => each === null) ? null : [...new Set(judged.flatMap((each) => each ?? []))];
  },
};

/** The sources of a price add up to it. */
import { Decimal } from "@assay/pricing";
import { fieldsOf } from "../wire/exchange.ts";
import { figureIn, halfUlp, ofRows } from "./row.ts";
import type { AnswerObject } from "./rule.ts";

/** Figures by their bounds: those that read the same when they are rounded. */
interface Rounded {
  readonly least: Decimal;
  readonly below: Decimal;
}

const rounded = (row: AnswerObject): Rounded[] => {
  const [figure, half] = [figureIn(row, "price"), halfUlp(row, "price")];
  return figure ? [{ least: figure.minus(half), below: figure.plus(half) }] : [];
};

/** The middle figure; of an even number the mean of the two middle ones. */
const medianOf = (figures: readonly Decimal[]): Decimal => {
  const sorted = figures.toSorted((a, b) => a.cmp(b));
  const middle = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]].map((each) => each ?? new Decimal(0));
  return Decimal.sum(...middle).div(2);
};

/** The believed sources that set a price: the primaries, without one the council's. */
const settersOf = (sources: readonly AnswerObject[]): AnswerObject[] => {
  const believed = sources.filter(({ verdict }) => verdict === "believed");
  const primaries = believed.filter(({ role }) => role === "primary");
  return primaries.length > 0 ? primaries : believed.filter(({ role }) => role === "council");
};

/** What is wrong with the distance of the sources that is stated beside them. */
const divergenceFaults = (stated: unknown, prices: readonly Rounded[]): string[] => {
  if (typeof stated !== "number" || prices.length < 2) return [];
  const [lows, highs] = [prices.map(({ least }) => least), prices.map(({ below }) => below)];
  const bps = (range: Decimal, median: Decimal): Decimal => range.div(median).mul(10_000);
  const most = bps(Decimal.max(...highs).minus(Decimal.min(...lows)), medianOf(lows)).plus("0.05");
  const least = bps(Decimal.max(...lows).minus(Decimal.min(...highs)), medianOf(highs)).minus("0.05");
  return most.gte(stated) && least.lte(stated) ? [] : [`divergence_bps is ${stated}, and the sources make ${least} to ${most}`];
};

export const sourcesAddUp = ofRows(
  "sources add up",
  "the price is the median of the believed primaries, without one of the council's, and divergence_bps their range by it; what is refused names its rule",
  (row) => {
    const listed = [row.sources, row.primary_sources].find(Array.isArray)?.map(fieldsOf) ?? [];
    // A bar's close has no sources, and a rate's own entry is none of the price.
    if (!listed.some(({ role }) => role === "primary" || role === "council")) return null;
    const odd = listed.filter(({ verdict, rule }) => (verdict === "refused") !== (rule !== undefined));
    const prices = settersOf(listed).flatMap(rounded);
    const faults = [
      ...odd.map(({ source, verdict }) => `${source} is ${verdict} ${verdict === "refused" ? "by no rule" : "by a rule"}`),
      ...divergenceFaults(row.divergence_bps, prices),
    ];
    const [price] = rounded(row);
    if (!price) return faults;
    if (prices.length === 0) return [...faults, `the price is ${row.price}, and no source is believed`];
    // Rounded figures leave the median between two bounds, within which the price must be.
    const [least, below] = [medianOf(prices.map((it) => it.least)), medianOf(prices.map((it) => it.below))];
    const shown = settersOf(listed).map((source) => source.price);
    return least.lt(price.below) && price.least.lt(below)
      ? faults
      : [...faults, `the price is ${row.price}, the median of the believed ${shown.join(", ")} another`];
  },
);

/** Figures in one row are consistent: bid not above ask, open between low and high. */
import { Decimal } from "@assay/pricing";
import { isSuccess, type Rule } from "./rule.ts";

/** Pairs of fields of one object, where the first is never above the second. */
const ORDERED: readonly (readonly [low: string, high: string])[] = [
  ["bid", "price"],
  ["price", "ask"],
  ["low", "open"],
  ["low", "close"],
  ["open", "high"],
  ["close", "high"],
  ["low_price", "high_price"],
  ["low_price", "open_price"],
  ["open_price", "high_price"],
];

const PLAIN = /^-?\d+(\.\d+)?$/;
const figure = (value: unknown): Decimal | null => (typeof value === "string" && PLAIN.test(value) ? new Decimal(value) : null);

/** What is wrong with each pair of figures in a row; an empty text when consistent. */
const pairsOf = (row: Readonly<Record<string, unknown>>): string[] =>
  ORDERED.flatMap(([lower, upper]) => {
    const [low, high] = [figure(row[lower]), figure(row[upper])];
    if (!low || !high) return [];
    return [low.gt(high) ? `${lower} is above ${upper}` : ""];
  });

const pairsIn = (json: unknown): string[] => {
  if (Array.isArray(json)) return json.flatMap(pairsIn);
  if (typeof json !== "object" || json === null) return [];
  return [...pairsOf(json as Record<string, unknown>), ...Object.values(json).flatMap(pairsIn)]; // an object, checked above
};

/** The rule; it does not apply to answers without such figures. */
export const figures: Rule = {
  title: "figures agree",
  says: "bid ≤ price ≤ ask, and low ≤ open, close ≤ high",
  judge: (subject) => {
    if (!isSuccess(subject)) return null;
    const pairs = pairsIn(subject.exchange.json);
    return pairs.length === 0 ? null : [...new Set(pairs.filter((fault) => fault !== ""))];
  },
};

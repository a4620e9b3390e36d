/** Figures that stand in one row agree with each other: a bid under its ask, an open within high and low. */
import { Decimal } from "@assay/pricing";
import { isSuccess, type Rule } from "./rule.ts";

/** Pairs of fields of one object, the first of which is never above the second. */
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

const rowFaults = (row: Readonly<Record<string, unknown>>): string[] =>
  ORDERED.flatMap(([lower, upper]) => {
    const [low, high] = [figure(row[lower]), figure(row[upper])];
    return low && high && low.gt(high) ? [`${lower} is above ${upper}`] : [];
  });

const faultsIn = (json: unknown): string[] => {
  if (Array.isArray(json)) return json.flatMap(faultsIn);
  if (typeof json !== "object" || json === null) return [];
  return [...rowFaults(json as Record<string, unknown>), ...Object.values(json).flatMap(faultsIn)]; // an object, as just seen
};

/** The rule. */
export const figures: Rule = {
  title: "figures agree",
  says: "bid ≤ price ≤ ask, and low ≤ open, close ≤ high",
  judge: (subject) => (isSuccess(subject) ? [...new Set(faultsIn(subject.exchange.json))] : null),
};

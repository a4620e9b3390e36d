/**
 * What holds for the prices of one answer: none is newer than the caller's tier allows, and the figures of a row are
 * consistent.
 */
import { METALS, type Route, TIER_REACH } from "@assay/contract";
import { Decimal } from "@assay/pricing";
import { isDelayed } from "../wire/caller.ts";
import { type Exchange, fieldsOf } from "../wire/exchange.ts";
import { isSuccess, type Rule } from "./rule.ts";

/** Fields with the instant of a price. */
const MOMENTS = new Set(["computed_at", "timestamp", "bar_start"]);
/** Tolerance: the two clocks are compared over a network. */
const TOLERANCE_MS = 2_000;

const momentsIn = (json: unknown): number[] => {
  if (Array.isArray(json)) return json.flatMap(momentsIn);
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    if (typeof value === "string" && MOMENTS.has(name)) return [Date.parse(value)];
    return momentsIn(value);
  });
};

/** A conversion between two currencies is not delayed; its answer carries both codes. */
const isCurrencyCross = ({ path }: Route, { json }: Exchange): boolean => {
  if (path !== "/v1/convert") return false;
  const { from, to } = fieldsOf(json);
  return ![from, to].some((code) => (METALS as readonly unknown[]).includes(code));
};

export const delay: Rule = {
  title: "15-minute delay",
  says: "no price, bar or conversion of metal for a Free or keyless caller is younger than the tier's delay",
  judge: (subject) => {
    const { route, exchange, readAtMs } = subject;
    const { caller } = exchange.sent;
    if (!isSuccess(subject) || !isDelayed(caller) || route.access.auth === "none" || isCurrencyCross(route, exchange))
      return null;
    const moments = momentsIn(exchange.json);
    if (moments.length === 0) return null;
    const ageMs = readAtMs - Math.max(...moments);
    const { delayMs } = TIER_REACH[caller.tier];
    return ageMs + TOLERANCE_MS >= delayMs ? [] : [`a price is ${Math.round(ageMs / 1_000)} seconds old`];
  },
};

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

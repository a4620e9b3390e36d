/** The delay: nothing a Free or keyless caller reads is newer than its tier allows. */
import { METALS, type Route, TIER_REACH } from "@assay/contract";
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

/** The rule. */
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

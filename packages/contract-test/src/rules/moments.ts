/** When figures are of: none is newer than the caller's tier allows or than now, and what is not called stale is fresh. */
import { contract, METALS, type Route, TIER_REACH } from "@assay/contract";
import { isDelayed } from "../wire/caller.ts";
import { fieldsOf } from "../wire/exchange.ts";
import { ofRows } from "./row.ts";
import type { AnswerObject, Rule, Subject } from "./rule.ts";

/** Fields with the instant of a price. */
const MOMENTS = ["computed_at", "timestamp", "bar_start"] as const;
/** Fields with an instant that has passed. */
const PASSED = [...MOMENTS, "as_of", "fetched_at", "last_accepted_at", "last_success_at", "last_bar_at", "checked_at"];

/** Clocks are compared over a network, and a publisher's may be ahead. */
const TOLERANCE_MS = 60_000;
/** How far the two clocks may drift apart in a run; its own is known as the latest that it can be. */
const DRIFT_MS = 50;

/** A conversion between two currencies is not delayed; its answer carries both codes. */
const isCurrencyCross = ({ path }: Route, { from, to }: AnswerObject): boolean =>
  path === contract.convert.get.path && ![from, to].some((code) => (METALS as readonly unknown[]).includes(code));

const secondsOf = (ms: number): number => Math.round(ms / 1_000);

const agesOf = (row: AnswerObject, names: readonly string[], nowMs: number): number[] =>
  names.flatMap((name) => {
    const moment = Date.parse(String(row[name]));
    return Number.isNaN(moment) ? [] : [nowMs - moment];
  });

const delay = ofRows(
  "15-minute delay",
  "no price, bar or conversion of metal for a Free or keyless caller is younger than the tier's delay",
  (row, { route, exchange, readAtMs }) => {
    const { caller } = exchange.sent;
    if (!isDelayed(caller) || route.access.auth === "none" || isCurrencyCross(route, fieldsOf(exchange.json))) return null;
    const ages = agesOf(row, MOMENTS, readAtMs);
    const youngest = Math.min(...ages);
    if (ages.length === 0) return null;
    return youngest + DRIFT_MS >= TIER_REACH[caller.tier].delayMs ? [] : [`a price is ${youngest / 1_000} seconds old`];
  },
);

const future = ofRows("not from the future", "no figure is dated later than it is answered", (row, { readAtMs }) => {
  const ages = agesOf(row, PASSED, readAtMs);
  const youngest = Math.min(...ages);
  if (ages.length === 0) return null;
  return youngest >= -TOLERANCE_MS ? [] : [`a figure is dated ${secondsOf(-youngest)} seconds in the future`];
});

/** Routes whose answers say that they are stale by the reason alone. */
const WITHOUT_FLAG: ReadonlySet<string> = new Set([contract.convert.get.path, contract.carat.get.path]);

const METAL_FIELDS = ["symbol", "metal", "from", "to"] as const;

/** How long the prices that a figure is made of stay fresh; undefined where that is not known, or does not apply. */
const windowOf = ({ route, freshForMs }: Subject, said: AnswerObject): number | undefined => {
  // Of a past instant, or of a settlement, which is fresh for days.
  if (said.as_of !== undefined || said.contract_type === "futures") return undefined;
  const metals =
    route.path === contract.carat.get.path ? ["XAU"] : METAL_FIELDS.map((name) => String(said[name]).split("-")[0] ?? "");
  const windows = metals.flatMap((metal) => freshForMs?.get(metal) ?? []);
  return windows.length === 0 ? undefined : Math.max(...windows);
};

const isCalledFresh = ({ route }: Subject, said: AnswerObject): boolean =>
  said.is_stale === undefined ? WITHOUT_FLAG.has(route.path) && said.stale_reason === undefined : said.is_stale === false;

const freshness = ofRows(
  "freshness",
  "a price that is not called stale is no older than a reading of its sources stays fresh, and the tier's delay",
  (said, subject) => {
    const { caller } = subject.exchange.sent;
    const delayMs = isDelayed(caller) ? TIER_REACH[caller.tier].delayMs : 0;
    const [ageMs] = agesOf(said, ["computed_at", "timestamp"], subject.askedAtMs);
    const windowMs = windowOf(subject, said);
    if (ageMs === undefined || windowMs === undefined || !isCalledFresh(subject, said)) return null;
    if (ageMs <= windowMs + delayMs + TOLERANCE_MS) return [];
    return [`a price that is not called stale is ${secondsOf(ageMs)} seconds old`];
  },
);

export const MOMENT_RULES: readonly Rule[] = [delay, future, freshness];

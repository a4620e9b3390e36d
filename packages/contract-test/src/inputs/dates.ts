/** Date parameters: which parameters are dates, and dates that make sense today. */
import { DAY_MS } from "@assay/contract";
import type { Parameter } from "./parameters.ts";

const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT_FORM = /^\d{4}-\d{2}-\d{2}T/;

/** The oldest date that every tier may request, with a day's margin at each end. */
export const REACH_DAYS = 28;

/** Whether a parameter is a UTC day, an instant, or neither, by its example and format. */
export const dateKindOf = ({ json }: Pick<Parameter, "json">): "day" | "instant" | null => {
  const example = String(json.examples?.[0] ?? "");
  if (json.format === "date" || DAY_FORM.test(example)) return "day";
  return json.format === "date-time" || INSTANT_FORM.test(example) ? "instant" : null;
};

/** Which end of a window a parameter is, by its name. */
export const edgeOf = (name: string): "from" | "to" | null => (name === "from" || name === "to" ? name : null);

/** Whether a parameter names a day that the service currently has, or an instant that it remembers: neither is known beforehand. */
export const isPassing = (parameter: Parameter): boolean => dateKindOf(parameter) !== null && edgeOf(parameter.name) === null;

/**
 * Formats the date a number of days ago.
 * @param nowMs the service's clock, epoch milliseconds
 */
export const daysAgo = (kind: "day" | "instant", days: number, nowMs: number): string => {
  const text = new Date(nowMs - days * DAY_MS).toISOString();
  return kind === "day" ? text.slice(0, 10) : `${text.slice(0, 10)}T00:00:00Z`;
};

export const BAD_DATES = ["2026-02-30", "2026-13-01", "2026-1-1", "20261101", "yesterday", "01/11/2026", "2026-11-01T25:00:00Z"];

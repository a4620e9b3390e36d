/** Dates as parameters: which parameters are dates, and dates that make sense today. */
import type { Parameter } from "@assay/testkit/wire";

const DAY_MS = 86_400_000;
const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT_FORM = /^\d{4}-\d{2}-\d{2}T/;

/** How far back the oldest date reaches that every tier may ask for, with a day to spare at each end. */
export const REACH_DAYS = 28;

/** Whether a parameter is a UTC day, an instant, or neither; its example and format tell. */
export const dateKindOf = ({ json }: Pick<Parameter, "json">): "day" | "instant" | null => {
  const example = String(json.examples?.[0] ?? "");
  if (json.format === "date" || DAY_FORM.test(example)) return "day";
  return json.format === "date-time" || INSTANT_FORM.test(example) ? "instant" : null;
};

/** The end of a window a parameter is, by its name. */
export const edgeOf = (name: string): "from" | "to" | null => (name === "from" || name === "to" ? name : null);

/** Whether a parameter names one of the days a service has at the moment: which they are changes every week. */
export const isPassingDay = (parameter: Parameter): boolean => dateKindOf(parameter) === "day" && edgeOf(parameter.name) === null;

/**
 * Writes the date so many days ago.
 * @param nowMs the service's time, epoch milliseconds
 */
export const daysAgo = (kind: "day" | "instant", days: number, nowMs: number): string => {
  const text = new Date(nowMs - days * DAY_MS).toISOString();
  return kind === "day" ? text.slice(0, 10) : `${text.slice(0, 10)}T00:00:00Z`;
};

/** Dates that are none. */
export const BAD_DATES = ["2026-02-30", "2026-13-01", "2026-1-1", "20261101", "yesterday", "01/11/2026", "2026-11-01T25:00:00Z"];

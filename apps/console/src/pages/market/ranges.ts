/** How far back the chart goes: the ranges that an interval has enough bars for, and not too many. */

import { INTERVAL_MS, type Interval } from "../../charts/forming.ts";
import { text } from "../../text/text.ts";

const DAY_MS = 86_400_000;

/** The ranges in days; null for everything. */
const DAYS = { "1D": 1, "1W": 7, "1M": 29, "1Y": 364, "5Y": 1_826, max: null } as const;
export type Range = keyof typeof DAYS;

/** All of them, shortest first. */
export const RANGES = Object.keys(DAYS) as Range[]; // the keys of a literal

const LENGTHS = { D: "day", W: "week", M: "month", Y: "year" } as const;

/** What a range is called: a figure and a letter, in the reader's own. */
export const rangeText = (range: Range): string => {
  const { ranges } = text().chart;
  const [digit, letter] = [Number(range.slice(0, -1)), range.slice(-1) as keyof typeof LENGTHS]; // by the list above
  return range === "max" ? ranges.all : ranges[LENGTHS[letter]]({ count: digit });
};

/** Fewer are no course, more are not answered at once. */
const FEWEST = 20;
/** Bars of one answer at most. */
export const MOST = 10_000;
/** Days of bars shorter than a day. */
export const INTRADAY_DAYS = 30;

export const rangesOf = (interval: Interval): readonly Range[] =>
  RANGES.filter((range) => {
    const days = DAYS[range];
    if (interval === "1d") return days === null || days >= FEWEST;
    const count = days === null ? Number.POSITIVE_INFINITY : (days * DAY_MS) / INTERVAL_MS[interval];
    return days !== null && days <= INTRADAY_DAYS && count >= FEWEST && count <= MOST;
  });

/**
 * Whether a tier's daily bars go back as far.
 * @param depthDays days that the tier has; null for all
 */
export const isWithin = (range: Range, interval: Interval, depthDays: number | null): boolean => {
  const days = DAYS[range];
  return interval !== "1d" || depthDays === null || (days !== null && days < depthDays);
};

/**
 * The range that is shown.
 * @param wanted the reader's choice; null for the usual one, a year or what is nearest to it
 * @returns the longest one that is offered, if the wanted one is not
 */
export const shownRange = (wanted: Range | null, interval: Interval, depthDays: number | null): Range => {
  const offered = rangesOf(interval).filter((range) => isWithin(range, interval, depthDays));
  const usual = offered.filter((range) => range !== "5Y" && range !== "max").at(-1);
  return offered.find((range) => range === wanted) ?? (wanted === null ? usual : offered.at(-1)) ?? "1M";
};

export const startMs = (range: Range, nowMs: number): number => {
  const days = DAYS[range];
  return days === null ? 0 : nowMs - days * DAY_MS;
};

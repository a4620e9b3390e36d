/** Instants and days published in a city's local time, without a zone. */
import { addDays, type CalendarDay, hourOfTwelve, monthNamed, wallTimeMs } from "@assay/pricing";
import { z } from "zod";
import { FeedError } from "../feed/error.ts";

const monthOf = (text: string): number => (/^[0-9]+$/.test(text) ? Number(text) : monthNamed(text));

const instantOf = (zone: string, groups: Readonly<Record<string, string | undefined>>): number => {
  const { year = "", month = "", day = "", hour = "0", minute = "0", second = "0", half } = groups;
  const date = `${year}-${String(monthOf(month)).padStart(2, "0")}-${day.padStart(2, "0")}`;
  const hours = half === undefined ? Number(hour) : hourOfTwelve(Number(hour), half);
  const isDate = z.iso.date().safeParse(date).success;
  if (!isDate || !(hours <= 23) || Number(minute) > 59 || Number(second) > 59) return Number.NaN;
  return wallTimeMs(zone, date, ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1_000);
};

/**
 * A schema for text with a local time, converted to epoch milliseconds.
 * @param zone an IANA zone
 * @param form a pattern of the whole text, with the groups `year`, `month` (a number or three English letters) and `day`, and
 *   optionally `hour`, `minute`, `second` and `half` (AM or PM); missing ones are zero
 */
export const localInstant = (zone: string, form: RegExp): z.ZodType<number, string> =>
  z.string("must be text").transform((text, context) => {
    const groups = form.exec(text.trim())?.groups;
    const atMs = groups ? instantOf(zone, groups) : Number.NaN;
    if (Number.isFinite(atMs)) return atMs;
    context.addIssue({ code: "custom", message: "must be a time in the publisher's form" });
    return z.NEVER;
  });

/** `2026-08-10 16:49:33`, or with a T in between; fractions of a second are truncated. */
export const DATE_THEN_TIME =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[ T](?<hour>\d\d):(?<minute>\d\d)(:(?<second>\d\d)(\.\d+)?)?$/;

/** `17/06/2026 15:38`, optionally with seconds. */
export const DAY_FIRST = /^(?<day>\d\d)\/(?<month>\d\d)\/(?<year>\d{4}) (?<hour>\d\d):(?<minute>\d\d)(:(?<second>\d\d))?$/;

/**
 * The latest instant at which a page with a date was current: its arrival, or the end of that day in its city. So a page that no
 * longer changes becomes stale instead of looking new at every reading.
 * @param zone an IANA zone
 * @throws FeedError when the day has not begun there
 */
export const withinDay = (zone: string, day: CalendarDay, receivedAtMs: number): number => {
  if (wallTimeMs(zone, day, 0) > receivedAtMs) throw new FeedError("payload", "the page is dated in the future");
  return Math.min(receivedAtMs, wallTimeMs(zone, addDays(day, 1), 0) - 1);
};

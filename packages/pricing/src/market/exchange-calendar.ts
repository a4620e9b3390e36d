/** Business days of the metals exchange: weekdays except New York market holidays and known closures. */
import { getHolidays } from "nyse-holidays";
import { addDays, type CalendarDay, dayIn, NEW_YORK, wallTimeMs } from "./zoned-time.ts";

/**
 * Weekdays beyond the holidays on which the exchange is known not to have settled: the attack of 2001, the Friday after
 * Thanksgiving 2002 and the day of mourning of 2004. Days on which it was open or the record is unclear count as business days:
 * 2007-01-02 (pits closed, electronic trading open), 2012-10-29 and 30, 2018-12-05 and 2025-01-09 (metals open as usual).
 */
const CLOSED: ReadonlySet<CalendarDay> = new Set(["2001-09-11", "2001-09-12", "2001-09-13", "2002-11-29", "2004-06-11"]);

const HOLIDAYS = new Map<number, ReadonlySet<CalendarDay>>();

/** Cached per month and place: every forward view needs it. */
const FROM_END = new Map<string, CalendarDay>();

const holidaysOf = (year: number): ReadonlySet<CalendarDay> => {
  const known = HOLIDAYS.get(year);
  if (known) return known;
  const holidays = new Set(getHolidays(year).map(({ dateString }) => dateString));
  HOLIDAYS.set(year, holidays);
  return holidays;
};

/**
 * Whether the exchange settles on a day.
 * @param day a calendar day
 */
export const isBusinessDay = (day: CalendarDay): boolean => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !CLOSED.has(day) && !holidaysOf(Number(day.slice(0, 4))).has(day);
};

/**
 * The newest business day on or before a day.
 * @param day a calendar day
 */
export const businessDayUpTo = (day: CalendarDay): CalendarDay => {
  let found = day;
  while (!isBusinessDay(found)) found = addDays(found, -1);
  return found;
};

/**
 * A business day counted from the end of a month.
 * @param year the year
 * @param month 1 to 12
 * @param place 1 for the last, 3 for the third-to-last
 */
export const businessDayFromEnd = (year: number, month: number, place: number): CalendarDay => {
  const name = `${year} ${month} ${place}`;
  const known = FROM_END.get(name);
  if (known) return known;
  let day = businessDayUpTo(new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10));
  for (let left = place - 1; left > 0; left -= 1) day = businessDayUpTo(addDays(day, -1));
  FROM_END.set(name, day);
  return day;
};

/**
 * The business day whose settlement should be available: the newest that has ended in New York.
 * @param atMs epoch milliseconds
 */
export const lastFinishedBusinessDay = (atMs: number): CalendarDay => businessDayUpTo(addDays(dayIn(NEW_YORK, atMs), -1));

/**
 * When the settlement of the business day after a day should be available: once that business day has ended in New York.
 * @param day a calendar day
 * @returns epoch milliseconds
 */
export const nextSettlementDueMs = (day: CalendarDay): number => {
  let next = addDays(day, 1);
  while (!isBusinessDay(next)) next = addDays(next, 1);
  return wallTimeMs(NEW_YORK, addDays(next, 1), 0);
};

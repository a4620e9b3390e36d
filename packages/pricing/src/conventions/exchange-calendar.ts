/**
 * The one calendar of the exchanges: which days settle, when a day's session of the metals or of the fund begins and ends, and
 * whether the market is open at an instant.
 *
 * Holidays are those of the New York markets. Of the metals (CME Globex) New Year, Good Friday and Christmas have no session; on
 * the others it ends early and nothing settles. The early closes are those in force since 2022, used for all years.
 * @see CME Group, holiday calendar, metals: https://www.cmegroup.com/tools-information/holiday-calendar.html
 * @see NYSE, holidays and trading hours: https://www.nyse.com/markets/hours-calendars
 */
import { HOUR_MS } from "@assay/contract";
import { getHolidays } from "nyse-holidays";
import { addDays, type CalendarDay, dayIn, NEW_YORK, wallTimeMs } from "./zoned-time.ts";

/**
 * Weekdays beyond the holidays on which the exchange is known not to have settled: the attack of 2001, the Friday after
 * Thanksgiving 2002 and the day of mourning of 2004. Days on which it was open or the record is unclear count as business days:
 * 2007-01-02 (pits closed, electronic trading open), 2012-10-29 and 30, 2018-12-05 and 2025-01-09 (metals open as usual).
 */
const CLOSED: ReadonlySet<CalendarDay> = new Set(["2001-09-11", "2001-09-12", "2001-09-13", "2002-11-29", "2004-06-11"]);

/** Business days of the metals on which the stock exchanges were closed, since the fund's listing. */
const FUND_CLOSED: ReadonlySet<CalendarDay> = new Set(["2007-01-02", "2012-10-29", "2012-10-30", "2018-12-05", "2025-01-09"]);

/** Holidays without any session of the metals, by the library's names. */
const WHOLE_DAYS: ReadonlySet<string> = new Set(["New Years Day", "Good Friday", "Christmas Day"]);

/** New York's times, after midnight. The metals open on the evening before. */
const METALS_OPEN_MS = -6 * HOUR_MS;
const METALS_CLOSE_MS = 17 * HOUR_MS;
const METALS_HOLIDAY_CLOSE_MS = 14.5 * HOUR_MS;
/** Of a holiday on a Friday, which no session follows. */
const METALS_FRIDAY_HOLIDAY_CLOSE_MS = 13 * HOUR_MS;
/** Of the day after Thanksgiving and of Christmas Eve. */
const METALS_EVE_CLOSE_MS = 13.75 * HOUR_MS;
const FUND_OPEN_MS = 9.5 * HOUR_MS;
const FUND_CLOSE_MS = 16 * HOUR_MS;
const FUND_EARLY_CLOSE_MS = 13 * HOUR_MS;

/** Holidays of a year, by day: their names. */
const HOLIDAYS = new Map<number, ReadonlyMap<CalendarDay, string>>();

/** Cached per month and place: every forward view needs it. */
const FROM_END = new Map<string, CalendarDay>();

const holidayOn = (day: CalendarDay): string | undefined => {
  const year = Number(day.slice(0, 4));
  const known = HOLIDAYS.get(year);
  if (known) return known.get(day);
  const holidays = new Map(getHolidays(year).map(({ dateString, name }) => [dateString, name]));
  HOLIDAYS.set(year, holidays);
  return holidays.get(day);
};

const isWeekday = (day: CalendarDay): boolean => new Date(`${day}T00:00:00Z`).getUTCDay() % 6 !== 0;

/**
 * Whether the exchange settles on a day.
 * @param day a calendar day
 */
export const isBusinessDay = (day: CalendarDay): boolean => isWeekday(day) && !CLOSED.has(day) && holidayOn(day) === undefined;

/** The day after Thanksgiving, and Christmas Eve unless Christmas is kept on it: the sessions of both markets end early. */
const isEve = (day: CalendarDay): boolean => holidayOn(addDays(day, -1)) === "Thanksgiving Day" || day.endsWith("-12-24");

/** Who trades when: the metals, spot and futures, nearly around the clock; the fund in the hours of the New York stock exchanges. */
export type Venue = "metals" | "fund";

/** A session, [fromMs, toMs), epoch milliseconds. */
export interface Session {
  readonly fromMs: number;
  readonly toMs: number;
}

const metalsCloseMs = (day: CalendarDay): number | null => {
  if (!isWeekday(day) || CLOSED.has(day)) return null;
  const holiday = holidayOn(day);
  if (holiday === undefined) return isEve(day) ? METALS_EVE_CLOSE_MS : METALS_CLOSE_MS;
  if (WHOLE_DAYS.has(holiday)) return null;
  return new Date(`${day}T00:00:00Z`).getUTCDay() === 5 ? METALS_FRIDAY_HOLIDAY_CLOSE_MS : METALS_HOLIDAY_CLOSE_MS;
};

const fundCloseMs = (day: CalendarDay): number | null => {
  if (!isBusinessDay(day) || FUND_CLOSED.has(day)) return null;
  return isEve(day) || day.endsWith("-07-03") ? FUND_EARLY_CLOSE_MS : FUND_CLOSE_MS;
};

/**
 * The session of a day. That of the metals begins at 18:00 New York on the evening before.
 * @param venue who trades
 * @param day a calendar day in New York
 * @returns null on a day without one
 */
export const sessionOf = (venue: Venue, day: CalendarDay): Session | null => {
  const closeMs = venue === "metals" ? metalsCloseMs(day) : fundCloseMs(day);
  if (closeMs === null) return null;
  const openMs = venue === "metals" ? METALS_OPEN_MS : FUND_OPEN_MS;
  return { fromMs: wallTimeMs(NEW_YORK, day, openMs), toMs: wallTimeMs(NEW_YORK, day, closeMs) };
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

/** Whether the market is open, and until when. */
export interface MarketState {
  readonly open: boolean;
  /** The instant at which it last opened or closed, epoch milliseconds; at or before the given moment. */
  readonly sinceMs: number;
  /** The next instant at which it opens or closes, epoch milliseconds; always later than the given moment. */
  readonly nextChangeMs: number;
}

const sessionAfter = (venue: Venue, day: CalendarDay): Session => {
  const next = addDays(day, 1);
  return sessionOf(venue, next) ?? sessionAfter(venue, next);
};

/**
 * Whether a market is open at a moment: the metals from Sunday 18:00 to Friday 17:00 New York with a break from 17:00 to 18:00
 * every day, except for holidays and early closes.
 *
 * Opening instants count as open, closing instants as closed.
 * @param ms the moment, epoch milliseconds
 * @param venue who trades: the metals, or the fund in the hours of its exchange
 */
export const marketStateAt = (ms: number, venue: Venue = "metals"): MarketState => {
  // The session of the next day may have begun this evening.
  let day: CalendarDay = addDays(dayIn(NEW_YORK, ms), 2);
  let later: Session | null = null;
  for (;;) {
    day = addDays(day, -1);
    const session = sessionOf(venue, day);
    if (session && session.fromMs <= ms) {
      if (ms < session.toMs) return { open: true, sinceMs: session.fromMs, nextChangeMs: session.toMs };
      return { open: false, sinceMs: session.toMs, nextChangeMs: (later ?? sessionAfter(venue, day)).fromMs };
    }
    later = session ?? later;
  }
};

/**
 * The open hours of a window, in order.
 * @param fromMs its beginning, epoch milliseconds
 * @param toMs its end, exclusive
 */
export const openWithin = (fromMs: number, toMs: number, venue: Venue = "metals"): Session[] => {
  const hours: Session[] = [];
  for (let atMs = fromMs; atMs < toMs; ) {
    const { open, nextChangeMs } = marketStateAt(atMs, venue);
    const untilMs = Math.min(nextChangeMs, toMs);
    if (open) hours.push({ fromMs: atMs, toMs: untilMs });
    atMs = untilMs;
  }
  return hours;
};

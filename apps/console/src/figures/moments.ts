/** Instants and lengths of time in words. */
import { locale as readers, text } from "../text/text.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A length of time in its largest unit: `3 s`, `15 min`, `2 h`, `4 days`.
 * @param lengthMs milliseconds; less than zero counts as none
 */
export const lengthText = (lengthMs: number): string => {
  const length = Math.max(0, lengthMs);
  const { time } = text();
  if (length < MINUTE) return time.seconds({ count: Math.floor(length / SECOND) });
  if (length < HOUR) return time.minutes({ count: Math.floor(length / MINUTE) });
  if (length < 2 * DAY) return time.hours({ count: Math.floor(length / HOUR) });
  return time.days({ count: Math.floor(length / DAY) });
};

/** How long ago something was, as `lengthText` has it. */
export const agoText = (lengthMs: number): string => {
  const { time } = text();
  return lengthMs < 2 * DAY ? time.ago({ length: lengthText(lengthMs) }) : time.daysAgo({ count: Math.floor(lengthMs / DAY) });
};

/** What is left until something happens: seconds below two minutes, then as `lengthText`, rounded up. */
export const countdownText = (leftMs: number): string => {
  const seconds = Math.ceil(Math.max(0, leftMs) / SECOND);
  if (seconds < 120) return text().time.seconds({ count: seconds });
  return lengthText(Math.ceil(leftMs / MINUTE) * MINUTE);
};

/**
 * Whole days from an instant to a calendar day, as UTC days.
 * @param day YYYY-MM-DD
 */
export const daysUntil = (day: string, nowMs: number): number =>
  Math.round((Date.parse(`${day}T00:00:00Z`) - Math.floor(nowMs / DAY) * DAY) / DAY);

/** Where and how an instant is written; in the browser's own zone and the language of the page when omitted. */
interface Form {
  readonly timeZone?: string | undefined;
  readonly locale?: string | undefined;
}

// The common calendar, whatever the language.
const formatter = (options: Intl.DateTimeFormatOptions, { timeZone, locale = readers.value }: Form): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone, calendar: "gregory" });

const MINUTES = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const SHORT_DAY = { day: "numeric", month: "short" } as const;
const WHOLE_DAY = { ...SHORT_DAY, year: "numeric" } as const;

/** A clock time with seconds: `14:03:27`. */
export const clockTime = (instantMs: number, form: Form = {}): string =>
  formatter({ ...MINUTES, second: "2-digit" }, form).format(instantMs);

/** A clock time without seconds: `14:03`. */
export const clockMinute = (instantMs: number, form: Form = {}): string => formatter(MINUTES, form).format(instantMs);

/** Day and minute: `20 Nov 2026, 14:03`. */
export const dayAndTime = (instantMs: number, form: Form = {}): string =>
  formatter({ ...WHOLE_DAY, ...MINUTES }, form).format(instantMs);

/** The day of an instant without its year: `20 Nov`. */
export const dayOfMonth = (instantMs: number, form: Form = {}): string => formatter(SHORT_DAY, form).format(instantMs);

const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** A calendar day as written in the locale; it is a day of UTC, not of the reader's zone. */
export const calendarDay = (day: string, locale?: string): string =>
  formatter(WHOLE_DAY, { timeZone: "UTC", locale }).format(midnight(day));

/** A calendar day without its year, where the year is clear: `20 Nov`. */
export const shortDay = (day: string, locale?: string): string =>
  formatter(SHORT_DAY, { timeZone: "UTC", locale }).format(midnight(day));

/** The month of a calendar day: `Nov`. */
export const monthText = (day: string, locale?: string): string =>
  formatter({ month: "short" }, { timeZone: "UTC", locale }).format(midnight(day));

export const yearText = (day: string, locale?: string): string =>
  formatter({ year: "numeric" }, { timeZone: "UTC", locale }).format(midnight(day));

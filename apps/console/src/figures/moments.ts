/** Instants and lengths of time in words. */

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
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`;
  if (length < HOUR) return `${Math.floor(length / MINUTE)} min`;
  if (length < 2 * DAY) return `${Math.floor(length / HOUR)} h`;
  return `${Math.floor(length / DAY)} days`;
};

/** What is left until something happens: seconds below two minutes, then as `lengthText`, rounded up. */
export const countdownText = (leftMs: number): string => {
  const seconds = Math.ceil(Math.max(0, leftMs) / SECOND);
  if (seconds < 120) return `${seconds} s`;
  return lengthText(Math.ceil(leftMs / MINUTE) * MINUTE);
};

/**
 * Whole days from an instant to a calendar day, as UTC days.
 * @param day YYYY-MM-DD
 */
export const daysUntil = (day: string, nowMs: number): number =>
  Math.round((Date.parse(`${day}T00:00:00Z`) - Math.floor(nowMs / DAY) * DAY) / DAY);

/** A clock time of the reader's zone, with seconds: `14:03:27`. */
export const clockTime = (instantMs: number, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }).format(instantMs);

/** Day and minute of the reader's zone: `20 Nov 2026, 14:03`. */
export const dayAndTime = (instantMs: number, locale?: string): string =>
  new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(instantMs);

/** A calendar day as written in the locale; it is a day of UTC, not of the reader's zone. */
export const calendarDay = (day: string, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(
    Date.parse(`${day}T00:00:00Z`),
  );

/** A calendar day without its year, where the year is clear: `20 Nov`. */
export const shortDay = (day: string, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }).format(Date.parse(`${day}T00:00:00Z`));

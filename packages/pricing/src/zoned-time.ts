/** Clocks on walls: an instant by a city's clock, and a city's day of an instant. */
import { tzOffset } from "@date-fns/tz";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Where the exchange's day is told. */
export const NEW_YORK = "America/New_York";
/** Where the exchange's own documents are dated. */
export const CHICAGO = "America/Chicago";

/** A calendar day, YYYY-MM-DD. */
export type CalendarDay = string;

const offsetMs = (zone: string, atMs: number): number => tzOffset(zone, new Date(atMs)) * MINUTE_MS;

/**
 * The instant at which a clock in a zone shows a time.
 *
 * Not for the hours between midnight and 3 of a Sunday on which clocks change: such a time may come twice or not at all.
 * @param zone an IANA zone
 * @param day the calendar day there
 * @param timeMs milliseconds after midnight on the wall clock
 * @returns epoch milliseconds
 */
export const wallTimeMs = (zone: string, day: CalendarDay, timeMs: number): number => {
  const wallMs = Date.parse(`${day}T00:00:00Z`) + timeMs;
  const nearMs = wallMs - offsetMs(zone, wallMs);
  return wallMs - offsetMs(zone, nearMs);
};

/**
 * The calendar day of an instant in a zone.
 * @param zone an IANA zone
 * @param atMs epoch milliseconds
 */
export const dayIn = (zone: string, atMs: number): CalendarDay =>
  new Date(atMs + offsetMs(zone, atMs)).toISOString().slice(0, 10);

/** The UTC day of an instant. */
export const utcDay = (atMs: number): CalendarDay => new Date(atMs).toISOString().slice(0, 10);

/**
 * The day so many days later.
 * @param day a calendar day
 * @param days how many; negative for earlier
 */
export const addDays = (day: CalendarDay, days: number): CalendarDay => utcDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);

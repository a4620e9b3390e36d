/** Converts between instants and the local times and days of time zones. */
import { DAY_MS, MINUTE_MS } from "@assay/contract";
import { tzOffset } from "@date-fns/tz";

/** The time zone of the spot market's day and the exchange's settlements. */
export const NEW_YORK = "America/New_York";
/** The time zone of the exchange's own documents. */
export const CHICAGO = "America/Chicago";

/** A calendar day, YYYY-MM-DD. */
export type CalendarDay = string;

const offsetMs = (zone: string, atMs: number): number => tzOffset(zone, new Date(atMs)) * MINUTE_MS;

/**
 * The instant of a local time in a zone.
 *
 * Not for 0:00 to 3:00 on the Sunday of a daylight saving change: such a time may occur twice or not at all.
 * @param zone an IANA zone
 * @param day the local calendar day
 * @param timeMs milliseconds after local midnight
 * @returns epoch milliseconds
 */
export const wallTimeMs = (zone: string, day: CalendarDay, timeMs: number): number => {
  const wallMs = Date.parse(`${day}T00:00:00Z`) + timeMs;
  const nearMs = wallMs - offsetMs(zone, wallMs);
  return wallMs - offsetMs(zone, nearMs);
};

/**
 * The local calendar day of an instant.
 * @param zone an IANA zone
 * @param atMs epoch milliseconds
 */
export const dayIn = (zone: string, atMs: number): CalendarDay =>
  new Date(atMs + offsetMs(zone, atMs)).toISOString().slice(0, 10);

/** The UTC day of an instant. */
export const utcDay = (atMs: number): CalendarDay => new Date(atMs).toISOString().slice(0, 10);

/**
 * Adds days to a calendar day.
 * @param day a calendar day
 * @param days number of days; may be negative
 */
export const addDays = (day: CalendarDay, days: number): CalendarDay => utcDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);

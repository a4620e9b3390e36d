/** Converts between instants and the local times and days of time zones. */
import { DAY_MS, MINUTE_MS } from "@assay/contract";
import { tzOffset, tzScan } from "@date-fns/tz";

/** The time zone of the spot market's day and the exchange's settlements. */
export const NEW_YORK = "America/New_York";
/** The time zone of the exchange's own documents. */
export const CHICAGO = "America/Chicago";

/** A calendar day, YYYY-MM-DD. */
export type CalendarDay = string;

/** A zone's UTC offsets in one UTC year: at its start, and from each daylight saving change. */
interface YearOffsets {
  readonly startOffsetMs: number;
  readonly changes: readonly { readonly atMs: number; readonly offsetMs: number }[];
}

const YEARS = new Map<string, YearOffsets>();

/** Cached per year: reading the time zone's rules takes milliseconds. */
const offsetsOf = (zone: string, year: number): YearOffsets => {
  const name = `${zone} ${year}`;
  const known = YEARS.get(name);
  if (known) return known;
  const start = new Date(Date.UTC(year, 0, 1));
  const offsets: YearOffsets = {
    startOffsetMs: tzOffset(zone, start) * MINUTE_MS,
    changes: tzScan(zone, { start, end: new Date(Date.UTC(year, 11, 31, 23)) }).map(({ date, offset }) => ({
      atMs: date.getTime(),
      offsetMs: offset * MINUTE_MS,
    })),
  };
  YEARS.set(name, offsets);
  return offsets;
};

const offsetMs = (zone: string, atMs: number): number => {
  const { startOffsetMs, changes } = offsetsOf(zone, new Date(atMs).getUTCFullYear());
  let found = startOffsetMs;
  for (const change of changes) if (atMs >= change.atMs) found = change.offsetMs;
  return found;
};

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

export const utcDay = (atMs: number): CalendarDay => new Date(atMs).toISOString().slice(0, 10);

/**
 * Adds days to a calendar day.
 * @param day a calendar day
 * @param days number of days; may be negative
 */
export const addDays = (day: CalendarDay, days: number): CalendarDay => utcDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);

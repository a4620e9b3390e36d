/** Times as files write them: the reading of a clock on a wall, in a zone that is known or not. */

/** A time as a row states it. */
export interface WrittenTime {
  /** The wall clock's reading, as if it hung in UTC; epoch milliseconds. NaN when there is no such day or hour. */
  readonly wallMs: number;
  /** How far the clock is ahead of UTC, where the row or its form says so; null where the file's zone decides. */
  readonly offsetMs: number | null;
  /** Whether only a day was written. */
  readonly isDay: boolean;
}

const HOUR_MS = 3_600_000;

const number = (text: string | undefined): number => (text === undefined ? 0 : Number(text));

/**
 * Puts a wall clock's reading together.
 * @param parts year, month, day, hour, minute, second and milliseconds in digits; hours and smaller may be left out
 * @returns epoch milliseconds, NaN when the calendar or the clock has no such reading
 */
export const wallMsOf = (...parts: readonly (string | undefined)[]): number => {
  const [year, month, day, hour, minute, second, milliseconds] = parts.map(number);
  const startMs = Date.UTC(year ?? 0, (month ?? 0) - 1, day ?? 0);
  const date = new Date(startMs);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() + 1 !== month || date.getUTCDate() !== day) return Number.NaN;
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59) return Number.NaN;
  return startMs + (hour ?? 0) * HOUR_MS + (minute ?? 0) * 60_000 + (second ?? 0) * 1_000 + (milliseconds ?? 0);
};

/**
 * Reads a fixed distance from UTC.
 * @param text `+02:00`, `-0500`, `+2`, with or without `UTC` or `GMT` before it, or `Z`
 * @returns milliseconds ahead of UTC, null when it is none
 */
export const offsetMsOf = (text: string): number | null => {
  if (text === "Z") return 0;
  const [, sign, hours, minutes] = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?([0-5]\d))?$/i.exec(text) ?? [];
  if (sign === undefined) return null;
  const ms = number(hours) * HOUR_MS + number(minutes) * 60_000;
  if (ms > 14 * HOUR_MS) return null;
  return sign === "-" ? -ms : ms;
};

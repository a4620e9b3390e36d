/** Wall-clock times as files write them, in a zone that may be unknown. */

/** A time as a row states it. */
export interface WrittenTime {
  /** The wall-clock reading as if in UTC; epoch milliseconds. NaN when there is no such day or hour. */
  readonly wallMs: number;
  /** How far the clock is ahead of UTC, when the row or its format says; null when the file's zone decides. */
  readonly offsetMs: number | null;
  /** Whether only a date was given. */
  readonly isDay: boolean;
}

/** The largest UTC offset: fourteen hours, at the date line. */
const LARGEST_OFFSET_MS = 14 * 3_600_000;

/** The day parsed last: rows of a day are adjacent, and parsing the day costs the most. */
let lastDay = { year: "", month: "", day: "", startMs: Number.NaN };

const dayMsOf = (year = "", month = "", day = ""): number => {
  if (lastDay.day === day && lastDay.month === month && lastDay.year === year) return lastDay.startMs;
  const startMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const date = new Date(startMs);
  // Date.UTC overflows an invalid day or month into the next, and maps a year below 100 to the last century.
  const isThere =
    date.getUTCDate() === Number(day) && date.getUTCMonth() + 1 === Number(month) && date.getUTCFullYear() === Number(year);
  lastDay = { year, month, day, startMs: isThere ? startMs : Number.NaN };
  return lastDay.startMs;
};

/**
 * Combines a wall-clock reading from digits; hours and smaller are optional.
 * @returns epoch milliseconds, NaN when there is no such date or time
 */
export const wallMsOf = (
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  hour = "0",
  minute = "0",
  second = "0",
  milliseconds = "0",
): number => {
  const startMs = dayMsOf(year, month, day);
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (hours > 23 || minutes > 59 || seconds > 59) return Number.NaN;
  return startMs + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + Number(milliseconds);
};

/**
 * Parses a fixed UTC offset.
 * @param text `+02:00`, `-0500`, `+2`, with or without `UTC` or `GMT` before it, or `Z`
 * @returns milliseconds ahead of UTC; null when it is not an offset
 */
export const offsetMsOf = (text: string): number | null => {
  if (text === "Z") return 0;
  const [, sign, hours, minutes] = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?([0-5]\d))?$/i.exec(text) ?? [];
  if (sign === undefined) return null;
  const ms = (Number(hours) * 60 + Number(minutes ?? 0)) * 60_000;
  if (ms > LARGEST_OFFSET_MS) return null;
  return sign === "-" ? -ms : ms;
};

/** Times as files write them: the formats, a pattern and a parser each, and the wall-clock readings in them. */
import { hourOfTwelve, monthNamed } from "@assay/pricing";

interface WrittenTime {
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

/** One format. A time in its own column is appended to its date after a space. */
export interface TimeForm {
  /** A sample, for messages. */
  readonly example: string;
  readonly pattern: RegExp;
  /** Parses the pattern's match. */
  readonly read: (found: readonly (string | undefined)[]) => WrittenTime;
  /** Whether it includes the UTC offset, so that no zone is needed. */
  readonly isZoned: boolean;
}

const offsetOf = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  return text === "UTC" || text === "GMT" ? 0 : (offsetMsOf(text) ?? Number.NaN);
};

/** A year of two digits, as POSIX reads it: 69 to 99 are of the last century. */
const fullYear = (year = ""): string => (year.length === 2 ? `${year < "69" ? 20 : 19}${year}` : year);

const yearFirst: TimeForm["read"] = ([, year, month, day, hour, minute, second, ms, offset]) => ({
  wallMs: wallMsOf(year, month, day, hour, minute, second, ms),
  offsetMs: offsetOf(offset),
  isDay: hour === undefined,
});

const dayFirst: TimeForm["read"] = ([, day, month, year, hour, minute, second, ms, offset]) => ({
  wallMs: wallMsOf(fullYear(year), month, day, hour, minute, second, ms),
  offsetMs: offsetOf(offset),
  isDay: hour === undefined,
});

/** ISO 8601 without a zone, and with slashes; the time is optional. */
export const ISO: TimeForm = {
  example: "2025-05-15 07:35:00",
  pattern: /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{3})\d*)?)?)?$/,
  read: yearFirst,
  isZoned: false,
};

/** ISO 8601 with a zone. */
export const ISO_ZONED: TimeForm = {
  example: "2025-05-15T07:35:00Z",
  pattern: /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{3})\d*)?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)$/,
  read: yearFirst,
  isZoned: true,
};

/** MetaTrader's format. */
export const DOTTED: TimeForm = {
  example: "2025.05.15 07:35",
  pattern: /^(\d{4})\.(\d{1,2})\.(\d{1,2})(?: (\d{1,2}):(\d\d)(?::(\d\d))?)?$/,
  read: yearFirst,
  isZoned: false,
};

/** Day first, with dots: with slashes the first number could be the month. */
export const DAY_FIRST: TimeForm = {
  example: "15.05.2025 07:35:00",
  pattern: /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?: (\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{3}))?)?)?$/,
  read: dayFirst,
  isZoned: false,
};

/** Day first, in GMT as the column name says. */
export const DAY_FIRST_GMT: TimeForm = {
  ...DAY_FIRST,
  example: "15.05.2025 07:35:00.000",
  read: (found) => ({ ...dayFirst(found), offsetMs: 0 }),
  isZoned: true,
};

export const DAY_FIRST_ZONED: TimeForm = {
  example: "15.05.2025 09:35:00.000 GMT+0200",
  pattern: /^(\d\d)\.(\d\d)\.(\d{4}) (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))? (GMT[+-]\d{4})$/,
  read: dayFirst,
  isZoned: true,
};

/** How `--dates` orders the day and the month of dates that end with the year. */
export const DATE_ORDERS = ["mdy", "dmy"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const YEAR_LAST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d\d)(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{3}))?)?)?$/;

/** Dates that end with the year, of either order: only the operator knows which. */
export const ORDERED_DATES: Readonly<Record<DateOrder, TimeForm>> = {
  mdy: {
    example: "05/15/2025 07:35:00",
    pattern: YEAR_LAST,
    read: ([text, month, , day, year, ...clock]) => dayFirst([text, day, month, year, ...clock]),
    isZoned: false,
  },
  dmy: {
    example: "15/05/2025 07:35:00",
    pattern: YEAR_LAST,
    read: ([text, day, , month, year, ...clock]) => dayFirst([text, day, month, year, ...clock]),
    isZoned: false,
  },
};

/** Whether a time has a date whose order is unknown; with dots the day is first. */
export const isUnordered = (text: string): boolean => /^\d{1,2}([/-])\d{1,2}\1(?:\d{4}|\d\d)(?:\D|$)/.test(text);

/** A day since 1900, or since 1904 in files of old Macs. */
const SERIAL = /^\d{5}(?:\.\d+)?$/;
/** A month as the World Bank writes it. */
const MONTH = /^\d{4}M\d\d$/;

const TWO_ZONES = /([+-]\d\d:?\d\d|Z) ?(Z|UTC|GMT|[+-]\d\d:?\d\d)$/i;

/** What is wrong with a time that no format reads; null when nothing in particular. */
export const timeFault = (text: string): string | null => {
  const [, zone, second] = TWO_ZONES.exec(text) ?? [];
  if (zone !== undefined) return `has two time zones, ${zone} and ${second}; remove one of them from the file`;
  if (MONTH.test(text)) return "is a month: its figure is an average, and no bar of a day";
  if (SERIAL.test(text)) return "is a spreadsheet's day number; show the column as dates, YYYY-MM-DD, and save the file again";
  return isUnordered(text) ? "may begin with the month or the day; pass --dates mdy or --dates dmy" : null;
};

export const COMPACT: TimeForm = {
  example: "20250515 073500",
  pattern: /^(\d{4})(\d\d)(\d\d)(?:[ T]{0,2}(\d\d):?(\d\d)(?::?(\d\d))?)?$/,
  read: yearFirst,
  isZoned: false,
};

/** A month by its name, so that no order is unknown; a weekday before it says nothing more. */
const WEEKDAY = /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?/;
const NAMED_DAY = /(\d{1,2})[- ]([A-Za-z]{3,9})\.?[- ,]{1,2}(\d{4}|\d\d)(?: (\d{1,2}):(\d\d)(?::(\d\d))?)?/;
const NAMED_MONTH = /([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})(?: (\d{1,2}):(\d\d)(?::(\d\d))?)?$/;
const ZONE = / (GMT|UTC|[+-]\d{4})$/;
const joined = (...parts: readonly RegExp[]): RegExp => new RegExp(parts.map(({ source }) => source).join(""));
export const NAMED_MONTHS: readonly TimeForm[] = [
  {
    example: "15-May-2025 07:35",
    pattern: joined(WEEKDAY, NAMED_DAY, /$/),
    read: ([text, day, month, ...rest]) => dayFirst([text, day, String(monthNamed(month ?? "")), ...rest]),
    isZoned: false,
  },
  {
    example: "Thu, 15 May 2025 07:35:00 GMT",
    pattern: joined(WEEKDAY, NAMED_DAY, ZONE),
    read: ([text, day, month, year, hour, minute, second, zone]) =>
      dayFirst([text, day, String(monthNamed(month ?? "")), year, hour, minute, second, undefined, zone]),
    isZoned: true,
  },
  {
    example: "May 15, 2025 07:35",
    pattern: joined(WEEKDAY, NAMED_MONTH),
    read: ([text, month, day, ...rest]) => dayFirst([text, day, String(monthNamed(month ?? "")), ...rest]),
    isZoned: false,
  },
];

const TWELVE_HOURS = /(\d{1,2})(:\d\d(?::\d\d)?) ?([ap])\.?m\.?$/i;

/** A time as it is written, on a clock of 24 hours. */
export const onLongClock = (text: string): string => {
  // Most files have none, and every row is asked.
  if (!/m\.?$/i.test(text)) return text;
  return text.replace(TWELVE_HOURS, (written, hour: string, rest: string, half: string) => {
    const hours = hourOfTwelve(Number(hour), half);
    return Number.isNaN(hours) ? written : `${hours}${rest}`;
  });
};

/** Seconds since 1970: nine digits until 2001-09-09, ten since. */
export const EPOCH_SECONDS: TimeForm = {
  example: "1747294500",
  pattern: /^\d{9,10}$/,
  read: ([text = ""]) => ({ wallMs: Number(text) * 1_000, offsetMs: 0, isDay: false }),
  isZoned: true,
};

/** Milliseconds since 1970. */
export const EPOCH_MILLISECONDS: TimeForm = {
  example: "1747294500000",
  pattern: /^\d{11,14}$/,
  read: ([text = ""]) => ({ wallMs: Number(text), offsetMs: 0, isDay: false }),
  isZoned: true,
};

/** An instant since 1970 in seconds, milli-, micro- or nanoseconds, by the number of its digits; fourteen are a compact date. */
export const EPOCH: TimeForm = {
  example: "1747294500000",
  pattern: /^(?:\d{9,13}|\d{15,19})$/,
  read: ([text = ""]) => {
    if (text.length < 11) return EPOCH_SECONDS.read([text]);
    const finer = text.length < 15 ? 0 : text.length < 18 ? 3 : 6;
    return EPOCH_MILLISECONDS.read([text.slice(0, text.length - finer)]);
  },
  isZoned: true,
};

/** The time formats of files: a pattern and a parser each. */
import { offsetMsOf, type WrittenTime, wallMsOf } from "./wall-time.ts";

/** One format. A time in its own column is appended to its date after a space. */
export interface TimeForm {
  /** A sample, for messages. */
  readonly example: string;
  readonly pattern: RegExp;
  /** Parses the pattern's match. */
  readonly read: (found: RegExpExecArray) => WrittenTime;
  /** Whether it includes the UTC offset, so that no zone is needed. */
  readonly isZoned: boolean;
}

const offsetOf = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  return text === "UTC" || text === "GMT" ? 0 : (offsetMsOf(text) ?? Number.NaN);
};

const yearFirst: TimeForm["read"] = ([, year, month, day, hour, minute, second, ms, offset]) => ({
  wallMs: wallMsOf(year, month, day, hour, minute, second, ms),
  offsetMs: offsetOf(offset),
  isDay: hour === undefined,
});

const dayFirst: TimeForm["read"] = ([, day, month, year, hour, minute, second, ms, offset]) => ({
  wallMs: wallMsOf(year, month, day, hour, minute, second, ms),
  offsetMs: offsetOf(offset),
  isDay: hour === undefined,
});

/** ISO 8601 without a zone, and with slashes; the time is optional. */
export const ISO: TimeForm = {
  example: "2025-05-15 07:35:00",
  pattern: /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{3})\d*)?)?)?$/,
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
  pattern: /^(\d{4})\.(\d\d)\.(\d\d)(?: (\d\d):(\d\d)(?::(\d\d))?)?$/,
  read: yearFirst,
  isZoned: false,
};

/** Day first, with dots: with slashes the first number could be the month. */
export const DAY_FIRST: TimeForm = {
  example: "15.05.2025 07:35:00",
  pattern: /^(\d\d)\.(\d\d)\.(\d{4})(?: (\d\d):(\d\d)(?::(\d\d)(?:\.(\d{3}))?)?)?$/,
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

/** Day first with a zone. */
export const DAY_FIRST_ZONED: TimeForm = {
  example: "15.05.2025 09:35:00.000 GMT+0200",
  pattern: /^(\d\d)\.(\d\d)\.(\d{4}) (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))? (GMT[+-]\d{4})$/,
  read: dayFirst,
  isZoned: true,
};

/** Digits only. */
export const COMPACT: TimeForm = {
  example: "20250515 073500",
  pattern: /^(\d{4})(\d\d)(\d\d)(?:[ T]?(\d\d)(\d\d)(\d\d)?)?$/,
  read: yearFirst,
  isZoned: false,
};

/** Seconds since 1970: nine digits until 2001-09-09, ten since. */
export const EPOCH_SECONDS: TimeForm = {
  example: "1747294500",
  pattern: /^\d{9,10}$/,
  read: ([text]) => ({ wallMs: Number(text) * 1_000, offsetMs: 0, isDay: false }),
  isZoned: true,
};

/** Milliseconds since 1970. */
export const EPOCH_MILLISECONDS: TimeForm = {
  example: "1747294500000",
  pattern: /^\d{11,14}$/,
  read: ([text]) => ({ wallMs: Number(text), offsetMs: 0, isDay: false }),
  isZoned: true,
};

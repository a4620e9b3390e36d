/** Parses the window of a list into epoch milliseconds, as the service does. */

const DAY_MS = 86_400_000;
const UNIT_MS = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", DAY_MS],
  ["w", 7 * DAY_MS],
]);
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** Both ends are inclusive. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A parsed instant: its first and last millisecond. */
const spanOf = (value: unknown, wholeDays: boolean): Window | null => {
  if (value instanceof Date) {
    const ms = value.getTime();
    const dayMs = Math.floor(ms / DAY_MS) * DAY_MS;
    if (Number.isNaN(ms)) return null;
    return wholeDays ? { fromMs: dayMs, toMs: dayMs + DAY_MS - 1 } : { fromMs: ms, toMs: ms };
  }
  if (typeof value !== "string") return null;
  const isDate = DATE.test(value);
  if (!isDate && (wholeDays || !DATE_TIME.test(value))) return null;
  const fromMs = Date.parse(isDate ? `${value}T00:00:00Z` : /(Z|[+-]\d{2}:\d{2})$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(fromMs) ? null : { fromMs, toMs: isDate ? fromMs + DAY_MS - 1 : fromMs };
};

/**
 * Parses a window. A bare date starts at its UTC midnight and ends with its last millisecond.
 * @param from a Date or ISO-8601 text; one without an offset is UTC
 * @param to the same
 * @param wholeDays whether the list is queried by days
 * @returns null when an end cannot be parsed
 */
export const readWindow = (from: unknown, to: unknown, wholeDays: boolean): Window | null => {
  const first = spanOf(from, wholeDays);
  const last = spanOf(to, wholeDays);
  return first === null || last === null ? null : { fromMs: first.fromMs, toMs: last.toMs };
};

/**
 * Parses the length of an interval.
 * @param text such as 15m, 4h or 1d
 * @returns milliseconds; null when it cannot be parsed
 */
export const intervalMs = (text: unknown): number | null => {
  const match = typeof text === "string" ? /^([1-9]\d{0,3})([mhdw])$/.exec(text) : null;
  const unitMs = UNIT_MS.get(match?.[2] ?? "");
  return match === null || unitMs === undefined ? null : Number(match[1]) * unitMs;
};

/**
 * Formats a window as parameters.
 * @param window both ends
 * @param wholeDays whether the list is queried by days
 */
export const writeWindow = ({ fromMs, toMs }: Window, wholeDays: boolean): { readonly from: string; readonly to: string } => {
  const length = wholeDays ? 10 : undefined;
  return { from: new Date(fromMs).toISOString().slice(0, length), to: new Date(toMs).toISOString().slice(0, length) };
};

/** When the spot market trades: Sunday 18:00 to Friday 17:00 New York, with a break from 17:00 to 18:00 every day. */
import { tzOffset, tzScan } from "@date-fns/tz";

const ZONE = "America/New_York";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** 1970-01-04 was a Sunday: New York's wall clock counts its weeks from there. */
const FIRST_SUNDAY_MS = 3 * DAY_MS;

/** The hour the day's trading ends, and the hour the next one begins, on New York's wall clock. */
const CLOSE_HOUR = 17;
const OPEN_HOUR = 18;

/** Milliseconds after Sunday midnight in New York at which the market opens or closes: open at even places, closed at odd ones. */
const CHANGES: readonly number[] = [0, 1, 2, 3, 4].flatMap((day) => [
  day * DAY_MS + OPEN_HOUR * HOUR_MS,
  (day + 1) * DAY_MS + CLOSE_HOUR * HOUR_MS,
]);

/** Whether the market is open, and until when. */
export interface MarketState {
  readonly open: boolean;
  /** The instant at which it last opened or closed, epoch milliseconds; the moment asked for, or earlier. */
  readonly sinceMs: number;
  /** The next instant at which it opens or closes, epoch milliseconds; always later than the moment asked for. */
  readonly nextChangeMs: number;
}

/** New York's offset from UTC through one UTC year: at its start, and at each change of clocks. */
interface YearOffsets {
  readonly startOffsetMs: number;
  readonly changes: readonly { readonly atMs: number; readonly offsetMs: number }[];
}

const YEARS = new Map<number, YearOffsets>();

/** Looked up once a year: reading the time zone's rules takes milliseconds. */
const offsetsOf = (year: number): YearOffsets => {
  const known = YEARS.get(year);
  if (known) return known;
  const start = new Date(Date.UTC(year, 0, 1));
  const offsets: YearOffsets = {
    startOffsetMs: tzOffset(ZONE, start) * MINUTE_MS,
    changes: tzScan(ZONE, { start, end: new Date(Date.UTC(year, 11, 31, 23)) }).map(({ date, offset }) => ({
      atMs: date.getTime(),
      offsetMs: offset * MINUTE_MS,
    })),
  };
  YEARS.set(year, offsets);
  return offsets;
};

const newYorkOffsetMs = (ms: number): number => {
  const { startOffsetMs, changes } = offsetsOf(new Date(ms).getUTCFullYear());
  let offsetMs = startOffsetMs;
  for (const change of changes) if (ms >= change.atMs) offsetMs = change.offsetMs;
  return offsetMs;
};

/**
 * Whether the spot market is open at a moment, by New York's clock and its daylight saving.
 *
 * At the instant of opening it is open, at the instant of closing it is closed. Exchange holidays are not known here: the
 * sources fall silent on them, and the price says so.
 * @param ms the moment, epoch milliseconds
 */
export const marketStateAt = (ms: number): MarketState => {
  const offsetMs = newYorkOffsetMs(ms);
  const local = ms + offsetMs;
  const sunday = Math.floor((local - FIRST_SUNDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_SUNDAY_MS;
  const found = CHANGES.findIndex((change) => sunday + change > local);
  const place = found < 0 ? CHANGES.length : found;
  // Clocks change on Sunday at 2 in the morning, so the offset of a change is known from an instant within a day of it.
  const instantOf = (index: number): number => {
    const weeks = Math.floor(index / CHANGES.length);
    const changeLocal = sunday + weeks * WEEK_MS + (CHANGES[index - weeks * CHANGES.length] ?? 0);
    return changeLocal - newYorkOffsetMs(changeLocal - offsetMs);
  };
  return { open: place % 2 === 1, sinceMs: instantOf(place - 1), nextChangeMs: instantOf(place) };
};

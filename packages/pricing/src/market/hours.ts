/** When the spot market trades: Sunday 18:00 to Friday 17:00 New York, with a break from 17:00 to 18:00 every day. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@assay/contract";
import { tzOffset, tzScan } from "@date-fns/tz";

const ZONE = "America/New_York";
const WEEK_MS = 7 * DAY_MS;

/** 1970-01-04 was a Sunday: weeks are counted from there in New York's local time. */
const FIRST_SUNDAY_MS = 3 * DAY_MS;

/** The hours at which trading ends and resumes each day, in New York's local time. */
const CLOSE_HOUR = 17;
const OPEN_HOUR = 18;

/**
 * Milliseconds after Sunday midnight in New York at which the market opens or closes: opens at even indexes, closes at odd ones.
 */
const CHANGES: readonly number[] = [0, 1, 2, 3, 4].flatMap((day) => [
  day * DAY_MS + OPEN_HOUR * HOUR_MS,
  (day + 1) * DAY_MS + CLOSE_HOUR * HOUR_MS,
]);

/** Whether the market is open, and until when. */
export interface MarketState {
  readonly open: boolean;
  /** The instant at which it last opened or closed, epoch milliseconds; at or before the given moment. */
  readonly sinceMs: number;
  /** The next instant at which it opens or closes, epoch milliseconds; always later than the given moment. */
  readonly nextChangeMs: number;
}

/** New York's UTC offsets in one UTC year: at its start, and from each daylight saving change. */
interface YearOffsets {
  readonly startOffsetMs: number;
  readonly changes: readonly { readonly atMs: number; readonly offsetMs: number }[];
}

const YEARS = new Map<number, YearOffsets>();

/** Cached per year: reading the time zone's rules takes milliseconds. */
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
 * Whether the spot market is open at a moment, in New York time including daylight saving.
 *
 * Opening instants count as open, closing instants as closed. Exchange holidays are not known here: sources fall silent on them,
 * and the price reports that.
 * @param ms the moment, epoch milliseconds
 */
export const marketStateAt = (ms: number): MarketState => {
  const offsetMs = newYorkOffsetMs(ms);
  const local = ms + offsetMs;
  const sunday = Math.floor((local - FIRST_SUNDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_SUNDAY_MS;
  const found = CHANGES.findIndex((change) => sunday + change > local);
  const place = found < 0 ? CHANGES.length : found;
  // Clocks change on Sunday at 2:00, so the offset after a change is known within a day of it.
  const instantOf = (index: number): number => {
    const weeks = Math.floor(index / CHANGES.length);
    const changeLocal = sunday + weeks * WEEK_MS + (CHANGES[index - weeks * CHANGES.length] ?? 0);
    return changeLocal - newYorkOffsetMs(changeLocal - offsetMs);
  };
  return { open: place % 2 === 1, sinceMs: instantOf(place - 1), nextChangeMs: instantOf(place) };
};

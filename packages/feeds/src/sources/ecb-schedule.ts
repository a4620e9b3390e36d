/** When to poll the European Central Bank: often around publication at 16:00 in Frankfurt, rarely otherwise. */
import { DAY_MS, MINUTE_MS } from "@assay/contract";

/** Interval outside the window; normally there is a successful reading within twice this time. */
export const ECB_INTERVAL_MS = 360 * MINUTE_MS;
const WINDOW_INTERVAL_MS = 15 * MINUTE_MS;
const WINDOW_START_MS = (15 * 60 + 55) * MINUTE_MS;
const WINDOW_END_MS = 17 * 60 * MINUTE_MS;

const FRANKFURT = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Berlin",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
});

/** Frankfurt's local time at an instant, as if it were UTC. */
const wallClockMs = (atMs: number): number => {
  const part = Object.fromEntries(FRANKFURT.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (atMs % 1000);
};

/** The bank's closing days are not known here; on those few days polling in the window finds nothing new. */
const isWeekday = (wallMs: number): boolean => {
  const weekday = new Date(wallMs).getUTCDay();
  return weekday >= 1 && weekday <= 5;
};

/**
 * Milliseconds until the next reading: 15 minutes from 15:55 to 17:00 in Frankfurt on weekdays, else six hours, or less
 * when the window opens sooner.
 */
export const ecbDelayMs = (nowMs: number): number => {
  const wallMs = wallClockMs(nowMs);
  const intoDayMs = ((wallMs % DAY_MS) + DAY_MS) % DAY_MS;
  if (isWeekday(wallMs) && intoDayMs >= WINDOW_START_MS && intoDayMs < WINDOW_END_MS) return WINDOW_INTERVAL_MS;
  // Daylight saving changes at night, hours before the window: in local time the result is at most an hour off, once.
  const untilWindowMs = intoDayMs < WINDOW_START_MS ? WINDOW_START_MS - intoDayMs : DAY_MS - intoDayMs + WINDOW_START_MS;
  return isWeekday(wallMs + untilWindowMs) ? Math.min(ECB_INTERVAL_MS, untilWindowMs) : ECB_INTERVAL_MS;
};

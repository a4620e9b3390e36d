/** Pages dated with a day only. */
import { addDays, type CalendarDay, wallTimeMs } from "@assay/pricing";
import { FeedError } from "../feed/error.ts";

/**
 * The latest instant at which a page with a date was current: its arrival, or the end of that day in its city. So a page that no
 * longer changes becomes stale instead of looking new at every reading.
 * @param zone an IANA zone
 * @throws FeedError when the day has not begun there
 */
export const withinDay = (zone: string, day: CalendarDay, receivedAtMs: number): number => {
  if (wallTimeMs(zone, day, 0) > receivedAtMs) throw new FeedError("payload", "the page is dated in the future");
  return Math.min(receivedAtMs, wallTimeMs(zone, addDays(day, 1), 0) - 1);
};

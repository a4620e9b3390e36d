/** Pages that are dated by a day alone. */
import { addDays, type CalendarDay, wallTimeMs } from "@assay/pricing";
import { FeedError } from "../feed-error.ts";

/**
 * When a page that bears a day was so, at the latest: on its arrival, or at that day's end in its city. A page that stands still
 * grows old, instead of being taken for new at every reading.
 * @param zone an IANA zone
 * @throws FeedError when the day has not begun there
 */
export const withinDay = (zone: string, day: CalendarDay, receivedAtMs: number): number => {
  if (wallTimeMs(zone, day, 0) > receivedAtMs) throw new FeedError("payload", "the page is dated in the future");
  return Math.min(receivedAtMs, wallTimeMs(zone, addDays(day, 1), 0) - 1);
};

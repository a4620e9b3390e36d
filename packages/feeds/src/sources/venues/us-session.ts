/** When listed options trade in New York. */
import { dayIn, isBusinessDay, NEW_YORK, wallTimeMs } from "@assay/pricing";

const MINUTE_MS = 60_000;
const OPENS_MS = (9 * 60 + 30) * MINUTE_MS;
const CLOSES_MS = 16 * 60 * MINUTE_MS;

/**
 * Whether they do; the few early closes are not known here.
 * @param atMs epoch milliseconds
 */
export const isUsSession = (atMs: number): boolean => {
  const day = dayIn(NEW_YORK, atMs);
  return isBusinessDay(day) && atMs >= wallTimeMs(NEW_YORK, day, OPENS_MS) && atMs <= wallTimeMs(NEW_YORK, day, CLOSES_MS);
};

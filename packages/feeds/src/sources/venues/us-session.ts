/** Trading hours of listed options in New York. */
import { MINUTE_MS } from "@assay/contract";
import { dayIn, isBusinessDay, NEW_YORK, wallTimeMs } from "@assay/pricing";

const OPENS_MS = (9 * 60 + 30) * MINUTE_MS;
const CLOSES_MS = 16 * 60 * MINUTE_MS;

/**
 * Whether they are trading; the few early closes are not known here.
 * @param atMs epoch milliseconds
 */
export const isUsSession = (atMs: number): boolean => {
  const day = dayIn(NEW_YORK, atMs);
  return isBusinessDay(day) && atMs >= wallTimeMs(NEW_YORK, day, OPENS_MS) && atMs <= wallTimeMs(NEW_YORK, day, CLOSES_MS);
};

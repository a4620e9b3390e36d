/** Describes a failing source. */
import { formatTimestamp } from "@assay/contract";
import type { FeedHealthEntry } from "@assay/live";
import { shownError } from "../system/shown.ts";

/** A source is late after twice its interval, as in the status. */
const LATE_FACTOR = 2;

/** What is wrong with a source; null when nothing is, or when it has not run yet. */
export const failureOf = (
  key: string,
  { consecutiveFailures, lastSuccessAtMs, expectedIntervalMs, lastError }: FeedHealthEntry,
  nowMs: number,
): string | null => {
  if (consecutiveFailures > 0) return `${key}: ${shownError(lastError) ?? "does not answer"}`;
  if (lastSuccessAtMs === null || nowMs - lastSuccessAtMs <= LATE_FACTOR * expectedIntervalMs) return null;
  return `${key}: not read since ${formatTimestamp(new Date(lastSuccessAtMs))}`;
};

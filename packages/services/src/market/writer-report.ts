/** The writer's report on its feeds, and what callers may see of it and of the lease. */
import { errorClass, formatTimestamp, type MarketMode } from "@assay/contract";
import { FEEDS_DOCUMENT_KEY, type FeedHealthEntry, type FeedsDocument, type LatestPort } from "@assay/live";

/** Reads the report; null before the first one. */
export const readReport = async (latest: Pick<LatestPort, "get">): Promise<FeedsDocument | null> => {
  const text = await latest.get(FEEDS_DOCUMENT_KEY);
  // Our own writer wrote it in this shape.
  return text === null ? null : (JSON.parse(text) as FeedsDocument);
};

/**
 * Reads where the prices of a service come from: the simulated market, a replay file, or publishers.
 * @returns a function; while the report is unavailable it returns the last known mode, before the first one `live`
 */
export const marketMode = ({ latest }: { readonly latest: Pick<LatestPort, "get"> }): (() => Promise<MarketMode>) => {
  let known: MarketMode = "live";
  return async () => {
    try {
      const report = await readReport(latest);
      if (report) known = report.simulated ? "simulated" : report.replayed ? "replay" : "live";
    } catch {
      // The cache is unavailable; the status document reports it.
    }
    return known;
  };
};

/** A feed is late after twice its interval. */
const LATE_FACTOR = 2;

/** Whether a feed has not succeeded for longer than it may take. */
export const isLate = ({ lastSuccessAtMs, expectedIntervalMs }: FeedHealthEntry, nowMs: number): boolean =>
  lastSuccessAtMs === null || nowMs - lastSuccessAtMs > LATE_FACTOR * expectedIntervalMs;

const CLASS = errorClass("");

/** Shown for an error without a class, as a writer of an earlier version reports it. */
const OTHER = "other";

/** An error as its class; null for none. */
export const shownError = (reported: string | null): string | null =>
  reported === null || CLASS.safeParse(reported).success ? reported : OTHER;

/** What is wrong with a feed, in words; null when nothing is, or when it has not run yet. */
export const failureOf = (key: string, feed: FeedHealthEntry, nowMs: number): string | null => {
  if (feed.consecutiveFailures > 0) return `${key}: ${shownError(feed.lastError) ?? "does not answer"}`;
  if (feed.lastSuccessAtMs === null || !isLate(feed, nowMs)) return null;
  return `${key}: not read since ${formatTimestamp(feed.lastSuccessAtMs)}`;
};

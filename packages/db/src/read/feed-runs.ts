/** Health records of the feeds. */
import { feedRuns } from "../schema/feed-runs.ts";
import type { Store } from "../store.ts";

/** One feed's record, as of its last run. */
export interface FeedRun {
  readonly feed: string;
  readonly lastAttemptAtMs: number;
  readonly lastSuccessAtMs: number | null;
  /** Failures since the last success. */
  readonly consecutiveFailures: number;
  /** Observations refused by a validation rule. */
  readonly rejectedObservations: number;
  readonly lastError: string | null;
}

/** Reads every feed's record, by name. */
export const readFeedRuns = (store: Store): Promise<FeedRun[]> =>
  store.run((db) => db.select().from(feedRuns).orderBy(feedRuns.feed));

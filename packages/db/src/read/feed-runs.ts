/** How the feeds fare. */
import { feedRuns } from "../schema/feed-runs.ts";
import type { Store } from "../store.ts";

/** One feed's record, as its last run left it. */
export interface FeedRun {
  readonly feed: string;
  readonly lastAttemptAtMs: number;
  readonly lastSuccessAtMs: number | null;
  /** Failures since the last success. */
  readonly consecutiveFailures: number;
  /** Observations refused by a rule. */
  readonly rejectedObservations: number;
  readonly lastError: string | null;
}

/** Reads every feed's record, by name. */
export const readFeedRuns = (store: Store): Promise<FeedRun[]> =>
  store.run((db) => db.select().from(feedRuns).orderBy(feedRuns.feed));

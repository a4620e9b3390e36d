/** Writes feed health to the store. */
import { sql } from "drizzle-orm";
import type { FeedRun } from "../read/feed-runs.ts";
import { feedRuns } from "../schema/feed-runs.ts";
import type { Store } from "../store.ts";

/** Overwrites each feed's record. */
export const writeFeedRuns = (store: Store, runs: readonly FeedRun[]): Promise<void> =>
  store.run(async (db) => {
    const distinct = new Map(runs.map((run) => [run.feed, run]));
    if (distinct.size === 0) return;
    await db
      .insert(feedRuns)
      .values([...distinct.values()])
      .onConflictDoUpdate({
        target: feedRuns.feed,
        set: {
          lastAttemptAtMs: sql`excluded.last_attempt_at`,
          lastSuccessAtMs: sql`excluded.last_success_at`,
          consecutiveFailures: sql`excluded.consecutive_failures`,
          rejectedObservations: sql`excluded.rejected_observations`,
          lastError: sql`excluded.last_error`,
        },
      });
  });

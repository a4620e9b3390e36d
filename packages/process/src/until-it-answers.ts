/** Waits for an engine that does not answer yet: a process may be started before its database. */
import { setTimeout as sleep } from "node:timers/promises";
import { StoreUnavailableError } from "@assay/db";
import { type Clock, type Log, Outage } from "@assay/live";

const RETRY_MS = 1_000;

/** How to wait. */
export interface Waiting {
  /** How long to retry, in milliseconds; 0 fails at once. */
  readonly withinMs: number;
  readonly log: Log;
  readonly clock: Clock;
  /** Between two tries; tests pass their own. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Opens an engine, and retries while it does not answer. That is one line in the log when the wait begins and one when it ends.
 * @throws StoreUnavailableError when it does not answer in time
 */
export const untilItAnswers = async <T>(open: () => Promise<T>, { withinMs, log, clock, pause = sleep }: Waiting): Promise<T> => {
  const lines = {
    ...{ fields: { engine: "database" }, begins: "the database is unavailable; waiting for it" },
    ...{ lasts: "the database is still unavailable; waiting for it", ends: "the database is available" },
  };
  const outage = new Outage({ log, clock, lines });
  const startedMs = clock();
  for (;;) {
    try {
      const opened = await open();
      outage.recovered();
      return opened;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || clock() - startedMs >= withinMs) throw error;
      outage.failed({ reason: error.message });
      await pause(RETRY_MS);
    }
  }
};

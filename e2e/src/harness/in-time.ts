/** Starts services with a schedule of events that is fixed before they run. */
import type { Service } from "./service.ts";

/** How far in the future the schedule starts, on successive attempts. */
const AHEAD_MS = [15_000, 30_000, 60_000, 120_000];

/** A service, and when the first event is due that a test wants to observe. */
export interface Started {
  readonly service: Service;
  readonly dueMs: number;
}

/**
 * Starts a service, and retries with a later schedule when a slow machine has already passed the first event.
 * @param start schedules the first event `aheadMs` after it is called
 * @param needMs how much time must be left once it serves
 */
export const startInTime = async <T extends Started>(start: (aheadMs: number) => Promise<T>, needMs: number): Promise<T> => {
  for (const aheadMs of AHEAD_MS) {
    const started = await start(aheadMs);
    if (started.dueMs - Date.now() >= needMs) return started;
    await started.service.stop("SIGKILL");
    console.info(`the start took too long for what was due in ${aheadMs} ms; trying with more`);
  }
  throw new Error("this machine is too slow for a market with a future");
};

/** Starts of services whose future is fixed before they run. */
import type { Service } from "./service.ts";

/** How far ahead the future is laid, in turn. */
const AHEAD_MS = [25_000, 60_000, 120_000];

/** A service, and when the first thing falls due that a test wants to see come. */
export interface Started {
  readonly service: Service;
  readonly dueMs: number;
}

/**
 * Starts a service, and again with more time ahead when the machine was so slow that what was to come has come.
 * @param start lays the future `aheadMs` ahead of the moment it is called
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

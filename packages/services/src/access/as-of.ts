/** The 15-minute delay: the one place that decides which instant a caller sees. */
import type { Caller } from "../context.ts";

/**
 * The instant a caller may see.
 * @param caller the caller
 * @param nowMs now, epoch milliseconds
 * @returns now for paid tiers, 15 minutes earlier for free and keyless callers
 */
export const asOf = (caller: Pick<Caller, "reach">, nowMs: number): number => nowMs - caller.reach.delayMs;

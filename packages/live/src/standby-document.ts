/** When a writer that stands by last reached the database: who leads without it can hand over. */
import type { Clock, Live } from "./ports.ts";

const STANDBY_KEY = "standby";

/** Says that this process could write, if it held the lease. */
export const announceStandby = async ({ latest }: Pick<Live, "latest">, nowMs: number): Promise<void> => {
  await latest.put(STANDBY_KEY, String(nowMs), { token: 0, atMs: nowMs });
};

/**
 * Whether a writer that could write stands by.
 * @param withinMs how long ago it may have said so
 */
export const hasStandby = async ({ latest }: Pick<Live, "latest">, clock: Clock, withinMs: number): Promise<boolean> => {
  const text = await latest.get(STANDBY_KEY);
  return text !== null && clock() - Number(text) <= withinMs;
};

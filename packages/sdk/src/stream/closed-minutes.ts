/** Fetches the bars of a missed time. */
import type { BarsResource } from "../generated/resources/bars.ts";
import type { StreamSymbol } from "../generated/stream.ts";
import type { Bar } from "../generated/types.ts";

const MINUTE_MS = 60_000;
/** A day of minutes: readers should fetch a longer gap themselves, at an interval of their choice. */
const MOST_MINUTES = 1_440;

/**
 * Fetches the closed minutes of a time range.
 * @param fromMs its start, epoch milliseconds; includes the minute it falls in
 * @param toMs its end
 * @returns oldest first; for more than a day, the newest
 * @throws the errors of `bars.list`
 */
export const closedMinutes = async (
  bars: BarsResource,
  symbol: StreamSymbol,
  fromMs: number,
  toMs: number,
  signal: AbortSignal,
): Promise<readonly Bar[]> => {
  const from = new Date(Math.floor(fromMs / MINUTE_MS) * MINUTE_MS);
  const to = new Date(Math.max(toMs, fromMs));
  const list = bars.list({ symbol, interval: "1m", from, to, limit: MOST_MINUTES, closedOnly: true }, { signal });
  return (await list.toArray({ limit: MOST_MINUTES })).reverse();
};

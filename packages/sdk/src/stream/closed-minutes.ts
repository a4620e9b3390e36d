/** The bars of a time that was missed. */
import type { BarsResource } from "../generated/resources/bars.ts";
import type { StreamSymbol } from "../generated/stream.ts";
import type { Bar } from "../generated/types.ts";

const MINUTE_MS = 60_000;
/** A day of minutes: a longer gap is better asked for by its reader, at an interval of their choice. */
const MOST_MINUTES = 1_440;

/**
 * Asks for the closed minutes of a time.
 * @param fromMs its beginning, epoch milliseconds; the minute it lies in belongs to it
 * @param toMs its end
 * @returns oldest first; of more than a day the newest
 * @throws whatever `bars.list` does
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

/** The event of a gap, and on request the closed minutes of the time it missed. */
import type { Logger } from "../core/options.ts";
import type { BarsResource } from "../generated/resources/bars.ts";
import type { StreamSymbol } from "../generated/stream.ts";
import type { Bar } from "../generated/types.ts";
import type { GapEvent } from "./events.ts";
import { isSymbol } from "./options.ts";
import type { GapItem } from "./queue.ts";

const MINUTE_MS = 60_000;
/** A day of minutes: readers should fetch a longer gap themselves, at an interval of their choice. */
const MOST_MINUTES = 1_440;

/** The closed minutes of a time range, with the one it starts in, oldest first; for more than a day, the newest. */
const closedMinutes = async (
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

/**
 * The event of a gap without bars.
 * @param item the gap
 */
export const plainGap = ({ name, fromSeq, toSeq, reason }: GapItem): GapEvent => ({
  type: "gap",
  symbol: name,
  fromSeq,
  toSeq,
  reason,
  bars: null,
  barsError: null,
});

/**
 * The event of a gap with its minutes. A failure to fetch them does not end the stream.
 * @param item the gap
 * @param signal aborts the request
 */
export const filledGap = async (item: GapItem, bars: BarsResource, logger: Logger, signal: AbortSignal): Promise<GapEvent> => {
  const { name, sinceMs, untilMs } = item;
  if (!isSymbol(name)) return plainGap(item);
  if (sinceMs === null) {
    const reason = "The time of the last tick before the gap is unknown; pass its computedAt together with its seq in resume";
    return { ...plainGap(item), barsError: new Error(reason) };
  }
  try {
    return { ...plainGap(item), bars: await closedMinutes(bars, name, sinceMs, untilMs, signal) };
  } catch (error) {
    const barsError = error instanceof Error ? error : new Error(String(error));
    logger.warn(`Failed to load the bars of a gap in ${name}: ${barsError.message}`);
    return { ...plainGap(item), barsError };
  }
};

/** Builds gap events, with the minutes of the missed time when requested and available. */
import type { Logger } from "../core/logger.ts";
import type { BarsResource } from "../generated/resources/bars.ts";
import { STREAM_SYMBOLS, type StreamSymbol } from "../generated/stream.ts";
import { closedMinutes } from "./closed-minutes.ts";
import type { GapEvent, StreamName } from "./events.ts";
import type { GapItem } from "./items.ts";

const symbolNames: ReadonlySet<string> = new Set(STREAM_SYMBOLS);
const isSymbol = (name: StreamName): name is StreamSymbol => symbolNames.has(name);

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

/** Bars grown from ticks: one series and interval at a time, all times UTC. */
import { type DecimalText, INTERVAL_MS, type Interval } from "@assay/contract";
import { addDecimalText, compareDecimalText } from "./scaled.ts";
import type { BarRow } from "./spot-price.ts";

/** The sources of bars that are grown from ticks; any other names who reported or imported them. */
export const TICK_SOURCES = ["composed", "simulated"] as const;

/** Whether a bar was grown from ticks. */
export const isGrown = ({ sourceId }: Pick<BarRow, "sourceId">): boolean => TICK_SOURCES.some((source) => source === sourceId);

/**
 * The start of the bar an instant falls into.
 * @param ms the instant, epoch milliseconds
 * @param interval the bar's length; a day begins at UTC midnight
 */
export const bucketStart = (ms: number, interval: Interval): number => {
  const length = INTERVAL_MS[interval];
  return Math.floor(ms / length) * length;
};

/** The first instant after a bar. */
export const barEnd = (bar: Pick<BarRow, "barStartMs" | "interval">): number => bar.barStartMs + INTERVAL_MS[bar.interval];

/** What a bar takes in of a tick. */
export interface BarTick {
  readonly atMs: number;
  readonly price: DecimalText;
  /** Traded since the last tick; left out for spot. */
  readonly volume?: DecimalText | null;
}

/** Which series a bar belongs to. */
export interface BarSeries {
  readonly symbol: string;
  readonly interval: Interval;
  /** The feed or import it comes from, or `composed`. */
  readonly sourceId: string;
}

/** What a tick did to a series. */
export interface BarStep {
  /** The bar that was forming, when the tick belongs to a later one. */
  readonly closed?: BarRow;
  readonly forming: BarRow;
}

/**
 * The sum of two volumes, exact; an absent one adds nothing.
 * @returns null only when both are absent
 */
export const addVolume = (a: DecimalText | null, b: DecimalText | null): DecimalText | null =>
  a === null ? b : b === null ? a : addDecimalText(a, b);

const open = (tick: BarTick, series: BarSeries, barStartMs: number): BarRow => ({
  symbol: series.symbol,
  interval: series.interval,
  barStartMs,
  open: tick.price,
  high: tick.price,
  low: tick.price,
  close: tick.price,
  volume: tick.volume ?? null,
  isClosed: false,
  sourceId: series.sourceId,
});

/**
 * Takes one tick into a series. Intervals without a tick have no bar.
 * @param forming the bar that is forming, null when there is none
 * @param tick the tick; one from before the forming bar changes nothing
 * @param series what a new bar is called
 * @returns the bar forming now, and the one the tick closed, if any
 */
export const applyTick = (forming: BarRow | null, tick: BarTick, series: BarSeries): BarStep => {
  const start = bucketStart(tick.atMs, series.interval);
  if (!forming) return { forming: open(tick, series, start) };
  if (start < forming.barStartMs) return { forming };
  if (start > forming.barStartMs) return { closed: { ...forming, isClosed: true }, forming: open(tick, series, start) };
  return {
    forming: {
      ...forming,
      high: compareDecimalText(tick.price, forming.high) > 0 ? tick.price : forming.high,
      low: compareDecimalText(tick.price, forming.low) < 0 ? tick.price : forming.low,
      close: tick.price,
      volume: addVolume(forming.volume, tick.volume ?? null),
    },
  };
};

/**
 * Closes a bar whose time is over, tick or no tick.
 * @param forming the bar that is forming
 * @param nowMs now
 * @returns the closed bar from its end on; null before, or when none is forming
 */
export const closeDue = (forming: BarRow | null, nowMs: number): BarRow | null =>
  forming && nowMs >= barEnd(forming) ? { ...forming, isClosed: true } : null;

/** Bars as stored, and how ticks are folded into them, one symbol and interval at a time; all times UTC. */
import { type DecimalText, INTERVAL_MS, type Interval } from "@assay/contract";
import { addDecimalText, compareDecimalText } from "../number/scaled.ts";

/** OHLCV over [barStartMs, barStartMs + interval); a stored row, plain data that processes can exchange. */
export interface BarRow {
  readonly symbol: string;
  readonly interval: Interval;
  readonly barStartMs: number;
  /** Null, as high and low are, for a bar of which only the close is known: an imported series of closes. */
  readonly open: DecimalText | null;
  readonly high: DecimalText | null;
  readonly low: DecimalText | null;
  readonly close: DecimalText;
  /** Null for spot series. */
  readonly volume: DecimalText | null;
  readonly isClosed: boolean;
  /** The feed or import it came from, or `composed`. */
  readonly sourceId: string;
}

/** A bar of which all four prices are known. */
export type WholeBar = BarRow & Readonly<Record<"open" | "high" | "low", DecimalText>>;

type Figure = DecimalText | null;

/** Whether two figures are equal, whatever their digits; an unknown one equals only another. */
export const isSameFigure = (a: Figure, b: Figure): boolean =>
  a === null || b === null ? a === b : compareDecimalText(a, b) === 0;

/** The higher of two prices; null when one is unknown. */
export const higherOf = (a: Figure, b: Figure): Figure =>
  a === null || b === null ? null : compareDecimalText(a, b) < 0 ? b : a;

/** The lower of two prices; null when one is unknown. */
export const lowerOf = (a: Figure, b: Figure): Figure => (a === null || b === null ? null : compareDecimalText(a, b) > 0 ? b : a);

/** Sources of bars made from ticks; any other source reported or imported its bars. */
export const TICK_SOURCES = ["composed", "simulated"] as const;

export const isGrown = ({ sourceId }: Pick<BarRow, "sourceId">): boolean => TICK_SOURCES.some((source) => source === sourceId);

/**
 * The start of the bar that contains an instant.
 * @param ms the instant, epoch milliseconds
 * @param interval the bar's length; days begin at UTC midnight
 */
export const bucketStart = (ms: number, interval: Interval): number => {
  const length = INTERVAL_MS[interval];
  return Math.floor(ms / length) * length;
};

/** The first instant after a bar. */
export const barEnd = (bar: Pick<BarRow, "barStartMs" | "interval">): number => bar.barStartMs + INTERVAL_MS[bar.interval];

export interface BarTick {
  readonly atMs: number;
  readonly price: DecimalText;
  /** Volume since the last tick; omitted for spot. */
  readonly volume?: DecimalText | null;
}

export interface BarSeries {
  readonly symbol: string;
  readonly interval: Interval;
  /** The feed or import it comes from, or `composed`. */
  readonly sourceId: string;
}

/** The result of folding a tick into a series. */
export interface BarStep {
  /** The previous forming bar, now closed, when the tick belongs to a later one. */
  readonly closed?: BarRow;
  readonly forming: BarRow;
}

/**
 * The exact sum of two volumes; an absent one adds nothing.
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
 * Folds one tick into a series. Intervals without a tick have no bar.
 * @param forming the forming bar, null when there is none
 * @param tick the tick; ignored when it is from before the forming bar
 * @param series identity of new bars
 * @returns the forming bar, and the one the tick closed, if any
 */
export const applyTick = (forming: BarRow | null, tick: BarTick, series: BarSeries): BarStep => {
  const start = bucketStart(tick.atMs, series.interval);
  if (!forming) return { forming: open(tick, series, start) };
  if (start < forming.barStartMs) return { forming };
  if (start > forming.barStartMs) return { closed: { ...forming, isClosed: true }, forming: open(tick, series, start) };
  return {
    forming: {
      ...forming,
      high: higherOf(forming.high, tick.price),
      low: lowerOf(forming.low, tick.price),
      close: tick.price,
      volume: addVolume(forming.volume, tick.volume ?? null),
    },
  };
};

/**
 * Closes a bar whose interval has ended, with or without a tick.
 * @returns the closed bar from its end on; null before, or when none is forming
 */
export const closeDue = (forming: BarRow | null, nowMs: number): BarRow | null =>
  forming && nowMs >= barEnd(forming) ? { ...forming, isClosed: true } : null;

/**
 * Validation rules for complete bars, reported by a source or imported from a file; and each series' plausible prices by
 * period.
 */
import { catalogue, spotSymbol } from "@assay/catalogue";
import { type DecimalText, INTERVAL_MS, type Interval } from "@assay/contract";
import type { DailySymbol } from "../conventions/symbols.ts";
import { compareDecimalText, isDecimalText } from "../number/scaled.ts";
import { PASSED, refused, type Verdict } from "../readings/validation.ts";
import { bucketStart } from "./bar.ts";

export type BarRule =
  /** A figure that is not a plain decimal. */
  | "malformed"
  /** A price that is not above zero, or a volume below zero. */
  | "not_positive"
  /** A price of a billion or more, or a volume too large for archives. */
  | "too_large"
  /** A high below the open, close or low, or a low above one of them. */
  | "inconsistent"
  /** A start that is not aligned to its interval in UTC. */
  | "misaligned"
  /** A start in the future. */
  | "from_the_future";

export interface BarFigures {
  readonly interval: Interval;
  readonly barStartMs: number;
  /** Null, as high and low are, when only the close is known. */
  readonly open: DecimalText | null;
  readonly high: DecimalText | null;
  readonly low: DecimalText | null;
  readonly close: DecimalText;
  readonly volume: DecimalText | null;
}

const PRICES = ["open", "high", "low", "close"] as const;
/** Values that must be within low and high; includes low itself, so that it is not above high. */
const WITHIN = ["open", "close", "low"] as const;
const NOT_ZERO = /[1-9]/;
/**
 * Digits before the decimal point; archives store 12 for a price and 29 for a volume, some of which are reserved for sums and
 * rounding.
 */
const PRICE_DIGITS = 9;
const VOLUME_DIGITS = 20;

/** Whether an unsigned figure has more digits before its point, ignoring leading zeros. */
const isLonger = (text: DecimalText, digits: number): boolean =>
  text.length > digits && (/^0*([0-9]*)/.exec(text)?.[1]?.length ?? 0) > digits;

/**
 * Validates a bar against every rule.
 * @returns ok, or the first rule it breaks
 */
export const validateBar = (bar: BarFigures, nowMs: number): Verdict<BarRule> => {
  const { high, low, volume } = bar;
  for (const name of PRICES) {
    const text = bar[name];
    if (text === null) continue;
    if (!isDecimalText(text)) return refused("malformed", `${name} ${JSON.stringify(text)}`);
    if (text.startsWith("-") || !NOT_ZERO.test(text)) return refused("not_positive", `${name} ${text}`);
    if (isLonger(text, PRICE_DIGITS)) return refused("too_large", `${name} ${text}`);
  }
  if (volume !== null) {
    if (!isDecimalText(volume)) return refused("malformed", `volume ${JSON.stringify(volume)}`);
    if (volume.startsWith("-") && NOT_ZERO.test(volume)) return refused("not_positive", `volume ${volume}`);
    if (isLonger(volume, VOLUME_DIGITS)) return refused("too_large", `volume ${volume}`);
  }
  if ((high === null) !== (low === null) || (high === null) !== (bar.open === null)) {
    return refused("inconsistent", "open, high and low are known together or not at all");
  }
  for (const name of WITHIN) {
    const text = bar[name];
    if (text === null || high === null || low === null) continue;
    if (compareDecimalText(text, high) > 0) return refused("inconsistent", `${name} ${text} above high ${high}`);
    if (compareDecimalText(text, low) < 0) return refused("inconsistent", `${name} ${text} below low ${low}`);
  }
  if (!Number.isInteger(bar.barStartMs) || bucketStart(bar.barStartMs, bar.interval) !== bar.barStartMs) {
    return refused("misaligned", `${bar.barStartMs} is no multiple of ${INTERVAL_MS[bar.interval]} ms`);
  }
  if (bar.barStartMs > nowMs) return refused("from_the_future", `starts ${bar.barStartMs - nowMs} ms ahead`);
  return PASSED;
};

/** Bounds, and the period they apply to. */
export interface PriceBounds {
  /** USD per the series' unit, inclusive. */
  readonly low: DecimalText;
  readonly high: DecimalText;
  /** Epoch milliseconds; until is exclusive. */
  readonly fromMs: number;
  readonly untilMs: number;
}

const PLAUSIBLE = new Map([
  ...catalogue.instruments.map(({ barSymbol, plausible }) => [barSymbol, plausible] as const),
  ...catalogue.dailyMetals.map((metal) => [spotSymbol(metal.code), metal] as const),
]);

/**
 * The plausible prices of a series at a moment.
 * @param atMs epoch milliseconds
 * @returns the bounds of its period; those of the first period for anything earlier
 * @throws RangeError when there is no such series
 */
export const priceBoundsAt = (symbol: DailySymbol, atMs: number): PriceBounds => {
  const plausible = PLAUSIBLE.get(symbol);
  if (!plausible) throw new RangeError(`the catalogue has no series ${symbol}`);
  const { bounds, periods = [[1700, bounds.low, bounds.high]] } = plausible;
  const startOf = (year: number | undefined): number => (year === undefined ? Number.POSITIVE_INFINITY : Date.UTC(year, 0, 1));
  const place = Math.max(
    periods.findLastIndex(([year]) => startOf(year) <= atMs),
    0,
  );
  const [year, low, high] = periods[place] ?? [undefined, bounds.low, bounds.high];
  return { low, high, fromMs: place === 0 ? Number.NEGATIVE_INFINITY : startOf(year), untilMs: startOf(periods[place + 1]?.[0]) };
};

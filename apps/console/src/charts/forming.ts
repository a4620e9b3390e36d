/** Bars as a live price moves them: the forming one grows, and a new one begins when its time comes. */
import type { Wire } from "@assay/sdk/trpc";
import { higher, lower } from "../figures/exact.ts";

export const INTERVAL_MS = {
  "1m": 60_000,
  "5m": 300_000,
  "15m": 900_000,
  "30m": 1_800_000,
  "1h": 3_600_000,
  "2h": 7_200_000,
  "4h": 14_400_000,
  "1d": 86_400_000,
} as const;
export type Interval = keyof typeof INTERVAL_MS;

interface PricePoint {
  readonly price: string;
  readonly atMs: number;
}

const startOf = (atMs: number, lengthMs: number): string =>
  new Date(Math.floor(atMs / lengthMs) * lengthMs).toISOString().replace(".000Z", "Z");

const grown = (bar: Wire.Bar, price: string): Wire.Bar => ({
  ...bar,
  high: bar.high === null ? price : higher(bar.high, price),
  low: bar.low === null ? price : lower(bar.low, price),
  close: price,
});

/**
 * The newest bar after a price; a price older than the newest bar changes nothing.
 * @param newest the newest bar known; it is forming unless closed
 * @returns the bar the price belongs to, figures as published; null when it belongs to an earlier one, or a closed one
 */
export const formingBar = (newest: Wire.Bar | undefined, { price, atMs }: PricePoint, interval: Interval): Wire.Bar | null => {
  const start = startOf(atMs, INTERVAL_MS[interval]);
  if (newest === undefined || start > newest.bar_start)
    return { bar_start: start, open: price, high: price, low: price, close: price, volume: null, is_closed: false };
  return start === newest.bar_start && !newest.is_closed ? grown(newest, price) : null;
};

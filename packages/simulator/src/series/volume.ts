/** Simulated volume in whole units, so that shorter ranges always add up to the longer one. */
import { LIVELINESS } from "../path/frame.ts";
import { noiseKey, shareAt } from "../path/noise.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../path/tree.ts";
import type { Series } from "./series.ts";

/** The volume of one series under one seed. */
export interface Trade {
  readonly first: number;
  readonly perYear: number;
  /** Separate noise for each length, since a day, an hour, a minute and a second may start together. */
  readonly keys: Readonly<Record<"day" | "hour" | "minute" | "second", number>>;
}

/**
 * The volume of a series.
 * @returns null for series without volume
 */
export const tradeOf = (series: Series, seed: number): Trade | null =>
  series.volume && {
    ...series.volume,
    keys: {
      day: noiseKey(seed, `${series.symbol} day`),
      hour: noiseKey(seed, `${series.symbol} hour`),
      minute: noiseKey(seed, `${series.symbol} minute`),
      second: noiseKey(seed, `${series.symbol} second`),
    },
  };

/**
 * Units of a whole that fall into its first parts, each part by its own noise and weight.
 * @param whole units to distribute
 * @param parts number of parts
 * @param taken number of leading parts to sum up
 * @param start the second the first part begins at
 * @param spacing seconds between parts
 * @param weights of the parts; defaults to equal
 */
const firstParts = (
  key: number,
  whole: number,
  parts: number,
  taken: number,
  start: number,
  spacing: number,
  weights?: readonly number[],
): number => {
  if (taken === 0) return 0;
  if (taken === parts) return whole;
  let before = 0;
  let all = 0;
  for (let part = 0; part < parts; part++) {
    all += (0.25 + shareAt(key, start + part * spacing)) * (weights?.[part] ?? 1);
    if (part === taken - 1) before = all;
  }
  return Math.floor((whole * before) / all);
};

const YEAR_1996 = Date.UTC(1996, 0, 1) / 86_400_000;

const dayVolume = (trade: Trade, day: number): number =>
  Math.floor((trade.first + (trade.perYear * (day - YEAR_1996)) / 365.25) * (0.6 + 0.8 * shareAt(trade.keys.day, day)));

/** Units traded from the start of a day until one of its seconds, 0 to 86 400. */
const tradedBefore = (trade: Trade, day: number, second: number): number => {
  const { keys } = trade;
  const midnight = day * DAY_SECONDS;
  const hour = Math.floor(second / HOUR_SECONDS);
  const minute = Math.floor((second % HOUR_SECONDS) / 60);
  const total = dayVolume(trade, day);
  const hourFrom = firstParts(keys.hour, total, 24, hour, midnight, HOUR_SECONDS, LIVELINESS);
  if (second % HOUR_SECONDS === 0) return hourFrom;
  const inHour = firstParts(keys.hour, total, 24, hour + 1, midnight, HOUR_SECONDS, LIVELINESS) - hourFrom;
  const hourStart = midnight + hour * HOUR_SECONDS;
  const minuteFrom = firstParts(keys.minute, inHour, 60, minute, hourStart, 60);
  if (second % 60 === 0) return hourFrom + minuteFrom;
  const inMinute = firstParts(keys.minute, inHour, 60, minute + 1, hourStart, 60) - minuteFrom;
  return hourFrom + minuteFrom + firstParts(keys.second, inMinute, 60, second % 60, hourStart + minute * 60, 1);
};

/**
 * Units traded in the seconds of [from, to).
 * @param from seconds since 1970-01-01
 * @returns a whole number; adjacent ranges add up
 */
export const tradedIn = (trade: Trade, from: number, to: number): number => {
  let units = 0;
  for (let start = from; start < to; ) {
    const day = Math.floor(start / DAY_SECONDS);
    const end = Math.min(to, (day + 1) * DAY_SECONDS);
    units += tradedBefore(trade, day, end - day * DAY_SECONDS) - tradedBefore(trade, day, start - day * DAY_SECONDS);
    start = end;
  }
  return units;
};

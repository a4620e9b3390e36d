/** The series of the simulated market: how each moves, when it trades, and how much of it. */
import { catalogue, type InstrumentRow, spotSymbol } from "@assay/catalogue";
import { DAY_MS } from "@assay/contract";
import { type DailySymbol, type Instrument, type MarketState, marketStateAt, type Venue } from "@assay/pricing";
import { noiseKey, shareAt } from "../path/noise.ts";
import { LIVELINESS, openedPaths, openPath, type Path, type PathShape } from "../path/path.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../path/tree.ts";
import { activeContractFactor, metalAnchors, ouncesPerShare, simulatedMetal } from "./levels.ts";

export interface Series {
  /** An instrument of the composition, or a series of daily closes. */
  readonly instrument: Instrument;
  readonly symbol: DailySymbol;
  readonly metal: string;
  /** Where it trades, which sets its hours. */
  readonly venue: Venue;
  readonly decimals: number;
  /** Half the spread, in bps of the price. */
  readonly halfSpreadBps: number;
  /** The factor from the metal to this series on a UTC day; none for spot. */
  readonly basis: ((day: number) => number) | null;
  /** Units traded per day in 1996, and how many more each year; null where no volume is known. */
  readonly volume: { readonly first: number; readonly perYear: number } | null;
  /** The first UTC day with bars. */
  readonly firstDay: number;
}

const FIRST_DAY = Date.UTC(1996, 0, 1) / DAY_MS;

const spot = (metal: string): Series => {
  const instrument = spotSymbol(metal);
  const { decimals, half_spread_bps: halfSpreadBps } = simulatedMetal(metal);
  const common = { venue: "metals", basis: null, volume: null, firstDay: FIRST_DAY } as const;
  return { instrument, symbol: instrument, metal, decimals, halfSpreadBps, ...common };
};

/** What is traded of a series whose row does not say. */
const UNKNOWN_VOLUME = { first: 1_000, per_year: 100 };

const derived = ({ instrument, kind, barSymbol, metal }: InstrumentRow): Series => {
  const { code, futures } = metal;
  const fund = kind === "fund" ? catalogue.rows.funds.find((row) => row.code === instrument)?.simulated : undefined;
  const { decimals, half_spread_bps, volume } = fund ?? futures?.simulated ?? { ...simulatedMetal(code), volume: UNKNOWN_VOLUME };
  const startsOn = fund && Date.parse(`${fund.first_day}T00:00:00Z`) / DAY_MS;
  return {
    instrument,
    symbol: barSymbol,
    metal: code,
    venue: kind === "fund" ? "fund" : "metals",
    decimals,
    halfSpreadBps: half_spread_bps,
    basis: fund ? ouncesPerShare(fund) : kind === "futures" ? (day) => activeContractFactor(code, day) : null,
    volume: { first: volume.first, perYear: volume.per_year },
    firstDay: startsOn ?? FIRST_DAY,
  };
};

const SERIES: readonly Series[] = [
  ...[...catalogue.spotMetals, ...catalogue.dailyMetals].map(({ code }) => spot(code)),
  ...catalogue.instruments.filter(({ kind }) => kind !== "spot").map(derived),
];

const BY_NAME = new Map<string, Series>(
  SERIES.flatMap((series) => [series.symbol, series.instrument].map((name) => [name, series])),
);

/**
 * The series of an instrument or of a bar symbol.
 * @throws RangeError when there is none of that name
 */
export const seriesOf = (name: Instrument | DailySymbol): Series => {
  const series = BY_NAME.get(name);
  if (!series) throw new RangeError(`the simulated market has no series ${name}`);
  return series;
};

/** Gold leads; the others are partly correlated with it. */
const shapeOf = (metal: string): PathShape => {
  const { volatility, follows } = simulatedMetal(metal);
  const leader = follows && { follows: { name: follows.metal, share: follows.share } };
  return { name: metal, yearlyVolatility: volatility, ...leader };
};

/** How far futures and funds deviate from their metal within the day, relative to the metal's own movement. */
const OWN_SHARE = 0.03;

const openSeries = (series: Series, seed: number): Path => {
  const shape = shapeOf(series.metal);
  const metal = openPath(shape, metalAnchors(series.metal), seed);
  if (!series.basis) return metal;
  const own = openPath({ ...shape, wobble: { name: series.symbol, size: OWN_SHARE } }, metal.anchors, seed);
  return { ...own, basis: { of: metal, factor: series.basis } };
};

const opened = openedPaths();

export const pathOf = (series: Series, seed: number): Path => opened(series.instrument, seed, () => openSeries(series, seed));

/** `always` never closes; `market` follows the real hours and holidays, in history as well. */
export type SimulatedHours = "always" | "market";

/** A trading interval, [fromMs, toMs). */
export interface OpenSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Whether the simulated market trades at an instant: the metals, or the fund in the hours of its exchange. */
export const isTrading = (hours: SimulatedHours, atMs: number, venue: Venue): boolean =>
  hours === "always" || marketStateAt(atMs, venue).open;

/**
 * Returns a reader of trading hours that computes each interval once, for queries in ascending order.
 * @returns a function that gives the parts of [fromMs, toMs) in which the market trades
 */
export const openSpans = (hours: SimulatedHours, venue: Venue): ((fromMs: number, toMs: number) => readonly OpenSpan[]) => {
  if (hours === "always") return (fromMs, toMs) => [{ fromMs, toMs }];
  let state: MarketState = { open: false, sinceMs: 0, nextChangeMs: 0 };
  return (fromMs, toMs) => {
    const spans: OpenSpan[] = [];
    for (let atMs = fromMs; atMs < toMs; atMs = state.nextChangeMs) {
      if (atMs < state.sinceMs || atMs >= state.nextChangeMs) state = marketStateAt(atMs, venue);
      if (state.open) spans.push({ fromMs: atMs, toMs: Math.min(toMs, state.nextChangeMs) });
    }
    return spans;
  };
};

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

const dayVolume = (trade: Trade, day: number): number =>
  Math.floor((trade.first + (trade.perYear * (day - FIRST_DAY)) / 365.25) * (0.6 + 0.8 * shareAt(trade.keys.day, day)));

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

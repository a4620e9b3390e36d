/** When a file's bars start: each once, as far apart as their interval says, and how many are missing or in closed hours. */
import { DAY_MS, INTERVAL_MS, INTERVALS, type Interval } from "@assay/contract";
import { bucketStart, type DailySymbol, type MarketState, marketStateAt, sessionOf, utcDay, type Venue } from "@assay/pricing";
import { coarserIntervals } from "../stored-bars.ts";

/** Starts per page: 45 days of minutes in eight kilobytes. */
const PAGE = 65_536;

export class StartSet {
  readonly #lengthMs: number;
  readonly #pages = new Map<number, Uint8Array>();

  /** @param lengthMs the interval's length; starts are whole multiples of it */
  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  /** Adds a start. @returns whether it is new */
  add(startMs: number): boolean {
    const index = startMs / this.#lengthMs;
    const number = Math.floor(index / PAGE);
    const page = this.#pages.get(number) ?? new Uint8Array(PAGE / 8);
    this.#pages.set(number, page);
    const place = index - number * PAGE;
    const byte = page[place >> 3] ?? 0;
    const bit = 1 << (place & 7);
    page[place >> 3] = byte | bit;
    return (byte & bit) === 0;
  }

  /** Yields every start, oldest first. */
  forEach(take: (startMs: number) => void): void {
    for (const number of [...this.#pages.keys()].sort((a, b) => a - b)) {
      const page = this.#pages.get(number) ?? new Uint8Array();
      for (const [at, byte] of page.entries()) {
        for (let bits = byte, place = at * 8; bits !== 0; bits >>= 1, place += 1) {
          if (bits & 1) take((number * PAGE + place) * this.#lengthMs);
        }
      }
    }
  }
}

/** From this many bars on, a complete lack of adjacent bars is no coincidence. */
const TELLING_ROWS = 5;
/** One adjacent pair in this many gaps is enough: thin markets have holes, weekly bars have no neighbours. */
const FEWEST_SHARE = 20;

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
];

const lengthText = (ms: number): string => {
  const [unitMs, name] = UNITS.find(([each]) => ms % each === 0) ?? [1_000, "s"];
  return `${ms / unitMs}${name}`;
};

/**
 * Checks the spacing of bars.
 * @returns what is wrong; null when most are spaced by the interval
 */
export const spacingFault = (starts: StartSet, interval: Interval): string | null => {
  const gaps = new Map<number, number>();
  let rows = 0;
  let previousMs = Number.NaN;
  starts.forEach((startMs) => {
    if (rows > 0) gaps.set(startMs - previousMs, (gaps.get(startMs - previousMs) ?? 0) + 1);
    previousMs = startMs;
    rows += 1;
  });
  if (rows < TELLING_ROWS || (gaps.get(INTERVAL_MS[interval]) ?? 0) * FEWEST_SHARE >= rows - 1) return null;
  const [gapMs = 0, times = 0] = [...gaps].sort((a, b) => b[1] - a[1])[0] ?? [];
  const apparent = INTERVALS.find((each) => INTERVAL_MS[each] === gapMs);
  const isMonthly = gapMs >= 28 * DAY_MS && gapMs <= 31 * DAY_MS;
  const unknown = isMonthly ? "figures of months are averages, and no bars of a day" : "there is no such interval";
  const advice = apparent ? `if they are ${apparent} bars, pass --interval ${apparent}` : unknown;
  return (
    `the spacing check failed: most of its ${rows} bars lie ${lengthText(gapMs)} apart (${times} of ${rows - 1} gaps), ` +
    `but --interval is ${interval}; ${advice}`
  );
};

/** A period without bars. */
interface Hole {
  readonly fromMs: number;
  readonly untilMs: number;
  /** How many bars are missing. */
  readonly bars: number;
}

/** The counts. */
export interface Continuity {
  /** Bars entirely in closed hours; null when the market's hours are unknown. */
  readonly closedHourBars: number | null;
  /** Bars missing between the first and the last, while the market is open. */
  readonly missingBars: number;
  readonly holes: number;
  readonly longest: Hole | null;
  /** Coarser intervals whose first or last bar the file covers only in part. */
  readonly partialFirst: readonly Interval[];
  readonly partialLast: readonly Interval[];
}

/** Looks up the market's state at mostly rising instants, recomputing only when it changes. */
const stateReader = (): ((ms: number) => MarketState) => {
  let state: MarketState = { open: false, sinceMs: Number.NEGATIVE_INFINITY, nextChangeMs: Number.NEGATIVE_INFINITY };
  let readMs = Number.POSITIVE_INFINITY;
  return (ms) => {
    if (ms < readMs || ms >= state.nextChangeMs) state = marketStateAt(ms);
    readMs = ms;
    return state;
  };
};

/** Daily bars are named by their date: a day with a session has one. */
const hasSession = (ms: number, venue: Venue): boolean => sessionOf(venue, utcDay(ms)) !== null;

/** Buckets at least partly within open hours, in a range of starts. */
const openBuckets = (fromMs: number, untilMs: number, interval: Interval, venue: Venue): number => {
  const lengthMs = INTERVAL_MS[interval];
  let count = 0;
  if (interval === "1d") {
    for (let ms = fromMs; ms < untilMs; ms += DAY_MS) if (hasSession(ms, venue)) count += 1;
    return count;
  }
  let nextMs = fromMs;
  while (nextMs < untilMs) {
    const { open, nextChangeMs } = marketStateAt(nextMs, venue);
    if (open) {
      const buckets = Math.ceil((Math.min(nextChangeMs, untilMs) - nextMs) / lengthMs);
      count += buckets;
      nextMs += buckets * lengthMs;
      continue;
    }
    if (nextChangeMs >= untilMs) break;
    nextMs = bucketStart(nextChangeMs, interval);
    // A bucket that starts in closed hours may still be open before its end, and then counts.
    if (nextMs === nextChangeMs) continue;
    count += 1;
    nextMs += lengthMs;
  }
  return count;
};

/** Counts gaps and closed-hours bars. */
export const continuityOf = (starts: StartSet, symbol: DailySymbol, interval: Interval): Continuity => {
  const lengthMs = INTERVAL_MS[interval];
  const venue = symbol === "GLD" ? "fund" : "metals";
  // Files of the fund may have bars of the trading before and after its exchange's hours.
  const isKnown = venue === "metals" || interval === "1d";
  const stateAt = stateReader();
  let [closedHourBars, missingBars, holes] = [0, 0, 0];
  let longest: Hole | null = null;
  let [firstMs, untilMs] = [Number.NaN, Number.NaN];
  const isClosedAt = (ms: number): boolean => {
    if (venue === "fund") return !hasSession(ms, venue);
    const { open, nextChangeMs } = stateAt(ms);
    return !open && nextChangeMs >= ms + lengthMs;
  };
  const leaveOut = (fromMs: number, toMs: number): void => {
    const bars = openBuckets(fromMs, toMs, interval, venue);
    if (bars === 0) return;
    missingBars += bars;
    holes += 1;
    if (bars > (longest?.bars ?? 0)) longest = { fromMs, untilMs: toMs, bars };
  };
  starts.forEach((startMs) => {
    if (Number.isNaN(firstMs)) firstMs = startMs;
    else if (isKnown && startMs > untilMs) leaveOut(untilMs, startMs);
    if (isKnown && isClosedAt(startMs)) closedHourBars += 1;
    untilMs = startMs + lengthMs;
  });
  const coarser = Number.isNaN(firstMs) ? [] : coarserIntervals(interval);
  return {
    closedHourBars: isKnown ? closedHourBars : null,
    missingBars,
    holes,
    longest,
    partialFirst: coarser.filter((each) => openBuckets(bucketStart(firstMs, each), firstMs, interval, venue) > 0),
    partialLast: coarser.filter((each) => {
      const lastMs = bucketStart(untilMs - 1, each);
      return openBuckets(untilMs, lastMs + INTERVAL_MS[each], interval, venue) > 0;
    }),
  };
};

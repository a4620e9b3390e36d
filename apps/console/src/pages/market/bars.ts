/**
 * What the chart is drawn from: bars in dollars, of the shared document or of the tier, whose newest moves with the live price;
 * in another currency or weight the daily closes of `/v1/series`.
 */
import type { Wire } from "@assay/sdk/trpc";
import { computed } from "@preact/signals";
import { formingBar, INTERVAL_MS, type Interval } from "../../charts/forming.ts";
import { isAsking } from "../../data/access.ts";
import { type Answer, useAnswer } from "../../data/answers.ts";
import { choice } from "../../data/choices.ts";
import { tick } from "../../data/live.ts";
import { DAILY_DEPTH_DAYS, hasIntraday } from "../../data/tiers.ts";
import { cross, interval, isInBars, metal, series, weighed } from "./choices.ts";
import type { MarketView } from "./market-view.ts";
import { MOST, RANGES, type Range, shownRange, startMs } from "./ranges.ts";

const EVERY_SECONDS = 60;
/** A series gains a point a day. */
const SERIES_EVERY_SECONDS = 3_600;

/** How far back; empty for the usual range of the interval. */
export const range = choice<Range | "">("", "range", RANGES, "");

export const shape = choice<"candles" | "line">("", "shape", ["candles", "line"], "candles");

export interface Series {
  /** Oldest first, the forming one last. */
  readonly bars: readonly Wire.Bar[];
  /** What daily closes in a currency are made of, by their day; null for bars. */
  readonly made: ReadonlyMap<string, Wire.SeriesPoint> | null;
  readonly interval: Interval;
  readonly symbol: string;
  readonly isComplete: boolean;
}

/** The course, and how asking for it went. */
export interface Course extends Pick<Answer<unknown>, "error" | "askAgain"> {
  readonly series: Series | null;
  readonly interval: Interval;
  readonly range: Range;
}

/** The interval of the chart: closes in a currency are daily, and so is everything below Pro. */
export const lengthFor = (view: MarketView): Interval => (isInBars.value && hasIntraday(view.tier) ? interval.value : "1d");

const dayOf = (instantMs: number): string => new Date(instantMs).toISOString().slice(0, 10);

/** A minute's beginning, so that what is asked for is the same while a page is drawn again. */
const nowOf = (length: Interval): number => {
  const step = Math.min(INTERVAL_MS[length], 3_600_000);
  return Math.ceil(Date.now() / step) * step;
};

/** The window that bars of a range are asked for. */
export const barsWindow = (reach: Range, length: Interval) => {
  const nowMs = nowOf(length);
  return { from: new Date(startMs(reach, nowMs)).toISOString(), to: new Date(nowMs).toISOString() };
};

/** The days that closes of a range are asked for. */
export const daysWindow = (reach: Range) => {
  const nowMs = Date.now();
  return { from: dayOf(startMs(reach, nowMs)), to: dayOf(nowMs) };
};

const useBarsPage = (symbol: string, length: Interval, reach: Range, isWanted: boolean): Answer<Wire.BarsPage> =>
  useAnswer(
    ["bars", symbol, length, reach],
    (api, options) => api.bars.list.query({ symbol, interval: length, ...barsWindow(reach, length), limit: MOST }, options),
    { everySeconds: EVERY_SECONDS, isWanted },
  );

const useSeriesPage = (symbol: string, unit: string, reach: Range, isWanted: boolean): Answer<Wire.SeriesPage> =>
  useAnswer(
    ["series", symbol, unit, reach],
    (api, options) => api.series.list.query({ symbol, unit, ...daysWindow(reach), limit: MOST }, options),
    { everySeconds: SERIES_EVERY_SECONDS, isWanted },
  );

const asBar = ({ date, price }: Wire.SeriesPoint): Wire.Bar => ({
  bar_start: `${date}T00:00:00Z`,
  open: null,
  high: null,
  low: null,
  close: price,
  volume: null,
  is_closed: true,
});

/** Each answer is turned once: the chart draws again what is another object. */
const turned = new WeakMap<object, Series>();

const turn = <T extends object>(answer: T | undefined, into: (answer: T) => Series): Series | null => {
  if (answer === undefined) return null;
  const found = turned.get(answer) ?? into(answer);
  turned.set(answer, found);
  return found;
};

/** A page of bars as a course. */
export const ofBars =
  (symbol: string, length: Interval) =>
  ({ bars, meta }: Wire.BarsPage): Series => ({
    ...{ bars: bars.toReversed(), made: null, interval: length, symbol },
    isComplete: meta.complete !== false,
  });

/** A page of daily closes as a course. */
export const ofDays = ({ symbol, points, meta }: Wire.SeriesPage): Series => ({
  bars: points.map(asBar).reverse(),
  made: new Map(points.map((point) => [point.date, point])),
  interval: "1d",
  symbol,
  isComplete: meta.complete !== false,
});

/** Where the page is made of the shared document, the chart in dollars is too. */
const isInDocument = computed(() => !isAsking.value && isInBars.value);

export const useCourse = (view: MarketView): Course => {
  const length = lengthFor(view);
  const reach = shownRange(range.value === "" ? null : range.value, length, DAILY_DEPTH_DAYS[view.tier]);
  const isKnown = view.row !== undefined && view.isTierKnown;
  const symbol = series.value;
  const bars = useBarsPage(symbol, length, reach, isKnown && isInBars.value && isAsking.value);
  const days = useSeriesPage(cross.value, weighed.value, reach, isKnown && !isInBars.value);
  const course = { interval: length, range: reach };
  if (isInDocument.value) {
    const found = view.document?.bars.find((one) => one.symbol === symbol);
    const shown = turn(found, ({ bars: newestFirst, complete }) => ({
      ...{ bars: newestFirst.toReversed(), made: null, interval: "1d", symbol },
      isComplete: complete,
    }));
    return { ...course, series: shown, error: view.error, askAgain: view.askAgain };
  }
  const { data: page, error, askAgain } = isInBars.value ? bars : days;
  const shown = isInBars.value ? turn(bars.data, ofBars(symbol, length)) : turn(days.data, ofDays);
  return { ...course, series: shown, error: page === undefined ? error : null, askAgain };
};

/** The newest bar including the newest price; null when there is none to add. */
export const newestBar = ({ bars, made, interval: length, symbol }: Series, { row, price }: MarketView): Wire.Bar | null => {
  if (made !== null) {
    // The line ends at the price that stands above it.
    if (price === undefined || row?.computed_at === undefined || row.symbol !== metal.value) return null;
    const day = row.computed_at.slice(0, 10);
    return made.has(day) ? null : { ...asBar({ date: day, price, usd_close: "", fx_rate: "", fx_date: day }), is_closed: false };
  }
  const newest = tick.value;
  return newest === null || newest.symbol !== symbol ? null : formingBar(bars.at(-1), newest, length);
};

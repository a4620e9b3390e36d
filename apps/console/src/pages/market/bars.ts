/** The bars of the chart: those of the shared document, or of the tier; the newest moves with the live price. */
import type { Wire } from "@assay/sdk/trpc";
import { formingBar, INTERVAL_MS, type Interval } from "../../charts/forming.ts";
import { type Answer, useAnswer } from "../../data/answers.ts";
import { DAILY_DEPTH_DAYS } from "../../data/depth.ts";
import { key } from "../../data/key.ts";
import { tick } from "../../data/live.ts";
import { interval, series } from "./choices.ts";
import type { MarketView } from "./market-view.ts";

const DAY_MS = 86_400_000;
/** Bars in one chart. */
const COUNT = 500;
const EVERY_SECONDS = 60;

/** Bars for the chart. */
export interface Series {
  /** Oldest first, the forming one last. */
  readonly bars: readonly Wire.Bar[];
  readonly interval: Interval;
  /** Which series this is: the view of the chart stays as long as it does. */
  readonly name: string;
  readonly isComplete: boolean;
}

const windowOf = (length: Interval, depthDays: number | null): { readonly from: string; readonly to: string } => {
  const now = Date.now();
  const reach = COUNT * INTERVAL_MS[length];
  // A day less than the tier allows: the window may not begin before its first whole day.
  const reachMs = depthDays === null ? reach : Math.min(reach, (depthDays - 1) * DAY_MS);
  return { from: new Date(now - reachMs).toISOString(), to: new Date(now).toISOString() };
};

const usePage = (view: MarketView, symbol: string, length: Interval): Answer<Wire.BarsPage> =>
  useAnswer(
    ["bars", symbol, length, view.tier],
    (api, options) => {
      const reach = windowOf(length, length === "1d" ? DAILY_DEPTH_DAYS[view.tier] : 30);
      return api.bars.list.query({ symbol, interval: length, ...reach, limit: COUNT }, options);
    },
    { everySeconds: EVERY_SECONDS, isWanted: key.value !== null && view.row !== undefined },
  );

/** The bars, and how asking for them went. */
export interface ChartBars extends Pick<Answer<unknown>, "error" | "askAgain"> {
  readonly series: Series | null;
}

/** Follows the bars of the chosen series. */
export const useBars = (view: MarketView): ChartBars => {
  const symbol = series.value;
  const isKeyed = key.value !== null;
  const length = isKeyed ? interval.value : "1d";
  const name = `${symbol} ${length}`;
  const { data, error, askAgain } = usePage(view, symbol, length);
  if (!isKeyed) {
    const found = view.document?.bars.find((one) => one.symbol === symbol);
    return {
      series: found === undefined ? null : { bars: found.bars.toReversed(), interval: "1d", name, isComplete: found.complete },
      ...{ error: view.error, askAgain: view.askAgain },
    };
  }
  return {
    series:
      data === undefined
        ? null
        : { bars: data.bars.toReversed(), interval: length, name, isComplete: data.meta.complete !== false },
    ...{ error, askAgain },
  };
};

/** The newest bar including the newest live price; null when there is none to add. */
export const liveBar = ({ bars, interval: length, name }: Series): Wire.Bar | null => {
  const newest = tick.value;
  if (newest === null || !name.startsWith(`${newest.symbol} `)) return null;
  return formingBar(bars.at(-1), newest, length);
};

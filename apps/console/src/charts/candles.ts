/** Candles of a series, its newest bar moving. */
import type { Wire } from "@assay/sdk/trpc";
import { CandlestickSeries, createChart, type IChartApi, type ISeriesApi, type UTCTimestamp } from "lightweight-charts";
import type { Interval } from "./forming.ts";
import { common, onScheme, property } from "./theme.ts";

/** A drawn chart. */
export interface Candles {
  /** Shows bars, oldest first; the view is fitted when the series is another one. */
  show(bars: readonly Wire.Bar[], interval: Interval, isOther: boolean): void;
  /** Moves or adds the newest bar. */
  grow(bar: Wire.Bar): void;
  close(): void;
}

/** A chart places bars by number; every figure that is read is text. */
const geometry = ({ bar_start, open, high, low, close }: Wire.Bar) => ({
  time: (Date.parse(bar_start) / 1_000) as UTCTimestamp, // seconds, as the chart wants them
  ...{ open: Number(open), high: Number(high), low: Number(low), close: Number(close) },
});

const isWhole = ({ open, high, low, close }: Wire.Bar): boolean =>
  open !== null && high !== null && low !== null && close !== null;

const colours = () => ({
  upColor: property("up"),
  downColor: property("down"),
  wickUpColor: property("up"),
  wickDownColor: property("down"),
  borderVisible: false,
  priceLineColor: property("accent"),
  // The price stands above the chart, as published; a label here would be the chart's own rounding.
  lastValueVisible: false,
});

/** How many bars are in view at first. */
const IN_VIEW = 120;

/**
 * Draws a chart.
 * @param place an element with a height
 * @param onHover receives the start of the bar under the pointer, in epoch seconds; null when there is none
 */
export const drawCandles = (place: HTMLElement, onHover: (startSeconds: number | null) => void): Candles => {
  const chart: IChartApi = createChart(place, common());
  const series: ISeriesApi<"Candlestick"> = chart.addSeries(CandlestickSeries, colours());
  chart.subscribeCrosshairMove(({ time }) => onHover(typeof time === "number" ? time : null));
  const stop = onScheme(() => {
    chart.applyOptions(common());
    series.applyOptions(colours());
  });
  return {
    show: (bars, interval, isOther) => {
      const data = bars.filter(isWhole).map(geometry);
      series.setData(data);
      chart.timeScale().applyOptions({ timeVisible: interval !== "1d", secondsVisible: false });
      if (isOther)
        chart.timeScale().setVisibleLogicalRange({ from: data.length - Math.min(IN_VIEW, data.length) - 1, to: data.length + 2 });
    },
    grow: (bar) => {
      if (isWhole(bar)) series.update(geometry(bar));
    },
    close: () => {
      stop();
      chart.remove();
    },
  };
};

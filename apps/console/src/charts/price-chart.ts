/** The course of a price: candles where bars are known, a line where only closes are; its newest point moves. */
import type { Wire } from "@assay/sdk/trpc";
import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  type DeepPartial,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type ISeriesPrimitive,
  LineSeries,
  LineStyle,
  type SeriesMarker,
  TickMarkType,
  type Time,
  type TimeChartOptions,
  type UTCTimestamp,
} from "lightweight-charts";
import { calendarDay, clockMinute, dayAndTime, dayOfMonth, monthText, shortDay, yearText } from "../figures/moments.ts";
import { direction } from "../text/text.ts";
import type { Drawn } from "../ui/drawing.tsx";
import type { Interval } from "./forming.ts";
import { levelMarks, type MarkedLevel } from "./level-marks.ts";
import { type Movement, movement } from "./movement.ts";
import { common, onScheme, property } from "./theme.ts";

/** A price that an alert waits for. */
export interface Level extends MarkedLevel {
  /** Decimal text, in the money and weight of the chart. */
  readonly price: string;
  /** What is waited for, in words, which stand below the chart. */
  readonly text: string;
}

export interface PriceChartData {
  /** Oldest first, the forming one last. */
  readonly bars: readonly Wire.Bar[];
  /** The newest bar as the live price moves it; null when there is none to add. */
  readonly newest: Wire.Bar | null;
  readonly interval: Interval;
  readonly shape: "candles" | "line";
  /** The zone of the axis, for intervals shorter than a day. */
  readonly timeZone: string;
  /** Starts of the bars that were corrected, in epoch milliseconds. */
  readonly corrected: ReadonlySet<number>;
  /** Prices that alerts wait for. */
  readonly levels: readonly Level[];
  /** Which series and range this is: the view of the chart stays as long as it does. */
  readonly name: string;
}

const secondsOf = ({ bar_start }: Wire.Bar): UTCTimestamp => (Date.parse(bar_start) / 1_000) as UTCTimestamp; // as the chart wants them

/** A chart places bars by number; every figure that is read is text. */
const candle = (bar: Wire.Bar) => ({
  time: secondsOf(bar),
  // Of some bars only the close is known: they are a line.
  open: Number(bar.open ?? bar.close),
  high: Number(bar.high ?? bar.close),
  low: Number(bar.low ?? bar.close),
  close: Number(bar.close),
});
const point = (bar: Wire.Bar) => ({ time: secondsOf(bar), value: Number(bar.close) });

const isDrawn = ({ close }: Wire.Bar): boolean => close !== null;

/** The price stands above the chart, as published; a label here would be the chart's own rounding. */
const shared = () => ({ priceLineColor: property("accent"), lastValueVisible: false });

const candleColours = () => ({
  ...shared(),
  upColor: property("up"),
  downColor: property("down"),
  wickUpColor: property("up"),
  wickDownColor: property("down"),
  borderVisible: false,
});
const lineColours = () => ({ ...shared(), color: property("accent-strong"), lineWidth: 2 as const, crosshairMarkerRadius: 4 });

const marksOf = (bars: readonly Wire.Bar[], corrected: ReadonlySet<number>): SeriesMarker<Time>[] =>
  bars
    .filter((bar) => isDrawn(bar) && corrected.has(Date.parse(bar.bar_start)))
    .map((bar) => ({ time: secondsOf(bar), position: "aboveBar", shape: "arrowDown", color: property("warn"), size: 1 }));

/** A dashed line at the price of an alert. */
const lineOf = ({ price }: Level) => ({
  price: Number(price),
  color: property("soft"),
  lineWidth: 1 as const,
  lineStyle: LineStyle.Dashed,
  axisLabelVisible: false,
});

/** A series of one shape, and how it is filled. */
interface Curve {
  readonly series: ISeriesApi<"Candlestick"> | ISeriesApi<"Line">;
  readonly marks: ISeriesMarkersPluginApi<Time>;
  readonly set: (bars: readonly Wire.Bar[]) => void;
  readonly update: (bar: Wire.Bar) => void;
  readonly colour: () => void;
}

const candles = (chart: IChartApi): Curve => {
  const series = chart.addSeries(CandlestickSeries, candleColours());
  return {
    series,
    marks: createSeriesMarkers(series as ISeriesApi<"Candlestick", Time>, []),
    set: (bars) => series.setData(bars.map(candle)),
    update: (bar) => series.update(candle(bar)),
    colour: () => series.applyOptions(candleColours()),
  };
};

const line = (chart: IChartApi): Curve => {
  const series = chart.addSeries(LineSeries, lineColours());
  return {
    series,
    marks: createSeriesMarkers(series as ISeriesApi<"Line", Time>, []),
    set: (bars) => series.setData(bars.map(point)),
    update: (bar) => series.update(point(bar)),
    colour: () => series.applyOptions(lineColours()),
  };
};

/** Every point of ours has its time in seconds. */
const msOf = (time: Time): number => Number(time) * 1_000;
const dayOf = (time: Time): string => new Date(msOf(time)).toISOString().slice(0, 10);

const dayMark = (time: Time, type: TickMarkType): string => {
  if (type === TickMarkType.Year) return yearText(dayOf(time));
  return type === TickMarkType.Month ? monthText(dayOf(time)) : shortDay(dayOf(time));
};

/** How the axis writes instants: days of UTC for daily points, otherwise times of the chosen zone. */
const instants = (interval: Interval, timeZone: string): DeepPartial<TimeChartOptions> => {
  const isDaily = interval === "1d";
  const form = { timeZone };
  const timeMark = (time: Time, type: TickMarkType): string =>
    type >= TickMarkType.Time ? clockMinute(msOf(time), form) : dayOfMonth(msOf(time), form);
  return {
    localization: { timeFormatter: (time: Time) => (isDaily ? calendarDay(dayOf(time)) : dayAndTime(msOf(time), form)) },
    timeScale: { timeVisible: !isDaily, secondsVisible: false, tickMarkFormatter: isDaily ? dayMark : timeMark },
  };
};

/** Room around the lines of a picture, and their height. */
const EDGE_PX = 16;
const LINE_PX = 22;

/**
 * A picture to keep: what the reader sees, with what it shows written above.
 * @param chart its screenshot, in the pixels of the screen
 * @param lines the title first
 * @returns a PNG
 */
const pictureOf = (chart: HTMLCanvasElement, lines: readonly string[]): Promise<Blob> => {
  const scale = devicePixelRatio;
  const headPx = (lines.length * LINE_PX + EDGE_PX) * scale;
  const sheet = document.createElement("canvas");
  sheet.width = chart.width;
  sheet.height = chart.height + headPx;
  const pen = sheet.getContext("2d");
  if (pen === null) throw new Error("no canvas");
  pen.fillStyle = property("raised");
  pen.fillRect(0, 0, sheet.width, sheet.height);
  pen.scale(scale, scale);
  const widthPx = sheet.width / scale;
  pen.direction = direction.value;
  const startPx = pen.direction === "rtl" ? widthPx - EDGE_PX : EDGE_PX;
  lines.forEach((line, at) => {
    pen.font = `${at === 0 ? 600 : 400} ${at === 0 ? 16 : 13}px ${property("sans")}`;
    pen.fillStyle = property(at === 0 ? "ink" : "soft");
    pen.fillText(line, startPx, (at + 1) * LINE_PX, widthPx - 2 * EDGE_PX);
  });
  pen.resetTransform();
  pen.drawImage(chart, 0, headPx);
  return new Promise((resolve, reject) => {
    sheet.toBlob((blob) => (blob === null ? reject(new Error("no picture")) : resolve(blob)), "image/png");
  });
};

/** What is said of a chart as the reader uses it. */
export interface PriceChartEvents {
  /** Receives the start of the bar under the pointer, in epoch seconds; null when there is none. */
  readonly onHover: (startSeconds: number | null) => void;
  /** Called, maybe often, while the reader asks for what is older than the oldest bar. */
  readonly onPast: () => void;
  /** Receives the starts of the first and the last bar in sight, in epoch seconds. */
  readonly onView: (view: readonly [fromSeconds: number, toSeconds: number] | null) => void;
}

export interface PriceDrawing extends Drawn<PriceChartData>, Omit<Movement, "close" | "showAll"> {
  /** What is in sight, as a PNG with these lines above it. */
  picture(lines: readonly string[]): Promise<Blob>;
}

/** This chart has a past to move into: it stops at its ends, so that no part of it is ever empty, and the wheel zooms. */
const options = () => {
  const shared = common();
  return {
    ...shared,
    timeScale: { ...shared.timeScale, fixLeftEdge: true, fixRightEdge: true },
    handleScroll: { ...shared.handleScroll, mouseWheel: true },
    handleScale: { ...shared.handleScale, mouseWheel: true },
  };
};

/**
 * Draws a chart.
 * @param place an element with a height
 */
export const drawPrices = (place: HTMLElement, { onHover, onPast, onView }: PriceChartEvents): PriceDrawing => {
  const chart = createChart(place, options());
  const { showAll, close: leave, ...moves } = movement(chart, place, onPast);
  let curve: Curve | null = null;
  let shown: PriceChartData | null = null;
  let lines: readonly IPriceLine[] = [];
  let numbers: ISeriesPrimitive<Time> | null = null;
  const drawLevels = (levels: readonly Level[]): void => {
    if (curve === null) return;
    const { series } = curve;
    for (const one of lines) series.removePriceLine(one);
    if (numbers !== null) series.detachPrimitive(numbers);
    lines = levels.map((level) => series.createPriceLine(lineOf(level)));
    numbers = levels.length === 0 ? null : levelMarks(series, levels);
    if (numbers !== null) series.attachPrimitive(numbers);
  };
  chart.subscribeCrosshairMove(({ time }) => onHover(typeof time === "number" ? time : null));
  chart
    .timeScale()
    .subscribeVisibleTimeRangeChange((range) => onView(range === null ? null : [Number(range.from), Number(range.to)]));
  const stop = onScheme(() => {
    chart.applyOptions(options());
    curve?.colour();
    if (shown === null) return;
    curve?.marks.setMarkers(marksOf(shown.bars, shown.corrected));
    drawLevels(shown.levels);
  });
  return {
    ...moves,
    picture: (words) => pictureOf(chart.takeScreenshot(), words),
    show: (data) => {
      const { bars, newest, interval, shape, name, corrected, levels, timeZone } = data;
      const before = shown;
      shown = data;
      if (curve === null || before?.shape !== shape) {
        drawLevels([]);
        if (curve !== null) chart.removeSeries(curve.series);
        curve = shape === "line" ? line(chart) : candles(chart);
      }
      const isNew = before?.shape !== shape || before.name !== name || before.bars !== bars;
      if (isNew) curve.set(bars.filter(isDrawn));
      if (isNew || before.corrected !== corrected) curve.marks.setMarkers(marksOf(bars, corrected));
      if (before?.shape !== shape || before.levels !== levels) drawLevels(levels);
      if (before?.timeZone !== timeZone || before.interval !== interval) chart.applyOptions(instants(interval, timeZone));
      if (newest !== null && isDrawn(newest)) curve.update(newest);
      if (before?.name !== name) showAll();
    },
    close: () => {
      stop();
      leave();
      chart.remove();
    },
  };
};

/** A line over days to expiry: the forward curve, or what carrying costs. */
import { createYieldCurveChart, LineSeries, type Time } from "lightweight-charts";
import { text } from "../text/text.ts";
import type { Drawn } from "../ui/drawing.tsx";
import { common, onScheme, property, withRoom } from "./theme.ts";

/** A point of the line; its figure is published text, placed by number. */
export interface TenorPoint {
  readonly days: number;
  readonly figure: string;
}

const DAYS_A_MONTH = 30.44;
/** A year and a little. */
const RANGE_DAYS = 380;

/** A length of time as traders write it: `spot`, `3M`. */
const tenorText = (days: number): string => {
  const months = Math.round(days / DAYS_A_MONTH);
  const { spotTenor, tenorDays, tenorMonths } = text().curve;
  return days <= 0 ? spotTenor : months === 0 ? tenorDays({ count: days }) : tenorMonths({ count: months });
};

const colours = () => ({
  priceScaleId: "right",
  color: property("accent-strong"),
  lineWidth: 2 as const,
  pointMarkersVisible: true,
  pointMarkersRadius: 4,
  lastValueVisible: false,
  priceLineVisible: false,
});

export const drawTenors = async (place: HTMLElement): Promise<Drawn<readonly TenorPoint[]>> => {
  const options = () => {
    const { localization, ...others } = common();
    return {
      ...others,
      localization: { ...localization, timeFormatter: tenorText },
      leftPriceScale: { visible: false },
      rightPriceScale: { visible: true, borderVisible: false },
      yieldCurve: { baseResolution: 1, minimumTimeRange: RANGE_DAYS, startTimeRange: 0 },
    };
  };
  const chart = createYieldCurveChart(place, options());
  const line = chart.addSeries(LineSeries, colours());
  const showDays = withRoom(chart.timeScale());
  const stop = onScheme(() => {
    chart.applyOptions(options());
    line.applyOptions(colours());
  });
  return {
    show: (points) => {
      line.setData(points.map(({ days, figure }) => ({ time: days as never as Time & number, value: Number(figure) }))); // days, on an axis of days
      showDays(0, points.at(-1)?.days ?? RANGE_DAYS);
    },
    close: () => {
      stop();
      chart.remove();
    },
  };
};

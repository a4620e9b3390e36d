/** A distribution over prices: the chance of ending above each price, and where the probability lies. */
import { AreaSeries, createOptionsChart, LineSeries } from "lightweight-charts";
import { percentText, shown } from "../figures/digits.ts";
import type { Drawn } from "../ui/drawing.tsx";
import { common, onScheme, property, withRoom } from "./theme.ts";

/** A strike of a surface: its price as published, the chance above it from 0 to 1. */
export interface Strike {
  readonly strike: string;
  readonly above: number;
}

interface Point {
  readonly time: number;
  readonly value: number;
}

/** Probability per unit of price between neighbouring strikes: the shape of the density, not a published figure. */
const densityOf = (strikes: readonly Strike[]): readonly Point[] =>
  strikes.slice(1).flatMap((right, index) => {
    const left = strikes[index];
    if (left === undefined) return [];
    const [from, to] = [Number(left.strike), Number(right.strike)];
    return to > from ? [{ time: (from + to) / 2, value: Math.max(0, (left.above - right.above) / (to - from)) }] : [];
  });

const chanceColours = () => ({ color: property("ink"), lineWidth: 2 as const, lastValueVisible: false, priceLineVisible: false });

const densityColours = () => ({
  lineColor: property("accent-strong"),
  topColor: `${property("accent-strong")}66`,
  bottomColor: `${property("accent-strong")}0a`,
  lineWidth: 1 as const,
  lastValueVisible: false,
  priceLineVisible: false,
});

const percent = (share: number): string => percentText(String(Math.round(share * 100)));

export const drawDistribution = async (place: HTMLElement): Promise<Drawn<readonly Strike[]>> => {
  const options = () => {
    const { localization, ...others } = common();
    return { ...others, localization: { precision: 0, ...localization } };
  };
  const chart = createOptionsChart(place, options());
  // The library writes strikes without the reader's separators, and has no option for it.
  const axis = chart.horzBehaviour();
  axis.formatHorzItem = (strike) => shown(String(strike));
  axis.formatTickmark = (mark) => shown(String(mark.originalTime)); // a strike;
  // Its own scale, without figures: only its shape is read.
  const density = chart.addSeries(AreaSeries, { ...densityColours(), priceScaleId: "density" });
  const chance = chart.addSeries(LineSeries, {
    ...chanceColours(),
    priceFormat: {
      type: "custom",
      minMove: 0.01,
      formatter: percent,
      tickmarksFormatter: (shares: number[]) => shares.map(percent),
    },
  });
  chart.priceScale("density").applyOptions({ scaleMargins: { top: 0.15, bottom: 0 } });
  chart.priceScale("right").applyOptions({ scaleMargins: { top: 0.08, bottom: 0.02 } });
  chart.applyOptions({ localization: { tickmarksPriceFormatter: (shares: number[]) => shares.map(percent) } });
  const showPoints = withRoom(chart.timeScale());
  const stop = onScheme(() => {
    const { localization: _, ...others } = options();
    chart.applyOptions(others);
    density.applyOptions(densityColours());
    chance.applyOptions(chanceColours());
  });
  return {
    show: (strikes) => {
      density.setData([...densityOf(strikes)]);
      chance.setData(strikes.map(({ strike, above }) => ({ time: Number(strike), value: above })));
      // Both lines have points of their own, alternating.
      showPoints(0, 2 * strikes.length - 2);
    },
    close: () => {
      stop();
      chart.remove();
    },
  };
};

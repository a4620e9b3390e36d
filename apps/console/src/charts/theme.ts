/**
 * What every chart has: colours and type from the page's own properties, so that both follow the system's scheme, and room at
 * the ends of its axis.
 */
import {
  ColorType,
  CrosshairMode,
  type DeepPartial,
  type ITimeScaleApi,
  type LayoutOptions,
  LineStyle,
} from "lightweight-charts";
import { shown } from "../figures/digits.ts";

export const property = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Calls back when the system's colour scheme changes; returns how to stop. */
export const onScheme = (call: () => void): (() => void) => {
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", call);
  return () => scheme.removeEventListener("change", call);
};

const layout = (): DeepPartial<LayoutOptions> => ({
  background: { type: ColorType.Solid, color: property("raised") },
  textColor: property("soft"),
  fontFamily: property("sans"),
  fontSize: 12,
  // The logo would bring a style element that the page's policy refuses; the notice is in the footer.
  attributionLogo: false,
});

/** Marks of an axis: round numbers of the chart's own, not published figures. */
const marks = (prices: readonly number[]): string[] => {
  const [first = 0, second = first] = prices;
  const step = Math.abs(second - first);
  const decimals = step === 0 || step >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(step)));
  return prices.map((price) => shown(price.toFixed(decimals)));
};

/** Options that every chart shares. */
export const common = () => ({
  autoSize: true,
  layout: layout(),
  grid: { vertLines: { visible: false }, horzLines: { color: property("line-soft") } },
  crosshair: {
    mode: CrosshairMode.Magnet,
    vertLine: { color: property("soft"), style: LineStyle.Dotted, labelBackgroundColor: property("ink-label") },
    horzLine: { visible: false, labelVisible: false },
  },
  rightPriceScale: { borderVisible: false },
  // A year of days fits on a phone; a window that grows shows no more days than before, and leaves none of its width empty.
  timeScale: { borderColor: property("line"), minBarSpacing: 0.05, lockVisibleTimeRangeOnResize: true },
  localization: { tickmarksPriceFormatter: marks },
  // A page is scrolled by wheel and by finger; the chart moves along its own axis only.
  handleScroll: { mouseWheel: false, pressedMouseMove: true, horzTouchDrag: true, vertTouchDrag: false },
  handleScale: { mouseWheel: false, pinch: true, axisPressedMouseMove: true },
});

/** Half of the widest label, and a little. */
const ROOM_PX = 34;

/**
 * Keeps the room as the chart's size changes.
 * @returns shows the points from one index to another
 */
export const withRoom = <Time>(axis: ITimeScaleApi<Time>): ((first: number, last: number) => void) => {
  let ends: readonly [first: number, last: number] | null = null;
  const fit = (): void => {
    const inner = axis.width() - 2 * ROOM_PX;
    if (ends === null || inner <= 0) return;
    const [first, last] = ends;
    const margin = ((last - first) * ROOM_PX) / inner;
    axis.setVisibleLogicalRange({ from: first - margin, to: last + margin });
  };
  axis.subscribeSizeChange(fit);
  return (first, last) => {
    ends = [first, last];
    fit();
  };
};

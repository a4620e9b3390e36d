/** Colours and type of the charts, read from the page's own properties, so that both follow the system's scheme. */
import { ColorType, CrosshairMode, type DeepPartial, type LayoutOptions, LineStyle } from "lightweight-charts";
import { shown } from "../ui/figure.tsx";

/** A custom property of the page. */
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
  // A year of days fits on a phone.
  timeScale: { borderColor: property("line"), minBarSpacing: 0.05 },
  localization: { tickmarksPriceFormatter: marks },
  // A page is scrolled by wheel and by finger; the chart moves along its own axis only.
  handleScroll: { mouseWheel: false, pressedMouseMove: true, horzTouchDrag: true, vertTouchDrag: false },
  handleScale: { mouseWheel: false, pinch: true, axisPressedMouseMove: true },
});

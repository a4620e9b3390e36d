/** The market: the price large, how it moved, what it is made of, and what it is worth in other amounts. */
import { useEffect } from "preact/hooks";
import { streamed } from "../../data/catalogue.ts";
import { key } from "../../data/key.ts";
import { follow, unfollow } from "../../data/live.ts";
import { text } from "../../text/text.ts";
import { AsCall } from "../../ui/call.tsx";
import { barsWindow, type Course, daysWindow, useCourse } from "./bars.ts";
import { ChartPanel } from "./chart-panel.tsx";
import { conversion, cross, isInBars, isPublished, series, symbol, weighed } from "./choices.ts";
import { ConverterPanel } from "./converter-panel.tsx";
import { KaratPanel } from "./karat-panel.tsx";
import { useMarketView } from "./market-view.ts";
import { PricePanel } from "./price-panel.tsx";
import { MOST } from "./ranges.ts";
import { SourcesPanel } from "./sources-panel.tsx";

const STREAMED = streamed("sse");

/** A call that lists something, by its path and with the SDK. */
const listing = (resource: "bars" | "series", question: Readonly<Record<string, string>>) => {
  const asked = Object.entries(question);
  return {
    path: `v1/${resource}?${asked.map(([name, value]) => `${name}=${value}`).join("&")}&limit=${MOST}`,
    sdk: `assay.${resource}.list({ ${asked.map(([name, value]) => `${name}: "${value}"`).join(", ")}, limit: ${MOST} })`,
    isOpen: true,
  };
};

/** The call behind the chart. */
const courseCall = ({ interval, range }: Course) =>
  isInBars.value
    ? {
        what: text().calls.bars,
        ...listing("bars", { symbol: series.value, interval, ...barsWindow(range, interval) }),
      }
    : {
        what: text().calls.closes,
        ...listing("series", { symbol: cross.value, unit: weighed.value, ...daysWindow(range) }),
      };

const rowCall = (what: string, name: string) => ({
  what,
  path: `v1/spot/${name}?include=all`,
  sdk: `assay.spot.get("${name}", { include: ["all"] })`,
  isOpen: true,
});

const conversionCall = (what: string) => {
  const { from, to, amount, unit } = conversion.value;
  return {
    what,
    path: `v1/convert?from=${from}&to=${to}&amount=${amount}&unit=${unit}`,
    sdk: `assay.convert.get({ from: "${from}", to: "${to}", amount: "${amount}", unit: "${unit}" })`,
    isOpen: true,
  };
};

/** The calls behind the price: a row or a conversion, and the row in dollars, which alone has the sources. */
const priceCalls = () => {
  const { calls } = text();
  const [row, dollars] = [symbol.value, series.value];
  if (isPublished.value && row === dollars) return [rowCall(calls.price, row)];
  return [
    isPublished.value ? rowCall(calls.priceAlone, row) : conversionCall(calls.priceAlone),
    ...(isPublished.value || row === dollars ? [] : [rowCall(calls.dayAndKarats, row)]),
    rowCall(calls.sourcesInDollars, dollars),
  ];
};

const calls = (course: Course) => [
  ...priceCalls(),
  courseCall(course),
  {
    what: text().calls.corrections,
    path: `v1/corrections?symbol=${series.value}`,
    sdk: `assay.corrections.list({ symbol: "${series.value}" })`,
    isOpen: true,
  },
  ...(isPublished.value ? [conversionCall(text().calls.conversion)] : []),
];

export const MarketPage = () => {
  const view = useMarketView();
  const [apiKey, name] = [key.value, series.value];
  const isFollowed = view.hasStreams === true && STREAMED.includes(name);
  useEffect(() => {
    if (!isFollowed) return;
    follow(apiKey, name);
    return unfollow;
  }, [isFollowed, apiKey, name]);
  const course = useCourse(view);
  return (
    <div class="page market">
      <PricePanel view={view} />
      <ChartPanel view={view} course={course} />
      <SourcesPanel view={view} />
      <KaratPanel view={view} />
      <ConverterPanel />
      <AsCall calls={calls(course)} />
    </div>
  );
};

/** The market: the price large, how it moved, what it is made of, and what it is worth in other amounts. */

import { useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { key } from "../../data/key.ts";
import { follow, unfollow } from "../../data/live.ts";
import { SSE_SYMBOLS, type SseSymbol } from "../../data/streamable.ts";
import { AsCall } from "../../ui/call.tsx";
import { ChartPanel } from "./chart-panel.tsx";
import { conversion, interval, series, symbol } from "./choices.ts";
import { ConverterPanel } from "./converter-panel.tsx";
import { KaratPanel } from "./karat-panel.tsx";
import { useMarketView } from "./market-view.ts";
import { PricePanel } from "./price-panel.tsx";
import { SourcesPanel } from "./sources-panel.tsx";

const isStreamable = (name: string): name is SseSymbol => SSE_SYMBOLS.some((one) => one === name);

const monthAgo = (): string => new Date(Date.now() - 28 * 86_400_000).toISOString().slice(0, 10);
const today = (): string => new Date().toISOString().slice(0, 10);

const calls = () => {
  const reach = `from=${monthAgo()}&to=${today()}`;
  const length = key.value === null ? "1d" : interval.value;
  const { from, to, amount, unit } = conversion.value;
  return [
    {
      what: "The price, its sources and karats",
      path: `v1/spot/${symbol.value}?include=all`,
      sdk: `assay.spot.get("${symbol.value}", { include: ["all"] })`,
      isOpen: true,
    },
    {
      what: "The bars",
      path: `v1/bars?symbol=${series.value}&interval=${length}&${reach}`,
      sdk: `assay.bars.list({ symbol: "${series.value}", interval: "${length}", from: "${monthAgo()}", to: "${today()}" })`,
      isOpen: true,
    },
    {
      what: "A conversion",
      path: `v1/convert?from=${from}&to=${to}&amount=${amount}&unit=${unit}`,
      sdk: `assay.convert.get({ from: "${from}", to: "${to}", amount: "${amount}", unit: "${unit}" })`,
      isOpen: true,
    },
  ];
};

/** The page. */
export const MarketPage = () => {
  useSignalEffect(() => {
    const [apiKey, name] = [key.value, series.value];
    if (apiKey !== null && isStreamable(name)) follow(apiKey, name);
    else unfollow();
  });
  useEffect(() => unfollow, []);
  const view = useMarketView();
  return (
    <div class="page market">
      <PricePanel view={view} />
      <ChartPanel view={view} />
      <SourcesPanel view={view} />
      <KaratPanel view={view} />
      <ConverterPanel />
      <AsCall calls={calls()} />
    </div>
  );
};

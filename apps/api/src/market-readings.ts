/** The age of prices, for the operator's metrics. */
import { PRICE_SYMBOLS, type PriceSymbol } from "@assay/pricing";
import type { MetricReading } from "@assay/process";
import type { MarketView } from "@assay/services";

const symbolOf = (name: string): PriceSymbol => {
  const found = PRICE_SYMBOLS.find(({ symbol }) => symbol === name);
  if (!found) throw new Error(`there is no symbol ${name}`);
  return found;
};

/** Gold in dollars: without it a process is not ready. */
export const GOLD: PriceSymbol = symbolOf("XAU-USD-SPOT");
const WATCHED = [GOLD, symbolOf("XAG-USD-SPOT"), symbolOf("HG-USD-SPOT")];

/** How old the spot prices are, and whether they are stale. */
export const marketReadings = (market: MarketView, nowMs: number): MetricReading[] => [
  {
    ...{ name: "assay_market_open", help: "1 while the market is open", kind: "gauge" },
    value: market.isOpen(nowMs) ? 1 : 0,
  },
  ...WATCHED.flatMap((each): MetricReading[] => {
    const { price, stale } = market.standingOf(each, nowMs);
    const labels = { symbol: each.symbol };
    const isStale = { name: "assay_price_stale", help: "1 while a price is stale", kind: "gauge" } as const;
    const age = { name: "assay_price_age_seconds", help: "Seconds since a price was computed", kind: "gauge" } as const;
    return [
      { ...isStale, labels, value: stale.isStale ? 1 : 0 },
      ...(price ? [{ ...age, labels, value: Math.max(0, nowMs - price.computedAtMs) / 1_000 }] : []),
    ];
  }),
];

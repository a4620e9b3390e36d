/** Ticks, rates, bars and surfaces for tests: complete by default, overridden where a test says so. */
import { INTERVAL_MS, type Interval } from "@assay/contract";
import {
  type ArbitrageSignal,
  arbitrageSignals,
  asProduct,
  type BarRow,
  type DealerTick,
  type FxObservation,
  type HorizonSurface,
  type PriceSource,
  probabilitySurface,
  type SettlementRow,
  type Tick,
} from "@assay/pricing";
import { simulatedBooks, simulatedOptions } from "@assay/simulator";

/** 2026-11-20T14:00:00Z, a Friday on which the market is open. */
export const FRIDAY_MS = Date.UTC(2026, 10, 20, 14);

/** How long a test price stays fresh. */
const FRESH_MS = 60_000;

export const makeSource = (change: Partial<PriceSource> = {}): PriceSource => ({
  source: "alpha",
  displayName: "Alpha",
  license: "attribution",
  role: "primary",
  price: "4003.20",
  observedAtMs: FRIDAY_MS,
  freshUntilMs: FRIDAY_MS + FRESH_MS,
  ...change,
});

/**
 * A tick of gold at 4003.20. Its source and freshness follow `computedAtMs` and `price` unless given.
 * @param seq its sequence number; it must rise per instrument
 */
export const makeTick = (seq: number, change: Partial<Tick> = {}): Tick => {
  const computedAtMs = change.computedAtMs ?? FRIDAY_MS;
  const price = change.price ?? "4003.20";
  const freshUntilMs = change.freshUntilMs ?? computedAtMs + FRESH_MS;
  return {
    instrument: "XAU-USD-SPOT",
    seq,
    price,
    conf: "0.20",
    basis: "primary",
    sources: [makeSource({ price, observedAtMs: computedAtMs, freshUntilMs })],
    divergenceBps: null,
    computedAtMs,
    freshUntilMs,
    ...change,
  };
};

/** Plausible units of each floating currency for one US dollar. */
export const RATES: Readonly<Record<string, string>> = {
  AUD: "1.5300",
  BRL: "5.4000",
  CAD: "1.4000",
  CHF: "0.8100",
  CNY: "7.1200",
  CZK: "20.90",
  DKK: "6.4200",
  EUR: "0.8600",
  GBP: "0.7500",
  HKD: "7.7800",
  HUF: "330.50",
  IDR: "16650",
  ILS: "3.2500",
  INR: "88.50",
  ISK: "126.40",
  JPY: "155.10",
  KRW: "1460.00",
  MXN: "18.40",
  MYR: "4.1500",
  NOK: "10.10",
  NZD: "1.7700",
  PHP: "58.60",
  PLN: "3.6500",
  RON: "4.3700",
  SEK: "9.4600",
  SGD: "1.3000",
  THB: "32.40",
  TRY: "42.30",
  ZAR: "17.20",
};

/** A live table of currency rates, for one US dollar. */
export const makeRates = (change: Partial<FxObservation> = {}): FxObservation => ({
  kind: "fx",
  source: "live-fx",
  role: "live",
  base: "USD",
  rates: RATES,
  observedAtMs: FRIDAY_MS,
  freshForMs: 180_000,
  ...change,
});

/** The settlement of gold for December 2026 on Thursday 19 November, published at 17:00 in New York. */
export const makeSettlement = (change: Partial<SettlementRow> = {}): SettlementRow => {
  const observedAtMs = change.observedAtMs ?? Date.UTC(2026, 10, 19, 22);
  return {
    symbol: "GC",
    futuresContract: "GCZ26",
    settlementDate: "2026-11-19",
    price: "4012.50",
    volume: 151_459,
    openInterest: 328_666,
    source: "alpha",
    sourceType: "proxy_daily_close",
    observedAtMs,
    fetchedAtMs: observedAtMs + 60_000,
    ...change,
  };
};

/** A closed minute of gold. */
export const makeBar = (change: Partial<BarRow> = {}): BarRow => ({
  symbol: "XAU-USD-SPOT",
  interval: "1m",
  barStartMs: FRIDAY_MS,
  open: "4003.2",
  high: "4004.125",
  low: "4002.75",
  close: "4003.95",
  volume: null,
  isClosed: true,
  sourceId: "composed",
  ...change,
});

/**
 * Consecutive closed bars, oldest first; the closes differ, so that no two are equal.
 * @param lastStartMs start of the newest
 */
export const makeBars = (interval: Interval, lastStartMs: number, count: number, change: Partial<BarRow> = {}): BarRow[] =>
  Array.from({ length: count }, (_, index) => {
    const back = count - 1 - index;
    const close = `${4003 - (back % 900)}.${String(back % 100).padStart(2, "0")}`;
    return makeBar({
      interval,
      barStartMs: lastStartMs - back * INTERVAL_MS[interval],
      close,
      high: "4100.00",
      low: "3000.00",
      ...change,
    });
  });

/** A change of a dealer's price per gram in the Emirates, read a second after the previous one. */
export const makeDealerTick = (seq: number, change: Partial<DealerTick> = {}): DealerTick => ({
  ...asProduct({
    source: "souk",
    country: "AE",
    dealer: "Souk",
    product: "24K gram",
    karat: 24,
    weight: "1",
    weightUnit: "gram",
    currency: "AED",
    sell: "477.25",
    buyback: null,
    observedAtMs: FRIDAY_MS,
  }),
  seq,
  fetchedAtMs: FRIDAY_MS + seq * 1_000,
  ...change,
});

type Metal = HorizonSurface["metal"];
/** The simulated market that surfaces and signals are of. */
const SEED = 1;

export const makeSurfaces = (metal: Metal = "xau", atMs: number = FRIDAY_MS): HorizonSurface[] => {
  const chain = simulatedOptions(metal, atMs, SEED);
  const markets = simulatedBooks(metal, atMs, SEED);
  return probabilitySurface({ metal, spotUsdPerOzt: chain.spotUsdPerOzt, chains: [chain], markets, nowMs: atMs });
};

const STRETCH_MS = 600_000;

/** The edges of the simulated market's first stretch that has any, dated at an instant. */
export const makeSignals = (metal: Metal = "xau", atMs: number = FRIDAY_MS): ArbitrageSignal[] => {
  for (let fromMs = atMs; ; fromMs += STRETCH_MS) {
    const edges = arbitrageSignals(simulatedBooks(metal, fromMs, SEED), fromMs);
    if (edges.length > 0) return edges.map((edge) => ({ ...edge, detectedAtMs: atMs }));
  }
};

/** Inputs open to some tiers only, and the refusals the others get, from the tier table. */
import {
  contract,
  DAY_MS,
  type ErrorCode,
  INTRADAY_DEPTH_DAYS,
  METALS,
  TIER_NAMES,
  TIER_REACH,
  type TierCatalog,
  type TierName,
} from "@assay/contract";
import { readPriceSymbol } from "@assay/pricing";
import type { Expectation } from "../claims/outcomes.ts";

const daysAgo = (days: number, nowMs: number): string => new Date(nowMs - days * DAY_MS).toISOString().slice(0, 10);

/** An input that not every tier may request. */
export interface GatedInput {
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether a service may have no price that old: then it answers `not_found`. */
  readonly mayLack?: true;
  /** What a caller of a tier should be answered. */
  expected(tier: TierName): Expectation;
}

const SEES_ALL: TierName = "realtime_pro";
const lowest = (allows: (tier: TierName) => boolean): TierName => TIER_NAMES.find(allows) ?? SEES_ALL;

const gate =
  (allows: (tier: TierName) => boolean) =>
  (tier: TierName): Expectation =>
    allows(tier) ? "success" : { code: "plan_gated", fields: { tier, required_tier: lowest(allows) } };

const depthGate =
  (days: number, code: ErrorCode) =>
  (tier: TierName): Expectation => {
    const allows = (each: TierName) => (TIER_REACH[each].dailyDepthDays ?? Number.POSITIVE_INFINITY) >= days;
    return code === "plan_gated" ? gate(allows)(tier) : allows(tier) ? "success" : { code };
  };

const priced = (catalog: TierCatalog): GatedInput[] =>
  ["XAG-USD-SPOT", "HG-USD-SPOT", "XAU-USD-FUTURES"].flatMap((symbol) => {
    const reading = readPriceSymbol(symbol);
    if (reading.kind !== "known") return [];
    const { metal, contractType } = reading.entry;
    const allows = (tier: TierName) =>
      catalog.tiers[tier].allowed_bases.includes(metal) && catalog.tiers[tier].allowed_contracts.includes(contractType);
    return [{ title: symbol, input: { symbol }, expected: gate(allows) }];
  });

/** Days between one tier's depth and the next's. */
const BEYOND_FREE = 60;
const BEYOND_A_YEAR = 400;

const past = (nowMs: number): GatedInput[] =>
  [
    { title: "two months ago", days: BEYOND_FREE },
    { title: "more than a year ago", days: BEYOND_A_YEAR },
  ].map(({ title, days }) => ({
    title,
    input: { symbol: "XAU-EUR-SPOT", at: daysAgo(days, nowMs) },
    mayLack: true,
    expected: depthGate(days, "range_too_deep"),
  }));

const otherSeries = gate((tier) => TIER_REACH[tier].allBarSymbols);
const intraday = gate((tier) => TIER_REACH[tier].intraday);

const forwardView = ({ tiers }: TierCatalog): GatedInput[] =>
  METALS.filter((asset) => !tiers.free.allowed_bases.includes(asset))
    .slice(0, 1)
    .map((asset) => ({ title: asset, input: { asset }, expected: gate((tier) => tiers[tier].allowed_bases.includes(asset)) }));

const counter = ({ tiers }: TierCatalog): GatedInput[] =>
  METALS.filter((metal) => !tiers.free.allowed_bases.includes(metal)).map((metal) => ({
    title: `a piece of ${metal}`,
    input: { currency: "USD", items: [{ metal, weight: "10", unit: "gram" }] },
    expected: gate((tier) => tiers[tier].allowed_bases.includes(metal)),
  }));

const window = (nowMs: number, from: number, to: number) => ({
  from: daysAgo(from, nowMs),
  to: daysAgo(to, nowMs),
});
const GOLD = { symbol: "XAU-USD-SPOT" };

const bars = (nowMs: number): GatedInput[] => [
  { title: "XAG-USD-SPOT", input: { symbol: "XAG-USD-SPOT", ...window(nowMs, 5, 2) }, expected: otherSeries },
  { title: "GC", input: { symbol: "GC", ...window(nowMs, 5, 2) }, expected: otherSeries },
  { title: "interval 1h", input: { ...GOLD, interval: "1h", ...window(nowMs, 2, 1) }, expected: intraday },
  {
    title: "two months back",
    input: { ...GOLD, ...window(nowMs, BEYOND_FREE, 50) },
    expected: depthGate(BEYOND_FREE, "range_too_deep"),
  },
  {
    title: "more than a year back",
    input: { ...GOLD, ...window(nowMs, BEYOND_A_YEAR, 390) },
    expected: depthGate(BEYOND_A_YEAR, "range_too_deep"),
  },
  {
    title: "intraday beyond its depth",
    input: { ...GOLD, interval: "1h", ...window(nowMs, INTRADAY_DEPTH_DAYS + 5, INTRADAY_DEPTH_DAYS + 4) },
    expected: (tier) => (TIER_REACH[tier].intraday ? { code: "range_too_deep" } : intraday(tier)),
  },
];

const series = (nowMs: number): GatedInput[] => [
  { title: "XAG-EUR-SPOT", input: { symbol: "XAG-EUR-SPOT", ...window(nowMs, 5, 2) }, expected: otherSeries },
  {
    title: "two months back",
    input: { symbol: "XAU-EUR-SPOT", ...window(nowMs, BEYOND_FREE, 50) },
    expected: depthGate(BEYOND_FREE, "range_too_deep"),
  },
  {
    title: "more than a year back",
    input: { symbol: "XAU-EUR-SPOT", karat: 22, ...window(nowMs, BEYOND_A_YEAR, 390) },
    expected: depthGate(BEYOND_A_YEAR, "range_too_deep"),
  },
];

const latest: readonly GatedInput[] = [
  { title: "GLD", input: { symbol: "GLD" }, expected: otherSeries },
  { title: "interval 1m", input: { ...GOLD, interval: "1m" }, expected: intraday },
];

const corrections: readonly GatedInput[] = [
  { title: "XAG-USD-SPOT", input: { symbol: "XAG-USD-SPOT" }, expected: otherSeries },
  { title: "GC", input: { symbol: "GC" }, expected: otherSeries },
];

const quality = (nowMs: number): GatedInput[] => bars(nowMs).filter(({ input }) => !("interval" in input));

const KNOWN = { known_at: "1996-01-02T00:00:00Z" };
/** An instant before the ledger: whoever passes every gate is answered that it is not known. */
const beforeLedger = (inputs: readonly GatedInput[]): GatedInput[] =>
  inputs.map(({ title, input, expected }) => ({
    title: `${title}, known at an instant before the ledger`,
    input: { ...input, ...KNOWN },
    expected: (tier) => (expected(tier) === "success" ? { code: "unknown_past" } : expected(tier)),
  }));

const history = (nowMs: number): GatedInput[] => [
  { title: "SI", input: { symbol: "SI", ...window(nowMs, 5, 2) }, expected: otherSeries },
  { title: "interval 1h", input: { ...GOLD, interval: "1h", ...window(nowMs, 2, 1) }, expected: intraday },
  {
    title: "two months back",
    input: { ...GOLD, ...window(nowMs, BEYOND_FREE, 50) },
    expected: depthGate(BEYOND_FREE, "plan_gated"),
  },
  {
    title: "more than a year back",
    input: { ...GOLD, ...window(nowMs, BEYOND_A_YEAR, 390) },
    expected: depthGate(BEYOND_A_YEAR, "plan_gated"),
  },
];

/** Which tier is owed the sample of a path, where it depends on the day: a year of bars, as far as its first day is in reach. */
export const sampleGate = (path: string, nowMs: number): GatedInput["expected"] | undefined => {
  const days = (nowMs - Date.UTC(new Date(nowMs).getUTCFullYear(), 0, 1)) / DAY_MS;
  return path === contract.downloads.link.path ? depthGate(Math.floor(days), "plan_gated") : undefined;
};

/**
 * The gated inputs of a path.
 * @param nowMs the service's clock, epoch milliseconds
 */
export const gatedInputs = (path: string, catalog: TierCatalog, nowMs: number): readonly GatedInput[] => {
  const byPath: Readonly<Record<string, () => readonly GatedInput[]>> = {
    "/v1/prices": () => priced(catalog),
    "/v1/spot/{symbol}": () => [...priced(catalog), ...past(nowMs)],
    "/v1/bars": () => [...bars(nowMs), ...beforeLedger(bars(nowMs))],
    "/v1/bars/latest": () => [...latest, ...beforeLedger(latest)],
    "/v1/corrections": () => corrections,
    "/v1/series": () => [...series(nowMs), ...beforeLedger(series(nowMs))],
    "/v1/quality": () => quality(nowMs),
    "/v1/prices/history": () => history(nowMs),
    "/v1/forward-view/{asset}": () => forwardView(catalog),
    "/v1/quotes": () => counter(catalog),
  };
  return byPath[path]?.() ?? [];
};

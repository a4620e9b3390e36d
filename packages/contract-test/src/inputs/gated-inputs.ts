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

const otherSeries = gate((tier) => TIER_REACH[tier].allBarSymbols);
const intraday = gate((tier) => TIER_REACH[tier].intraday);

const asked = (title: string, input: GatedInput["input"], expected: GatedInput["expected"]): GatedInput => ({
  title,
  input,
  expected,
});

/** Days between one tier's depth and the next's. */
const BEYOND_FREE = 60;
const BEYOND_A_YEAR = 400;

const past = (nowMs: number): GatedInput[] =>
  [["two months ago", BEYOND_FREE] as const, ["more than a year ago", BEYOND_A_YEAR] as const].map(([title, days]) => {
    const input = { symbol: "XAU-EUR-SPOT", at: daysAgo(days, nowMs) };
    return { ...asked(title, input, depthGate(days, "range_too_deep")), mayLack: true };
  });

/** What of other metals than those of Free is asked for. */
const ofMetals = ({ tiers }: TierCatalog, titled: string, inputOf: (metal: string) => GatedInput["input"]): GatedInput[] =>
  METALS.filter((metal) => !tiers.free.allowed_bases.includes(metal)).map((metal) =>
    asked(
      `${titled}${metal}`,
      inputOf(metal),
      gate((tier) => tiers[tier].allowed_bases.includes(metal)),
    ),
  );

const GOLD = { symbol: "XAU-USD-SPOT" };
const window = (nowMs: number, from: number, to: number) => ({ from: daysAgo(from, nowMs), to: daysAgo(to, nowMs) });

/** Windows of a list: of another series, of hours, and deeper than some tiers reach, which a code refuses. */
const windows = (nowMs: number, others: readonly string[], deep: object, code: ErrorCode): GatedInput[] => [
  ...others.map((symbol) => asked(symbol, { symbol, ...window(nowMs, 5, 2) }, otherSeries)),
  asked("two months back", { ...deep, ...window(nowMs, BEYOND_FREE, 50) }, depthGate(BEYOND_FREE, code)),
  asked("more than a year back", { ...deep, ...window(nowMs, BEYOND_A_YEAR, 390) }, depthGate(BEYOND_A_YEAR, code)),
];

const hourly = (nowMs: number): GatedInput => asked("interval 1h", { ...GOLD, interval: "1h", ...window(nowMs, 2, 1) }, intraday);

const quality = (nowMs: number): GatedInput[] => windows(nowMs, ["XAG-USD-SPOT", "GC"], GOLD, "range_too_deep");

const bars = (nowMs: number): GatedInput[] => {
  const beyond = window(nowMs, INTRADAY_DEPTH_DAYS + 5, INTRADAY_DEPTH_DAYS + 4);
  return [
    ...quality(nowMs),
    hourly(nowMs),
    asked("intraday beyond its depth", { ...GOLD, interval: "1h", ...beyond }, (tier) =>
      TIER_REACH[tier].intraday ? { code: "range_too_deep" } : intraday(tier),
    ),
  ];
};

const series = (nowMs: number): GatedInput[] =>
  windows(nowMs, ["XAG-EUR-SPOT"], { symbol: "XAU-EUR-SPOT", karat: 22 }, "range_too_deep");

const latest: readonly GatedInput[] = [
  asked("GLD", { symbol: "GLD" }, otherSeries),
  asked("interval 1m", { ...GOLD, interval: "1m" }, intraday),
];

const corrections = ["XAG-USD-SPOT", "GC"].map((symbol) => asked(symbol, { symbol }, otherSeries));

const KNOWN = { known_at: "1996-01-02T00:00:00Z" };
/** An instant before the ledger: whoever passes every gate is answered that it is not known. */
const beforeLedger = (inputs: readonly GatedInput[]): GatedInput[] =>
  inputs.map(({ title, input, expected }) =>
    asked(`${title}, known at an instant before the ledger`, { ...input, ...KNOWN }, (tier) =>
      expected(tier) === "success" ? { code: "unknown_past" } : expected(tier),
    ),
  );

const counter = (metal: string) => ({ currency: "USD", items: [{ metal, weight: "10", unit: "gram" }] });

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
    "/v1/prices/history": () => [...windows(nowMs, ["SI"], GOLD, "plan_gated"), hourly(nowMs)],
    "/v1/forward-view/{asset}": () => ofMetals(catalog, "", (asset) => ({ asset })).slice(0, 1),
    "/v1/quotes": () => ofMetals(catalog, "a piece of ", counter),
  };
  return byPath[path]?.() ?? [];
};

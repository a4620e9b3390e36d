/** The probability surface of a metal: every horizon, from all its markets, and the index of horizons. */
import {
  type Confidence,
  DAY_MS,
  type DecimalText,
  type SurfaceFlag,
  type SurfaceMetal,
  type SurfaceMethod,
} from "@assay/contract";
import { utcDay } from "../conventions/zoned-time.ts";
import type { DigitalMarket } from "../signals/digital-market.ts";
import { blendOf, type VenueCurve } from "./blend.ts";
import { digitalCurve } from "./digital-curve.ts";
import {
  confidenceOf,
  isThin,
  type Percentiles,
  percentilesOf,
  priceText,
  type SurfacePoint,
  surfacePoints,
} from "./horizon-figures.ts";
import type { OptionChain } from "./option-chain.ts";
import { optionCurve, optionSurface } from "./option-curve.ts";

export interface SurfaceInput {
  readonly metal: SurfaceMetal;
  /** Spot in USD per troy ounce. */
  readonly spotUsdPerOzt: DecimalText;
  /** The newest chain of each venue. */
  readonly chains: readonly OptionChain[];
  /** The newest book of each market. */
  readonly markets: readonly DigitalMarket[];
  /** Horizons at or before it have ended. */
  readonly nowMs: number;
}

export interface HorizonVenue extends Pick<VenueCurve, "venue" | "type" | "retrievedAtMs"> {
  readonly marketsUsed: number;
  /** Whole dollars. */
  readonly volumeUsd: DecimalText | null;
}

/** The distribution of a metal on one day. */
export interface HorizonSurface {
  readonly metal: SurfaceMetal;
  /** UTC day, YYYY-MM-DD. */
  readonly horizon: string;
  /** The latest expiry of that day. */
  readonly expiresAtMs: number;
  readonly spotUsd: DecimalText;
  readonly forwardUsd: DecimalText | null;
  readonly percentiles: Percentiles;
  readonly points: readonly SurfacePoint[];
  readonly venues: readonly HorizonVenue[];
  readonly confidence: Confidence;
  readonly thinLiquidity: boolean;
  readonly method: SurfaceMethod;
  readonly flags: readonly SurfaceFlag[];
  readonly computedAtMs: number;
  /** When its oldest data was read. */
  readonly retrievedAtMs: number;
}

const grouped = <T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
};

/** Of several curves of one venue and day, the one with most quotes; of equal ones the later. */
const fullest = (curves: readonly VenueCurve[]): VenueCurve[] =>
  [...grouped(curves, ({ venue }) => venue).values()].flatMap(
    (group) => group.sort((a, b) => b.quoted.length - a.quoted.length || b.expiresAtMs - a.expiresAtMs)[0] ?? [],
  );

const methodOf = (types: ReadonlySet<string>): SurfaceMethod =>
  types.size > 1 ? "blend" : types.has("options") ? "lognormal_kernels" : "isotonic_ladder";

const horizonOf = (input: SurfaceInput, horizon: string, curves: readonly VenueCurve[]): HorizonSurface | null => {
  const blend = blendOf(curves);
  const percentiles = blend && percentilesOf(blend);
  if (!blend || !percentiles) return null;
  const types = new Set(curves.map(({ type }) => type));
  const flags = new Set(curves.flatMap((curve) => curve.flags));
  if (types.size === 1) flags.add(types.has("options") ? "options_only" : "prediction_markets_only");
  return {
    metal: input.metal,
    horizon,
    expiresAtMs: Math.max(...curves.map(({ expiresAtMs }) => expiresAtMs)),
    spotUsd: input.spotUsdPerOzt,
    forwardUsd: blend.forwardUsd === null ? null : priceText(blend.forwardUsd),
    percentiles,
    points: surfacePoints(blend),
    venues: curves.map(({ venue, type, retrievedAtMs, quoted, volumeUsd }) => ({
      venue,
      type,
      retrievedAtMs,
      marketsUsed: quoted.length,
      volumeUsd: volumeUsd === null ? null : String(Math.round(volumeUsd)),
    })),
    confidence: confidenceOf(blend, percentiles),
    thinLiquidity: isThin(blend),
    method: methodOf(types),
    flags: [...flags].sort(),
    computedAtMs: input.nowMs,
    retrievedAtMs: Math.min(...curves.map(({ retrievedAtMs }) => retrievedAtMs)),
  };
};

/**
 * Every horizon with enough trading, by date.
 *
 * Options and prediction markets that expire on one UTC day are one horizon. Each venue's view is built first, the options'
 * before the ladders', which use their tails; the views are then blended by how tightly they are quoted. Chains and markets of
 * other metals and touch markets are excluded.
 * @param input what is traded, and when
 * @returns horizons by date; empty when nothing implies a distribution, as overnight
 */
export const probabilitySurface = (input: SurfaceInput): HorizonSurface[] => {
  const { metal, nowMs } = input;
  const options = input.chains
    .filter((chain) => chain.metal === metal)
    .flatMap((chain) => optionSurface(chain).map((slice) => optionCurve(chain, slice)))
    .filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  const markets = input.markets.filter((market) => market.metal === metal && market.expiresAtMs > nowMs);
  const byDay = grouped(options, ({ expiresAtMs }) => utcDay(expiresAtMs));
  const marketsByDay = grouped(markets, ({ expiresAtMs }) => utcDay(expiresAtMs));
  return [...new Set([...byDay.keys(), ...marketsByDay.keys()])].sort().flatMap((day) => {
    const chains = fullest(byDay.get(day) ?? []);
    const tails = blendOf(chains)?.probAbove ?? null;
    const groups = grouped(marketsByDay.get(day) ?? [], (one) => `${one.venue} ${one.expiresAtMs} ${one.reference}`);
    const ladders = fullest([...groups.values()].flatMap((group) => digitalCurve(group, tails) ?? []));
    return horizonOf(input, day, [...chains, ...ladders]) ?? [];
  });
};

/** The default horizon is the one nearest to this many days ahead. */
const DEFAULT_DAYS = 30;

/**
 * The default horizon: the one nearest to 30 days ahead that is not thinly traded, or of all when every one is; the later of two
 * equally near ones.
 * @param surfaces live horizons
 * @param nowMs now, epoch milliseconds
 * @returns YYYY-MM-DD; null without horizons
 */
export const defaultHorizon = (surfaces: readonly HorizonSurface[], nowMs: number): string | null => {
  const liquid = surfaces.filter(({ thinLiquidity }) => !thinLiquidity);
  const distance = ({ expiresAtMs }: HorizonSurface): number => Math.abs((expiresAtMs - nowMs) / DAY_MS - DEFAULT_DAYS);
  const [nearest] = [...(liquid.length > 0 ? liquid : surfaces)].sort(
    (a, b) => distance(a) - distance(b) || b.expiresAtMs - a.expiresAtMs,
  );
  return nearest?.horizon ?? null;
};

export interface HorizonEntry {
  readonly horizon: string;
  /** Days to the expiry, two decimals, never below 0. */
  readonly daysToExpiry: number;
  /** Two-sided quotes it is based on. */
  readonly marketsCount: number;
  readonly venues: readonly string[];
  readonly retrievedAtMs: number;
}

/**
 * The index of live horizons, by date.
 * @param nowMs now, epoch milliseconds
 */
export const horizonIndex = (surfaces: readonly HorizonSurface[], nowMs: number): HorizonEntry[] =>
  surfaces
    .map(({ horizon, expiresAtMs, venues, retrievedAtMs }) => ({
      horizon,
      daysToExpiry: Math.max(0, Math.round(((expiresAtMs - nowMs) / DAY_MS) * 100) / 100),
      marketsCount: venues.reduce((sum, { marketsUsed }) => sum + marketsUsed, 0),
      venues: venues.map(({ venue }) => venue),
      retrievedAtMs,
    }))
    .sort((a, b) => (a.horizon < b.horizon ? -1 : 1));

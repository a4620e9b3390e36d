/** The index of horizons, and the default horizon. */
import { DAY_MS } from "@assay/contract";
import type { HorizonSurface } from "./surface.ts";

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

/** One line of the index. */
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
 * @param surfaces live horizons
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

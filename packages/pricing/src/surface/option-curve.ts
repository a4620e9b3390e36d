/** A venue's options of one expiry as its view of that horizon, converted to the metal. */
import type { SurfaceFlag } from "@assay/contract";
import type { OptionChain } from "./option-chain.ts";
import type { ChainSlice } from "./option-surface.ts";
import type { QuotedPoint, VenueCurve } from "./venue-curve.ts";

/** Width in deviations of the call spread whose cost measures the uncertainty of a probability. */
const SPREAD_WIDTH = 0.5;

/** Probabilities from differences of neighbouring quotes. */
const rawPoints = ({ points }: ChainSlice, forwardUsd: number): QuotedPoint[] =>
  points.flatMap(({ moneyness }, index) => {
    const below = points[index - 1];
    const above = points[index + 1];
    if (!below || !above) return [];
    return [{ strike: moneyness * forwardUsd, rawProbAbove: (below.call - above.call) / (above.moneyness - below.moneyness) }];
  });

/**
 * The cost of a call spread half a deviation wide, divided by the number of quotes near the money that carry the same
 * information.
 */
const halfWidthOf = ({ points, deviation }: ChainSlice): number => {
  const near = points.filter(({ moneyness }) => Math.abs(Math.log(moneyness)) <= deviation);
  const halves = (near.length > 0 ? near : points).map(({ half }) => half).sort((a, b) => a - b);
  const half = halves[halves.length >> 1] ?? 0;
  return Math.min(0.5, (2 * half) / (SPREAD_WIDTH * deviation) / Math.sqrt(halves.length));
};

const tradedUsd = (chain: OptionChain, expiresAtMs: number): number | null => {
  const quotes = chain.expiries.find((expiry) => expiry.expiresAtMs === expiresAtMs)?.quotes ?? [];
  const traded = quotes.flatMap(({ volume, bid, ask }) =>
    volume === null ? [] : [(Number(volume) * (Number(bid ?? 0) + Number(ask ?? 0))) / 2],
  );
  return traded.length === 0 ? null : traded.reduce((sum, usd) => sum + usd, 0);
};

/**
 * One expiry of a chain as a venue's view. Strikes and the forward are multiplied by spot / underlying: a fund's or token's metal
 * content and its premium or discount are assumed constant until expiry.
 * @param chain the chain
 * @param slice one of its expiries, fitted
 */
export const optionCurve = (chain: OptionChain, slice: ChainSlice): VenueCurve => {
  const scale = Number(chain.spotUsdPerOzt) / Number(chain.underlyingUsd);
  const forwardUsd = slice.parity.forward * scale;
  const flags: SurfaceFlag[] = [];
  if (chain.style === "american") flags.push("european_approximation");
  if (chain.underlying !== chain.metal.toUpperCase()) flags.push("proxy_underlying");
  if (slice.parity.discountFrom === "rate") flags.push("discount_from_rate");
  if (slice.crossesCalendar) flags.push("crosses_calendar");
  return {
    venue: chain.venue,
    type: "options",
    expiresAtMs: slice.expiresAtMs,
    probAbove: (strike) => slice.distribution.probAbove(strike / forwardUsd),
    quoted: rawPoints(slice, forwardUsd),
    halfWidth: halfWidthOf(slice),
    forwardUsd,
    volumeUsd: tradedUsd(chain, slice.expiresAtMs),
    retrievedAtMs: chain.retrievedAtMs,
    flags,
  };
};

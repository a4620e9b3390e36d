/** Simulated prediction markets: two venues around the smile of the simulated options, with an occasional edge between them. */
import { spotSymbol } from "@assay/catalogue";
import type { SurfaceMetal } from "@assay/contract";
import { type BookLevel, type DigitalMarket, oneTouch, sviVariance } from "@assay/pricing";
import { noiseKey, shareAt } from "../path/noise.ts";
import { simulatedPrice, unitsText } from "../prices/price.ts";
import { type SimulatedSmile, simulatedExpiries, simulatedSmile, smileProbAbove } from "./options.ts";

/** Seconds between changes of the books. */
const BOOK_SECONDS = 20;
/** Number of expiries with a ladder, the nearest of the options' expiries. */
const LADDERS = 8;
/** Rungs to either side of the forward, in steps of about two fifths of a deviation. */
const RUNGS = 5;
const STEP = 0.4;
/** How often a ten-minute interval has an edge between the venues, and how large it is, in cents. */
const EDGE_SECONDS = 600;
const EDGE_CHANCE = 1 / 30;
const EDGE_CENTS = 10;

const VENUES = ["simulated-kalshi", "simulated-polymarket"] as const;
type Venue = (typeof VENUES)[number];

const cents = (price: number): string => unitsText(price, 2);

/** Three levels per side: bids at or below the fair probability, asks at or above it. */
const bookOf = (fair: number, key: number, block: number, lift: number): { bids: BookLevel[]; asks: BookLevel[] } => {
  const spread = 1 + Math.floor(2 * shareAt(key, block));
  const bid = Math.floor(fair * 100 + 1e-9) - spread + 1 + lift;
  const ask = Math.max(Math.ceil(fair * 100 - 1e-9) + spread - 1, Math.floor(fair * 100 + 1e-9) + 1) + lift;
  const size = (level: number): string => String(Math.floor(40 + 600 * shareAt(key, block * 8 + level)));
  const levels = [0, 1, 2];
  return {
    bids: levels.filter((level) => bid - level >= 1).map((level) => ({ price: cents(bid - level), size: size(level) })),
    asks: levels.filter((level) => ask + level <= 99).map((level) => ({ price: cents(ask + level), size: size(4 + level) })),
  };
};

const strikeStep = (width: number): number => {
  const power = 10 ** Math.floor(Math.log10(width));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= width) ?? width;
};

/** State shared by the rungs of one expiry. */
interface Ladder {
  readonly metal: SurfaceMetal;
  readonly spot: number;
  readonly smile: SimulatedSmile;
  readonly deviation: number;
  readonly expiresAtMs: number;
  readonly second: number;
  readonly seed: number;
}

const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10).replaceAll("-", "");

const marketOf = (ladder: Ladder, venue: Venue, kind: "terminal" | "touch", strike: number, fair: number): DigitalMarket => {
  const { metal, expiresAtMs, second, seed } = ladder;
  const text = unitsText(Math.round(strike * 100), 2);
  const marketId = `${metal.toUpperCase()}-${day(expiresAtMs)}-${kind === "touch" ? "HIT" : "ABOVE"}-${text}`;
  const key = noiseKey(seed, `${venue} ${marketId}`);
  const edges = noiseKey(seed, `${metal} ${expiresAtMs} edge`);
  const stretch = Math.floor(second / EDGE_SECONDS);
  const isEdge = kind === "terminal" && venue === "simulated-polymarket" && shareAt(edges, stretch) < EDGE_CHANCE;
  const isHere = isEdge && Math.abs(fair - 0.5) < 0.12;
  return {
    venue,
    marketId,
    metal,
    kind,
    strike: text,
    expiresAtMs,
    reference: `simulated:${metal.toUpperCase()}/USD`,
    book: bookOf(Math.min(0.98, Math.max(0.02, fair)), key, Math.floor(second / BOOK_SECONDS), isHere ? EDGE_CENTS : 0),
    feeModel: venue === "simulated-kalshi" ? "kalshi" : "polymarket",
    volumeUsd: String(Math.floor(2_000 + 60_000 * shareAt(key, -1))),
    retrievedAtMs: second * 1_000,
  };
};

const laddersOf = (ladder: Ladder): DigitalMarket[] => {
  const { spot, smile, deviation } = ladder;
  const forward = spot * smile.carry;
  const step = strikeStep(STEP * deviation * forward);
  const middle = Math.round(forward / step);
  const strikes = Array.from({ length: 2 * RUNGS + 1 }, (_, index) => (middle + index - RUNGS) * step);
  const years = (ladder.expiresAtMs - ladder.second * 1_000) / (365 * 86_400_000);
  const world = { spot, rate: 0, yield: -Math.log(smile.carry) / years, volatility: deviation / Math.sqrt(years), years };
  return VENUES.flatMap((venue) => {
    const above = strikes.map((strike) => marketOf(ladder, venue, "terminal", strike, smileProbAbove(smile, strike / forward)));
    if (venue === "simulated-kalshi") return above;
    const barrier = (middle + RUNGS) * step;
    return [...above, marketOf(ladder, venue, "touch", barrier, oneTouch(world, barrier, "at_expiry"))];
  });
};

/**
 * The simulated prediction markets at an instant: two venues with a ladder of terminal markets for each of the nearest expiries,
 * and one touch market each at the second venue.
 *
 * No bid is above the true probability and no ask below it, so that there is no arbitrage between the venues, except in one of
 * thirty ten-minute intervals of each expiry.
 * @param atMs epoch milliseconds; rounded down to the second
 * @param seed the market's seed
 */
export const simulatedBooks = (metal: SurfaceMetal, atMs: number, seed: number): DigitalMarket[] => {
  const second = Math.floor(atMs / 1_000);
  const spot = Number(simulatedPrice(spotSymbol(metal.toUpperCase()), atMs, seed));
  return simulatedExpiries(atMs)
    .slice(0, LADDERS)
    .flatMap((expiresAtMs) => {
      const smile = simulatedSmile(metal, second * 1_000, expiresAtMs, seed);
      const deviation = Math.sqrt(sviVariance(smile.slice, 0));
      return laddersOf({ metal, spot, smile, deviation, expiresAtMs, second, seed });
    });
};

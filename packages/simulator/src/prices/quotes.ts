/** Sources of the simulated market: three that differ by a few bps around its price, a token and a council rate. */
import { DAY_MS, HOUR_MS, SECOND_MS } from "@assay/contract";
import { INSTRUMENTS, type Instrument, type SourceInfo, type SpotObservation } from "@assay/pricing";
import { driftAt, noiseKey, shareAt } from "../path/noise.ts";
import { isTrading, type SimulatedHours, seriesOf, tradedIn, tradeOf } from "../series/series.ts";
import { priceUnits, simulatedPrice, unitsText } from "./price.ts";

const live = (key: string, displayName: string): SourceInfo => ({
  key,
  displayName,
  license: "simulated",
  origin: key,
  role: "primary",
  intervalMs: SECOND_MS,
  freshForMs: 60 * SECOND_MS,
  instruments: INSTRUMENTS,
});

const GOLD: readonly Instrument[] = ["XAU-USD-SPOT"];

/** Every spot source of the simulated market. The first equals its price; the second is above it, the third below. */
export const simulatedSources: readonly SourceInfo[] = [
  live("simulated", "Simulated market"),
  live("simulated-b", "Simulated market B"),
  live("simulated-c", "Simulated market C"),
  { ...live("simulated-token", "Simulated gold token"), role: "informational", alwaysOpen: true, instruments: GOLD },
  {
    ...live("simulated-council", "Simulated council rate"),
    role: "council",
    intervalMs: DAY_MS,
    freshForMs: 36 * HOUR_MS,
    instruments: GOLD,
  },
];

/** When the council rate is set, after midnight UTC. */
const COUNCIL_MS = 15 * HOUR_MS;

/** How a source's distance from the price varies: usually 0.3 to 3 bps, and occasionally up to 15 more for ten minutes. */
const STEADY_SECONDS = 32;
const STRAY_SECONDS = 600;
const STRAY_CHANCE = 1 / 250;
const STRAY_BPS = 15;

/** A source's distance from the price, in bps; two of them never add up to 50. */
const distanceBps = (seed: number, source: string, second: number): number => {
  const key = noiseKey(seed, source);
  const steady = driftAt(key, second, STEADY_SECONDS);
  const block = Math.floor(second / STRAY_SECONDS);
  const place = second / STRAY_SECONDS - block;
  const isStray = shareAt(noiseKey(seed, `${source} stray`), block) < STRAY_CHANCE;
  return 0.3 + 2.7 * steady * steady + (isStray ? STRAY_BPS * 2 * Math.min(place, 1 - place) : 0);
};

const share = (units: number, bps: number): number => Math.max(1, Math.floor((units * bps) / 10_000 + 0.5));

/**
 * What the simulated market's sources report at an instant.
 *
 * The three primaries report at the same second, so the median of their prices is exactly `simulatedPrice`. While the market is
 * closed only the token and the council rate remain. Only the source `simulated` reports volume, that of the second.
 * @param atMs epoch milliseconds; rounded down to the second
 * @param hours when the market trades
 */
export const simulatedQuotes = (
  instrument: Instrument,
  atMs: number,
  seed: number,
  hours: SimulatedHours = "always",
): SpotObservation[] => {
  const second = Math.floor(atMs / SECOND_MS);
  const series = seriesOf(instrument);
  const units = priceUnits(instrument, atMs, seed);
  const text = (value: number) => unitsText(value, series.decimals);
  const half = share(units, series.halfSpreadBps * (0.7 + 0.6 * driftAt(noiseKey(seed, "spread"), second, STEADY_SECONDS)));
  const quote = (source: string, mid: number): SpotObservation => ({
    kind: "spot",
    source,
    instrument,
    price: text(mid),
    bid: text(mid - half),
    ask: text(mid + half),
    observedAtMs: second * SECOND_MS,
  });
  const quotes: SpotObservation[] = [];
  if (isTrading(hours, atMs, series.venue)) {
    const trade = tradeOf(series, seed);
    quotes.push(
      { ...quote("simulated", units), ...(trade && { volume: String(tradedIn(trade, second, second + 1)) }) },
      quote("simulated-b", units + share(units, distanceBps(seed, "simulated-b", second))),
      quote("simulated-c", units - share(units, distanceBps(seed, "simulated-c", second))),
    );
  }
  if (instrument !== "XAU-USD-SPOT") return quotes;
  const premiumBps = 5 + 15 * driftAt(noiseKey(seed, "simulated-token"), second, STRAY_SECONDS);
  return [...quotes, quote("simulated-token", units + share(units, premiumBps)), councilRate(atMs, seed, hours)];
};

/** The newest council rate: the price at 15:00 UTC, on days when the market is open then. */
const councilRate = (atMs: number, seed: number, hours: SimulatedHours): SpotObservation => {
  let setAtMs = Math.floor((atMs - COUNCIL_MS) / DAY_MS) * DAY_MS + COUNCIL_MS;
  while (!isTrading(hours, setAtMs, "metals")) setAtMs -= DAY_MS;
  return {
    kind: "spot",
    source: "simulated-council",
    instrument: "XAU-USD-SPOT",
    price: simulatedPrice("XAU-USD-SPOT", setAtMs, seed),
    observedAtMs: setAtMs,
  };
};

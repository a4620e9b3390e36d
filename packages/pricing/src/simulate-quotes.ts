/** Sources of the simulated market: three that disagree by a few bps around its price, a token and a council rate. */
import type { DecimalText } from "@assay/contract";
import type { SourceInfo, SpotObservation } from "./observation.ts";
import { unitsText } from "./simulate-digits.ts";
import { isTrading, openSpans, type SimulatedHours } from "./simulate-hours.ts";
import { driftAt, noiseKey, shareAt } from "./simulate-noise.ts";
import { priceUnits, simulatedPrice } from "./simulate-price.ts";
import { type Series, seriesOf } from "./simulate-series.ts";
import { tradedIn, tradeOf } from "./simulate-volume.ts";
import type { Instrument } from "./symbols.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const live = (key: string, displayName: string): SourceInfo => ({
  key,
  displayName,
  license: "simulated",
  role: "primary",
  intervalMs: SECOND_MS,
  freshForMs: 60 * SECOND_MS,
});

/** Every spot source of the simulated market. The first is its price; the second lies above it, the third below. */
export const simulatedSources: readonly SourceInfo[] = [
  live("simulated", "Simulated market"),
  live("simulated-b", "Simulated market B"),
  live("simulated-c", "Simulated market C"),
  { ...live("simulated-token", "Simulated gold token"), role: "informational", alwaysOpen: true },
  { ...live("simulated-council", "Simulated council rate"), role: "council", intervalMs: DAY_MS, freshForMs: 36 * HOUR_MS },
];

/** When the council rate is set, after midnight UTC. */
const COUNCIL_MS = 15 * HOUR_MS;

/** How a source's distance from the price changes: mostly 0.3 to 3 bps, and now and then up to 15 more for ten minutes. */
const STEADY_SECONDS = 32;
const STRAY_SECONDS = 600;
const STRAY_CHANCE = 1 / 250;
const STRAY_BPS = 15;

/** Distance of a source from the price, in bps; two of them never add up to 50. */
const distanceBps = (seed: number, source: string, second: number): number => {
  const key = noiseKey(seed, source);
  const steady = driftAt(key, second, STEADY_SECONDS);
  const block = Math.floor(second / STRAY_SECONDS);
  const place = second / STRAY_SECONDS - block;
  const isStray = shareAt(noiseKey(seed, `${source} stray`), block) < STRAY_CHANCE;
  return 0.3 + 2.7 * steady * steady + (isStray ? STRAY_BPS * 2 * Math.min(place, 1 - place) : 0);
};

const share = (units: number, bps: number): number => Math.max(1, Math.floor((units * bps) / 10_000 + 0.5));

/** What a reading may be asked with. */
export interface QuoteOptions {
  /** When the market trades: `always` by default. */
  readonly hours?: SimulatedHours;
  /** The instant of the reading before, whose volume is not told again; by default one second before. */
  readonly sinceMs?: number;
}

/**
 * What the simulated market's sources report at an instant.
 *
 * The three primary ones report at the same second, so the median of their prices is `simulatedPrice` exactly. While the
 * market is closed only the token and the council rate are left. Volume stands on the source `simulated` alone.
 * @param instrument what is priced
 * @param atMs epoch milliseconds; the second below counts
 * @param seed the market's seed
 * @param options trading hours, and the reading before
 */
export const simulatedQuotes = (
  instrument: Instrument,
  atMs: number,
  seed: number,
  { hours = "always", sinceMs = atMs - SECOND_MS }: QuoteOptions = {},
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
  if (isTrading(hours, atMs)) {
    const volume = volumeSince(series, seed, hours, Math.floor(sinceMs / SECOND_MS) + 1, second + 1);
    quotes.push(
      { ...quote("simulated", units), ...(volume !== null && { volume }) },
      quote("simulated-b", units + share(units, distanceBps(seed, "simulated-b", second))),
      quote("simulated-c", units - share(units, distanceBps(seed, "simulated-c", second))),
    );
  }
  if (instrument !== "XAU-USD-SPOT") return quotes;
  const premiumBps = 5 + 15 * driftAt(noiseKey(seed, "simulated-token"), second, STRAY_SECONDS);
  return [...quotes, quote("simulated-token", units + share(units, premiumBps)), councilRate(atMs, seed, hours)];
};

/** Units traded in the seconds of [from, to) while the market was open; null where no volume is known. */
const volumeSince = (series: Series, seed: number, hours: SimulatedHours, from: number, to: number): DecimalText | null => {
  const trade = tradeOf(series, seed);
  if (!trade) return null;
  const spans = openSpans(hours)(from * SECOND_MS, to * SECOND_MS);
  return String(spans.reduce((sum, span) => sum + tradedIn(trade, span.fromMs / SECOND_MS, span.toMs / SECOND_MS), 0));
};

/** The newest council rate: the price at 15:00 UTC, on days on which the market then trades. */
const councilRate = (atMs: number, seed: number, hours: SimulatedHours): SpotObservation => {
  let setAtMs = Math.floor((atMs - COUNCIL_MS) / DAY_MS) * DAY_MS + COUNCIL_MS;
  while (!isTrading(hours, setAtMs)) setAtMs -= DAY_MS;
  return {
    kind: "spot",
    source: "simulated-council",
    instrument: "XAU-USD-SPOT",
    price: simulatedPrice("XAU-USD-SPOT", setAtMs, seed),
    observedAtMs: setAtMs,
  };
};

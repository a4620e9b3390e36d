/** The simulated market as a clocked source: what each of its sources reports, every whole second. */
import { DAY_MS, MINUTE_MS, PHYSICAL_MARKETS, SECOND_MS, SURFACE_METALS } from "@assay/contract";
import {
  type BarObservation,
  type ClockedInfo,
  type ClockedSource,
  type DealerObservation,
  INSTRUMENTS,
  marketStateAt,
  type Observation,
  REPORTED_DAYS,
  settlementPublisher,
  utcDay,
} from "@assay/pricing";
import { simulatedDealerSource, simulatedDealers, simulatedDealersSetting } from "./dealers/dealers.ts";
import { SIMULATED_DEALER_CURRENCIES, simulatedFx, simulatedFxReference } from "./prices/fx.ts";
import { SIMULATED_SOURCE, simulatedBars } from "./prices/price.ts";
import { simulatedQuotes, simulatedSources } from "./prices/quotes.ts";
import { SIMULATED_SETTLEMENTS, simulatedSettlementMs, simulatedSettlements } from "./prices/settlements.ts";
import type { SimulatedHours } from "./series/series.ts";
import { simulatedBooks } from "./venues/books.ts";
import { simulatedOptions } from "./venues/options.ts";

interface SimulatedOptions {
  /** The same seed gives the same market, everywhere and always. */
  readonly seed: number;
  /** `always` never closes; `market` silences primaries while the real market is closed. */
  readonly hours: SimulatedHours;
}

/** A start catches up with a quarter of an hour. Before its last minutes no venue is read: the next report replaces all it said. */
const RECENT_MS = 2 * MINUTE_MS;
const CHAINS_EVERY_SECONDS = 60;
const BOOKS_EVERY_SECONDS = 20;
/** The chain's venue is its source; both venues of the books share one source. */
const CHAINS = "simulated-options";
const BOOKS = "simulated-markets";
const FX_EVERY_SECONDS = 10;
const DAYS_EVERY_SECONDS = 60;

const table = (key: string, displayName: string, intervalMs: number, freshForMs: number): ClockedInfo => ({
  key,
  displayName,
  license: "simulated",
  role: "primary",
  intervalMs,
  freshForMs,
  required: true,
});

/** The slowest dealer changes its prices every hour. */
const DEALER_FRESH_MS = 2 * 60 * MINUTE_MS;

/** A source per country. */
const DEALERS: readonly ClockedInfo[] = PHYSICAL_MARKETS.map(({ country, name }) => ({
  key: simulatedDealerSource(country),
  displayName: `Simulated dealer, ${name}`,
  license: "simulated",
  role: "informational",
  intervalMs: MINUTE_MS,
  freshForMs: DEALER_FRESH_MS,
  country,
  required: false,
}));

const SOURCES: ReadonlyMap<string, ClockedInfo> = new Map(
  [
    ...simulatedSources.map((source): ClockedInfo => ({ ...source, required: source.role === "primary" })),
    table("simulated-fx", "Simulated exchange rates", FX_EVERY_SECONDS * SECOND_MS, 60_000),
    table("simulated-ecb", "Simulated reference rates", DAY_MS, 5 * DAY_MS),
    ...DEALERS,
    table(SIMULATED_SETTLEMENTS, settlementPublisher(SIMULATED_SETTLEMENTS).displayName, DAY_MS, 5 * DAY_MS),
    table(CHAINS, "Simulated options", CHAINS_EVERY_SECONDS * SECOND_MS, 3 * MINUTE_MS),
    table(BOOKS, "Simulated prediction markets", BOOKS_EVERY_SECONDS * SECOND_MS, 3 * MINUTE_MS),
  ].map((source) => [source.key, source]),
);

/** The day so far of each reported series; just after midnight, the complete previous day and the new one. */
const reportedDays = (atMs: number, { seed, hours }: SimulatedOptions): BarObservation[] => {
  const fromMs = Math.floor((atMs - 1) / DAY_MS) * DAY_MS;
  return REPORTED_DAYS.flatMap((symbol) =>
    [...simulatedBars(symbol, "1d", fromMs, atMs + SECOND_MS, seed, hours)].map(
      ({ interval, barStartMs, open, high, low, close, volume }): BarObservation => ({
        kind: "bar",
        source: SIMULATED_SOURCE,
        symbol,
        interval,
        barStartMs,
        open,
        high,
        low,
        close,
        volume,
        observedAtMs: atMs,
      }),
    ),
  );
};

/** The dealers are read when they change prices, and again every minute as a poll would. */
const dealerReadings = (atMs: number, seed: number): DealerObservation[] => {
  const quotes =
    atMs % MINUTE_MS === 0
      ? simulatedDealers(atMs, seed)
      : simulatedDealersSetting(atMs, seed).flatMap((country) => simulatedDealers(atMs, seed, country));
  return quotes.map((quote) => ({ kind: "dealer", source: quote.source, quote, observedAtMs: quote.observedAtMs }));
};

/** Chains and books, for both metals; no quotes while the market is closed. */
const venueReadings = (second: number, { seed, hours }: SimulatedOptions): Observation[] => {
  const observedAtMs = second * SECOND_MS;
  if (second % BOOKS_EVERY_SECONDS !== 0 || (hours === "market" && !marketStateAt(observedAtMs).open)) return [];
  const chains = second % CHAINS_EVERY_SECONDS === 0 ? SURFACE_METALS : [];
  return [
    ...chains.map((metal): Observation => {
      const chain = simulatedOptions(metal, observedAtMs, seed);
      return { kind: "options", source: CHAINS, chain, observedAtMs };
    }),
    ...SURFACE_METALS.map((metal): Observation => {
      const markets = simulatedBooks(metal, observedAtMs, seed);
      return { kind: "markets", source: BOOKS, markets, observedAtMs };
    }),
  ];
};

/** Whether a whole second is that of a day's settlement, which falls on the same day in New York and UTC. */
const isSettlement = (atMs: number): boolean => atMs % MINUTE_MS === 0 && simulatedSettlementMs(utcDay(atMs)) === atMs;

const readingAt = (second: number, options: SimulatedOptions, isRecent: boolean): Observation[] => {
  const atMs = second * SECOND_MS;
  const { seed, hours } = options;
  return [
    ...INSTRUMENTS.flatMap((instrument) => simulatedQuotes(instrument, atMs, seed, hours)),
    ...(second % FX_EVERY_SECONDS === 0
      ? [simulatedFx(atMs, seed, SIMULATED_DEALER_CURRENCIES), simulatedFxReference(atMs, seed)]
      : []),
    ...(second % DAYS_EVERY_SECONDS === 0 ? reportedDays(atMs, options) : []),
    ...dealerReadings(atMs, seed),
    ...(isRecent ? venueReadings(second, options) : []),
    ...(isSettlement(atMs) ? simulatedSettlements(utcDay(atMs), seed) : []),
  ];
};

export const simulatedSource = (options: SimulatedOptions): ClockedSource => ({
  simulated: true,
  sources: SOURCES,
  *due(fromMs, toMs) {
    for (let second = Math.floor(fromMs / SECOND_MS) + 1; second * SECOND_MS <= toMs; second += 1) {
      const atMs = second * SECOND_MS;
      yield { atMs, observations: readingAt(second, options, toMs - atMs < RECENT_MS) };
    }
  },
  lastSpokeMs: (_source, atMs) => Math.floor(atMs / SECOND_MS) * SECOND_MS,
});

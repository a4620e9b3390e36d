/** The simulated market as a clocked source: a reading every whole second. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@assay/contract";
import type { ClockedInfo, ClockedSource } from "@assay/pricing";
import { type BarObservation, INSTRUMENTS, type Observation, REPORTED_DAYS, settlementPublisher, utcDay } from "@assay/pricing";
import { SIMULATED_DEALERS, simulatedDealerReadings } from "./dealers/readings.ts";
import { SIMULATED_SOURCE, simulatedBars } from "./prices/bars.ts";
import { SIMULATED_DEALER_CURRENCIES, simulatedFx, simulatedFxReference } from "./prices/fx.ts";
import { simulatedQuotes, simulatedSources } from "./prices/quotes.ts";
import { SIMULATED_SETTLEMENTS, simulatedSettlementMs, simulatedSettlements } from "./prices/settlements.ts";
import type { SimulatedHours } from "./series/hours.ts";
import { SIMULATED_VENUES, venueReadings } from "./venues/readings.ts";

/** Parameters of the simulated market. */
export interface SimulatedOptions {
  /** The same seed gives the same market, everywhere and always. */
  readonly seed: number;
  /** `always` never closes; `market` silences primaries while the real market is closed. */
  readonly hours: SimulatedHours;
}

/** A start catches up with a quarter of an hour. Before its last minutes no venue is read: the next report replaces all it said. */
const RECENT_MS = 2 * MINUTE_MS;
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

const SOURCES: ReadonlyMap<string, ClockedInfo> = new Map(
  [
    ...simulatedSources.map((source): ClockedInfo => ({ ...source, required: source.role === "primary" })),
    table("simulated-fx", "Simulated exchange rates", FX_EVERY_SECONDS * SECOND_MS, 60_000),
    table("simulated-ecb", "Simulated reference rates", DAY_MS, 5 * DAY_MS),
    ...SIMULATED_DEALERS,
    table(SIMULATED_SETTLEMENTS, settlementPublisher(SIMULATED_SETTLEMENTS).displayName, DAY_MS, 5 * DAY_MS),
    ...SIMULATED_VENUES.map((venue) => table(venue.key, venue.displayName, venue.intervalMs, 3 * MINUTE_MS)),
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

/** Whether a whole second is that of a day's settlement, which falls on the same day in New York and UTC. */
const isSettlement = (atMs: number): boolean => atMs % MINUTE_MS === 0 && simulatedSettlementMs(utcDay(atMs)) === atMs;

const readingAt = (second: number, options: SimulatedOptions, isRecent: boolean): Observation[] => {
  const atMs = second * SECOND_MS;
  const { seed, hours } = options;
  return [
    ...INSTRUMENTS.flatMap((instrument) => simulatedQuotes(instrument, atMs, seed, { hours })),
    ...(second % FX_EVERY_SECONDS === 0
      ? [simulatedFx(atMs, seed, SIMULATED_DEALER_CURRENCIES), simulatedFxReference(atMs, seed)]
      : []),
    ...(second % DAYS_EVERY_SECONDS === 0 ? reportedDays(atMs, options) : []),
    ...simulatedDealerReadings(atMs, seed),
    ...(isRecent ? venueReadings(second, options) : []),
    ...(isSettlement(atMs) ? simulatedSettlements(utcDay(atMs), seed) : []),
  ];
};

/** Runs the simulated market as a source. */
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

/** The simulated market as a clocked source: a reading each whole second. */
import {
  type BarObservation,
  INSTRUMENTS,
  type Observation,
  SIMULATED_DEALER_CURRENCIES,
  SIMULATED_SETTLEMENTS,
  SIMULATED_SOURCE,
  type SimulatedHours,
  settlementPublisher,
  simulatedBars,
  simulatedFx,
  simulatedFxReference,
  simulatedQuotes,
  simulatedSettlementMs,
  simulatedSettlements,
  simulatedSources,
  utcDay,
} from "@assay/pricing";
import type { ClockedInfo, ClockedSource } from "./clocked-source.ts";
import { SIMULATED_DEALERS, simulatedDealerReadings } from "./simulated-dealers.ts";
import { SIMULATED_VENUES, venueReadings } from "./simulated-venues.ts";

/** What the simulated market depends on. */
export interface SimulatedOptions {
  /** The same seed gives the same market, everywhere and always. */
  readonly seed: number;
  /** `always` never closes; `market` leaves primaries silent while the real market is closed. */
  readonly hours: SimulatedHours;
}

/** Series of which the market reports days instead of ticks: they serve ratios alone. */
export const REPORTED_DAYS = ["XPT-USD-SPOT", "XPD-USD-SPOT"] as const;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
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

/** The day of each reported series so far; just after midnight the day before, whole, and the new one. */
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

/** Whether a whole second is the one of a day's settlement, which falls on the same day in New York and UTC. */
const isSettlement = (atMs: number): boolean => atMs % MINUTE_MS === 0 && simulatedSettlementMs(utcDay(atMs)) === atMs;

const readingAt = (second: number, options: SimulatedOptions): Observation[] => {
  const atMs = second * SECOND_MS;
  const { seed, hours } = options;
  return [
    ...INSTRUMENTS.flatMap((instrument) => simulatedQuotes(instrument, atMs, seed, { hours })),
    ...(second % FX_EVERY_SECONDS === 0
      ? [simulatedFx(atMs, seed, SIMULATED_DEALER_CURRENCIES), simulatedFxReference(atMs, seed)]
      : []),
    ...(second % DAYS_EVERY_SECONDS === 0 ? reportedDays(atMs, options) : []),
    ...simulatedDealerReadings(atMs, seed),
    ...venueReadings(second, options),
    ...(isSettlement(atMs) ? simulatedSettlements(utcDay(atMs), seed) : []),
  ];
};

/** Plays the simulated market. */
export const simulatedSource = (options: SimulatedOptions): ClockedSource => ({
  simulated: true,
  sources: SOURCES,
  *due(fromMs, toMs) {
    for (let second = Math.floor(fromMs / SECOND_MS) + 1; second * SECOND_MS <= toMs; second += 1) {
      yield { atMs: second * SECOND_MS, observations: readingAt(second, options) };
    }
  },
  lastSpokeMs: (_source, atMs) => Math.floor(atMs / SECOND_MS) * SECOND_MS,
});

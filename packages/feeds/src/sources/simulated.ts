/** The simulated market as a feed: every second what its sources report, and its currency tables when they are new. */
import {
  INSTRUMENTS,
  type Observation,
  SIMULATED_DEALER_CURRENCIES,
  type SimulatedHours,
  type SourceInfo,
  simulatedFx,
  simulatedFxReference,
  simulatedQuotes,
  simulatedSources,
} from "@assay/pricing";
import type { Feed } from "../feed.ts";

/** What the simulated market depends on. */
export interface SimulatedOptions {
  /** The same seed gives the same market, everywhere and always. */
  readonly seed: number;
  /** `always` never closes; `market` leaves primaries silent while the real market is closed. */
  readonly hours: SimulatedHours;
}

const KEY = "simulated";
const INTERVAL_MS = 1_000;

const info = {
  key: KEY,
  displayName: "Simulated market",
  license: "simulated",
  role: "primary",
  intervalMs: INTERVAL_MS,
  freshForMs: 60_000,
  required: true,
  publisher: "Assay",
  url: "",
  terms: "Made up by this software; no figure of it is a price.",
  moves: false,
} as const;

const table = (key: string, displayName: string, intervalMs: number, freshForMs: number): SourceInfo => ({
  key,
  displayName,
  license: "simulated",
  role: "primary",
  intervalMs,
  freshForMs,
});

const DAY_MS = 86_400_000;
const SOURCES: readonly SourceInfo[] = [
  ...simulatedSources,
  table("simulated-fx", "Simulated exchange rates", 10_000, 60_000),
  table("simulated-ecb", "Simulated reference rates", DAY_MS, 5 * DAY_MS),
];

const seriesOf = (observation: Observation): string =>
  observation.kind === "spot" ? `${observation.source} ${observation.instrument}` : observation.source;

/** A feed of its own market; it remembers what it has told, so that nothing is told twice. */
export const simulatedFeed = ({ seed, hours }: SimulatedOptions): Feed => {
  const toldAtMs = new Map<string, number>();
  let lastMs: number | null = null;
  const isNew = (observation: Observation): boolean => {
    const series = seriesOf(observation);
    if ((toldAtMs.get(series) ?? Number.NEGATIVE_INFINITY) >= observation.observedAtMs) return false;
    toldAtMs.set(series, observation.observedAtMs);
    return true;
  };
  return {
    info,
    kind: "simulated",
    sources: SOURCES,
    baseUrl: null,
    // On the second, because that is when its prices change.
    nextDelayMs: (nowMs) => INTERVAL_MS - (nowMs % INTERVAL_MS),
    fetch: async ({ nowMs }) => {
      const options = { hours, ...(lastMs !== null && { sinceMs: lastMs }) };
      lastMs = nowMs;
      return [
        simulatedFx(nowMs, seed, SIMULATED_DEALER_CURRENCIES),
        simulatedFxReference(nowMs, seed),
        ...INSTRUMENTS.flatMap((instrument) => simulatedQuotes(instrument, nowMs, seed, options)),
      ].filter(isNew);
    },
  };
};

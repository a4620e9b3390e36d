/** Simulated options and prediction markets, reported at the intervals of real venues. */
import { SECOND_MS, SURFACE_METALS } from "@assay/contract";
import { marketStateAt, type Observation } from "@assay/pricing";
import type { SimulatedHours } from "../series/hours.ts";
import { simulatedBooks } from "./books.ts";
import { simulatedOptions } from "./options.ts";

const CHAINS_EVERY_SECONDS = 60;
const BOOKS_EVERY_SECONDS = 20;
/** The chain's venue is its source; both venues of the books share one source. */
const CHAINS = "simulated-options";
const BOOKS = "simulated-markets";

/** The sources, and how often each reports. */
export const SIMULATED_VENUES: readonly { readonly key: string; readonly displayName: string; readonly intervalMs: number }[] = [
  { key: CHAINS, displayName: "Simulated options", intervalMs: CHAINS_EVERY_SECONDS * SECOND_MS },
  { key: BOOKS, displayName: "Simulated prediction markets", intervalMs: BOOKS_EVERY_SECONDS * SECOND_MS },
];

/**
 * What the simulated venues report at a whole second: chains every minute, books every 20 seconds, for both metals.
 * @param second seconds since 1970-01-01
 * @param options the market's seed, and its trading hours: there are no quotes while it is closed
 */
export const venueReadings = (
  second: number,
  { seed, hours }: { readonly seed: number; readonly hours: SimulatedHours },
): Observation[] => {
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

/** The dealers of the simulated market as a source: read when they set new prices, and again every minute as a poll would. */
import { PHYSICAL_MARKETS } from "@assay/contract";
import {
  type DealerObservation,
  type ProductQuote,
  simulatedDealerSource,
  simulatedDealers,
  simulatedDealersSetting,
} from "@assay/pricing";
import type { ClockedInfo } from "./clocked-source.ts";

const MINUTE_MS = 60_000;
/** The slowest of them sets new prices every hour. */
const FRESH_MS = 2 * 60 * MINUTE_MS;

/** A source for each country. */
export const SIMULATED_DEALERS: readonly ClockedInfo[] = PHYSICAL_MARKETS.map(({ country, name }) => ({
  key: simulatedDealerSource(country),
  displayName: `Simulated dealer, ${name}`,
  license: "simulated",
  role: "informational",
  intervalMs: MINUTE_MS,
  freshForMs: FRESH_MS,
  country,
  required: false,
}));

const observationOf = (quote: ProductQuote): DealerObservation => ({
  kind: "dealer",
  source: quote.source,
  quote,
  observedAtMs: quote.observedAtMs,
});

/** What is read at a whole second; mostly nothing. */
export const simulatedDealerReadings = (atMs: number, seed: number): DealerObservation[] => {
  const quotes =
    atMs % MINUTE_MS === 0
      ? simulatedDealers(atMs, seed)
      : simulatedDealersSetting(atMs, seed).flatMap((country) => simulatedDealers(atMs, seed, country));
  return quotes.map(observationOf);
};

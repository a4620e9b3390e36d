/** The simulated dealers as a source: read when they change prices, and again every minute as a poll would. */
import { MINUTE_MS, PHYSICAL_MARKETS } from "@assay/contract";
import type { ClockedInfo, DealerObservation, ProductQuote } from "@assay/pricing";
import { simulatedDealerSource, simulatedDealers, simulatedDealersSetting } from "./dealers.ts";

/** The slowest of them changes its prices every hour. */
const FRESH_MS = 2 * 60 * MINUTE_MS;

/** A source per country. */
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

/** The readings of a whole second; usually none. */
export const simulatedDealerReadings = (atMs: number, seed: number): DealerObservation[] => {
  const quotes =
    atMs % MINUTE_MS === 0
      ? simulatedDealers(atMs, seed)
      : simulatedDealersSetting(atMs, seed).flatMap((country) => simulatedDealers(atMs, seed, country));
  return quotes.map(observationOf);
};

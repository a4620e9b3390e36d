/** Runs dealers' quotes through the gate that each must pass before it is served. */
import {
  type DealerObservation,
  type DealerRule,
  type Observation,
  shiftPoint,
  spotPerGram,
  validateDealerQuote,
} from "@assay/pricing";

/** Gold in USD per troy ounce at a moment, and the local currency per USD. */
export interface Moment {
  readonly usdPerOzt: string;
  readonly rate: string;
}

export const dealersAmong = (observations: readonly Observation[]): readonly DealerObservation[] =>
  observations.filter((observation) => observation.kind === "dealer");

/** The gate's verdict on each, at the moment it was quoted: `ok`, or the rule it breaks. */
export const gated = (observations: readonly Observation[], { usdPerOzt, rate }: Moment): readonly ("ok" | DealerRule)[] =>
  dealersAmong(observations).map(({ quote }) => {
    const spot = spotPerGram(usdPerOzt, rate);
    const verdict = validateDealerQuote(quote, { nowMs: quote.observedAtMs, freshForMs: 60_000, spot });
    return verdict.ok ? "ok" : verdict.rule;
  });

/** The same quotes with every price's decimal point shifted, as when a publisher changes its unit. */
export const slipped = (observations: readonly Observation[], places: number): readonly DealerObservation[] =>
  dealersAmong(observations).map((observation) => {
    const { sell, buyback } = observation.quote;
    const moved = (price: string | null): string | null => (price === null ? null : shiftPoint(price, places));
    return { ...observation, quote: { ...observation.quote, sell: moved(sell), buyback: moved(buyback) } };
  });

/** Detects figures that have been frozen for too long while the market is open. */
import { type FrozenRun, frozenRun, isFrozen, type Observation } from "@assay/pricing";

/** Checks each reading in turn. */
export interface Standstill {
  /** Since when the reading's figure has been the same, when that is too long; otherwise null. */
  frozenSince(observation: Observation, nowMs: number): number | null;
}

const seriesOf = (observation: Observation): string => {
  switch (observation.kind) {
    case "spot":
      return `${observation.source} ${observation.instrument}`;
    case "fx":
      return `${observation.source} ${observation.role}`;
    case "bar":
      return `${observation.source} ${observation.symbol} ${observation.interval}`;
    case "settlement":
      return `${observation.source} ${observation.futuresContract}`;
    case "dealer":
      return `${observation.source} ${observation.quote.id}`;
    case "options":
    case "markets":
      return observation.source;
  }
};

/** The figures without their time: a timestamp that advances beside a frozen price is no sign of life. */
const figuresOf = (observation: Observation): string => {
  switch (observation.kind) {
    case "spot":
      return `${observation.price} ${observation.bid} ${observation.ask}`;
    case "fx":
      return JSON.stringify(observation.rates);
    case "bar":
      return `${observation.barStartMs} ${observation.close} ${observation.volume}`;
    case "settlement":
      return `${observation.settlementDate} ${observation.price}`;
    case "dealer":
      return `${observation.quote.sell} ${observation.quote.buyback}`;
    case "options":
      return JSON.stringify(observation.chain.expiries);
    case "markets":
      return JSON.stringify(observation.markets.map(({ marketId, book }) => [marketId, book]));
  }
};

/**
 * The initial state.
 * @param isMarketOpen while false, figures may stand still; afterwards counting restarts
 */
export const standstill = (isMarketOpen: (nowMs: number) => boolean): Standstill => {
  const runs = new Map<string, FrozenRun>();
  return {
    frozenSince: (observation, nowMs) => {
      const series = seriesOf(observation);
      if (!isMarketOpen(nowMs)) {
        runs.delete(series);
        return null;
      }
      const run = frozenRun(runs.get(series) ?? null, figuresOf(observation), nowMs);
      runs.set(series, run);
      return isFrozen(run, nowMs, true) ? run.sinceMs : null;
    },
  };
};

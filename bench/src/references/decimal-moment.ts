/** Reference: one moment's arithmetic with decimal.js, figure by figure. */
import { CURRENCIES } from "@assay/contract";
import type { FxObservation, SpotObservation } from "@assay/pricing";
import { Decimal } from "decimal.js";

const Exact = Decimal.clone({ precision: 40 });

const medianOf = (figures: readonly Decimal[]): Decimal => {
  const sorted = figures.toSorted((left, right) => left.cmp(right));
  const upper = sorted[sorted.length >> 1] ?? new Exact(0);
  return sorted.length % 2 === 1 ? upper : upper.plus(sorted[(sorted.length >> 1) - 1] ?? upper).div(2);
};

const decimalsOf = (price: Decimal): number => (price.gte(100) ? 2 : price.gte(1) ? 4 : 6);

/** Prices every instrument and converts gold to every currency. */
export const decimalMoment = (quotes: readonly SpotObservation[], fx: FxObservation): string[] => {
  const byInstrument = new Map<string, SpotObservation[]>();
  for (const quote of quotes) byInstrument.set(quote.instrument, [...(byInstrument.get(quote.instrument) ?? []), quote]);
  const written: string[] = [];
  for (const [instrument, readings] of byInstrument) {
    const prices = readings.map((reading) => new Exact(reading.price));
    const bids = readings.flatMap((reading) => (reading.bid === undefined ? [] : [new Exact(reading.bid)]));
    const asks = readings.flatMap((reading) => (reading.ask === undefined ? [] : [new Exact(reading.ask)]));
    const price = medianOf(prices);
    const range = Decimal.max(...prices).minus(Decimal.min(...prices));
    const spread = medianOf(asks.map((ask, index) => ask.minus(bids[index] ?? ask)));
    written.push(
      price.toFixed(),
      medianOf(bids).toFixed(),
      medianOf(asks).toFixed(),
      Decimal.max(range, spread).div(2).toFixed(),
    );
    written.push(range.div(price).times(10_000).toFixed(1));
    if (instrument !== "XAU-USD-SPOT") continue;
    for (const currency of CURRENCIES) {
      const rate = currency === "USD" ? "1" : fx.rates[currency];
      const crossed = rate === undefined ? null : price.times(rate);
      if (crossed) written.push(crossed.toFixed(decimalsOf(crossed)));
    }
  }
  return written;
};

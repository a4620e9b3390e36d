/** P11: all the arithmetic of one tick, compared with decimal.js one figure at a time. */
import { CURRENCIES } from "@assay/contract";
import {
  compose as composePrice,
  EMPTY_FX,
  type FxObservation,
  type FxState,
  fxRate,
  INSTRUMENTS,
  presentCrossed,
  type SourceInfo,
  type SpotObservation,
  withFx,
} from "@assay/pricing";
import { simulatedFx, simulatedQuotes, simulatedSources } from "@assay/simulator";
import { Decimal } from "decimal.js";
import type { Goal } from "../goal.ts";
import { median } from "../measure/statistics.ts";

const Exact = Decimal.clone({ precision: 40 });

const medianOf = (figures: readonly Decimal[]): Decimal => {
  const sorted = figures.toSorted((left, right) => left.cmp(right));
  const upper = sorted[sorted.length >> 1] ?? new Exact(0);
  return sorted.length % 2 === 1 ? upper : upper.plus(sorted[(sorted.length >> 1) - 1] ?? upper).div(2);
};

const decimalsOf = (price: Decimal): number => (price.gte(100) ? 2 : price.gte(1) ? 4 : 6);

/** Prices every instrument and converts gold to every currency. */
const ourMoment = (
  quotes: readonly SpotObservation[],
  sources: ReadonlyMap<string, SourceInfo>,
  fx: FxState,
  atMs: number,
): string[] => {
  const prices = INSTRUMENTS.flatMap((instrument) => composePrice(instrument, quotes, sources, atMs) ?? []);
  const gold = prices.find(({ instrument }) => instrument === "XAU-USD-SPOT");
  return CURRENCIES.flatMap((currency) => {
    const rate = fxRate(fx, currency, atMs);
    return gold && rate ? [presentCrossed(gold.price, rate)] : [];
  });
};

/** The same with decimal.js, one figure at a time. */
const decimalMoment = (quotes: readonly SpotObservation[], fx: FxObservation): string[] => {
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

const FROM_MS = Date.UTC(2026, 10, 20, 12);
const MOMENTS = 300;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 9;

const momentAt = (_: unknown, second: number) => {
  const atMs = FROM_MS + second * 1_000;
  const table = simulatedFx(atMs, 1);
  const quotes = INSTRUMENTS.flatMap((instrument) => simulatedQuotes(instrument, atMs, 1));
  return { atMs, table, fx: withFx(EMPTY_FX, table), quotes };
};

/** The goal of composition. */
export const compose: Goal = {
  id: "P11",
  what: "composition of all instruments and currencies for one tick",
  floor: "decimal.js, one figure at a time",
  run: async () => {
    const sources = new Map(simulatedSources.map((info) => [info.key, info]));
    const moments = Array.from({ length: MOMENTS }, momentAt);
    const perMoment = (work: (moment: ReturnType<typeof momentAt>) => void): number => {
      const startedMs = performance.now();
      for (const moment of moments) work(moment);
      return (performance.now() - startedMs) / MOMENTS;
    };
    const ours: number[] = [];
    const decimals: number[] = [];
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
      ours.push(perMoment(({ atMs, fx, quotes }) => ourMoment(quotes, sources, fx, atMs)));
      decimals.push(perMoment(({ table, quotes }) => decimalMoment(quotes, table)));
    }
    for (const rounds of [ours, decimals]) rounds.splice(0, WARM_UP_ROUNDS);
    const raw = `${median(ours).toFixed(3)} ms against ${median(decimals).toFixed(3)} ms with decimal.js one by one`;
    const ratios = ours.map((own, round) => own / (decimals[round] ?? Number.NaN));
    return [
      {
        what: "composition of all instruments and currencies for one tick",
        value: median(ours),
        unit: "ms",
        bound: { atMost: 1 },
        raw,
      },
      { what: "the same composition, against decimal.js one by one", value: median(ratios), unit: "×", raw },
    ];
  },
};

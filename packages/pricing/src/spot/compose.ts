/** Composition: turns many sources' readings of one instrument into a single price. */
import type { DecimalText } from "@assay/contract";
import type { Instrument } from "../market/symbols.ts";
import { addDecimalText, divideHalfUp, readScaled, type Scaled, unitsAt, writeUnits } from "../number/scaled.ts";
import { type KnownReading, knownReadings } from "../readings/freshness.ts";
import type { SourceInfo, SpotObservation } from "../readings/observation.ts";
import type { PriceSource, SpotPrice } from "./price.ts";

/** Readings that set a price, in units of one scale: two digits more than published, so that halves of halves are exact. */
interface Setting {
  readonly scale: number;
  /** Maximum decimals published by the sources. */
  readonly published: number;
  /** Ascending. */
  readonly prices: readonly bigint[];
  readonly bids: readonly bigint[];
  readonly asks: readonly bigint[];
  readonly spreads: readonly bigint[];
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

const settingOf = (readings: readonly KnownReading[]): Setting => {
  const prices: Scaled[] = [];
  const pairs: { bid: Scaled; ask: Scaled }[] = [];
  let published = 0;
  for (const { observation } of readings) {
    const price = readScaled(observation.price);
    prices.push(price);
    published = Math.max(published, price.scale);
    if (observation.bid === undefined || observation.ask === undefined) continue;
    const pair = { bid: readScaled(observation.bid), ask: readScaled(observation.ask) };
    pairs.push(pair);
    published = Math.max(published, pair.bid.scale, pair.ask.scale);
  }
  const scale = published + 2;
  const bids = pairs.map(({ bid }) => unitsAt(bid, scale));
  const asks = pairs.map(({ ask }) => unitsAt(ask, scale));
  return {
    scale,
    published,
    prices: prices.map((price) => unitsAt(price, scale)).sort(ascending),
    spreads: asks.map((ask, index) => ask - (bids[index] ?? ask)).sort(ascending),
    bids: bids.sort(ascending),
    asks: asks.sort(ascending),
  };
};

/** The median of ascending figures; of an even number, the mean of the two middle ones. */
const median = (sorted: readonly bigint[]): bigint => {
  const upper = sorted[sorted.length >> 1] ?? 0n;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? 0n)) / 2n;
};

const rangeOf = (sorted: readonly bigint[]): bigint => (sorted.at(-1) ?? 0n) - (sorted[0] ?? 0n);

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const asPriceSource = ({ observation, info, freshUntilMs }: KnownReading): PriceSource => ({
  source: observation.source,
  displayName: info.displayName,
  license: info.license,
  role: info.role,
  price: observation.price,
  observedAtMs: observation.observedAtMs,
  freshUntilMs,
});

/** Volume since the last tick, from the first fresh primary that states volumes; other sources report the same trades. */
const volumeOf = (setting: readonly KnownReading[], readings: readonly SpotObservation[]): DecimalText | undefined => {
  const teller = setting.find(({ observation }) => observation.volume !== undefined)?.observation;
  let sum: DecimalText | undefined;
  for (const { source, instrument, volume } of readings) {
    if (source !== teller?.source || instrument !== teller.instrument || volume === undefined) continue;
    sum = sum === undefined ? volume : addDecimalText(sum, volume);
  }
  return sum;
};

/**
 * Composes the price of one instrument.
 *
 * The price is the median of the fresh primaries (of an even number: the mean of the two middle ones, exactly); when no primary
 * is fresh, of the fresh council rates. Informational sources are listed but never set it. Bid and ask are the medians over the
 * setting sources that state both, widened to include the price. conf = max(half the median spread, half the range of the setting
 * sources). divergenceBps = (highest − lowest) / median × 10 000 over the fresh primaries.
 * @param instrument the instrument
 * @param latestBySource the latest valid reading of each source
 * @param sources the sources by key; readings of other sources are ignored
 * @param nowMs now
 * @param sinceLastTick readings received since the last tick, for the volume; when omitted, the price has none
 * @returns the price, unrounded, in USD per the instrument's unit; null when neither a primary nor the council is fresh, or when
 *   the result is not above zero
 * @throws RangeError when a reading is not a plain decimal; validated readings always are
 */
export const compose = (
  instrument: Instrument,
  latestBySource: readonly SpotObservation[],
  sources: ReadonlyMap<string, SourceInfo>,
  nowMs: number,
  sinceLastTick: readonly SpotObservation[] = [],
): SpotPrice | null => {
  const readings = knownReadings(instrument, latestBySource, sources);
  const fresh = readings.filter(({ freshUntilMs }) => nowMs <= freshUntilMs);
  const primaries = fresh.filter(({ info }) => info.role === "primary");
  const basis = primaries.length > 0 ? "primary" : "council";
  const setters = basis === "primary" ? primaries : fresh.filter(({ info }) => info.role === "council");
  if (setters.length === 0) return null;

  const { scale, published, prices, bids, asks, spreads } = settingOf(setters);
  const write = (units: bigint): DecimalText => writeUnits(units, scale, published);
  const price = median(prices);
  if (price <= 0n) return null;
  const volume = volumeOf(setters, sinceLastTick);
  return {
    instrument,
    price: write(price),
    ...(bids.length > 0 && { bid: write(smaller(median(bids), price)), ask: write(larger(median(asks), price)) }),
    conf: write(larger(median(spreads), rangeOf(prices)) / 2n),
    basis,
    sources: readings.map(asPriceSource),
    divergenceBps: primaries.length < 2 ? null : Number(divideHalfUp(rangeOf(prices) * 100_000n, price)) / 10,
    ...(volume !== undefined && { volume }),
    computedAtMs: nowMs,
    freshUntilMs: Math.max(...setters.map(({ freshUntilMs }) => freshUntilMs)),
  };
};

/** Composition: turns many sources' readings of one instrument into a single price, as plain data that processes can exchange. */
import type { DecimalText } from "@assay/contract";
import type { Instrument } from "../conventions/symbols.ts";
import { addDecimalText, divideHalfUp, medianUnits, readScaled, type Scaled, unitsAt, writeUnits } from "../number/scaled.ts";
import { type KnownReading, knownReadings, oneOfEachOrigin } from "../readings/freshness.ts";
import type { SourceInfo, SpotObservation } from "../readings/observation.ts";
import type { AbsentSource, KnownSources, PriceSource } from "./price-source.ts";

/** A composed price in USD per the instrument's unit; unrounded. */
export interface SpotPrice {
  readonly instrument: Instrument;
  readonly price: DecimalText;
  readonly bid?: DecimalText;
  readonly ask?: DecimalText;
  /** Half-width of the confidence band: half the spread or half the range of sources, whichever is larger. */
  readonly conf: DecimalText;
  /** What set the price: fresh primaries, or the council rate when none was fresh. */
  readonly basis: "primary" | "council";
  readonly sources: readonly PriceSource[];
  /** Omitted when every source had a reading. */
  readonly absent?: readonly AbsentSource[];
  /** (highest − lowest) / median × 10 000 over fresh primaries, one decimal; null with fewer than two. */
  readonly divergenceBps: number | null;
  /** Volume since the last tick, for futures and funds. */
  readonly volume?: DecimalText;
  readonly computedAtMs: number;
  /** The last instant at which the price is fresh. */
  readonly freshUntilMs: number;
}

/** A published price: `seq` rises by one per instrument, across restarts, writers and processes. */
export interface Tick extends SpotPrice {
  readonly seq: number;
  /** The number of the rates that stood beside it; absent from a writer of an earlier version. */
  readonly rateSet?: number;
}

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

const keyOf = ({ info }: KnownReading): string => info.key;

/** What became of every source: which of the readings count, and which of those set the price. */
const listSources = (
  readings: readonly KnownReading[],
  { refused, declared }: Omit<KnownSources, "readings">,
  counted: readonly KnownReading[],
  setters: readonly KnownReading[],
): Pick<SpotPrice, "sources" | "absent"> => {
  const [counting, setting] = [new Set(counted.map(keyOf)), new Set(setters.map(keyOf))];
  const role = setters[0]?.info.role;
  const listed = readings.map((reading): PriceSource => {
    const source = asPriceSource(reading);
    const key = keyOf(reading);
    if (counting.has(key)) return reading.info.role === role && !setting.has(key) ? { ...source, isCopy: true } : source;
    const rule = refused.get(key);
    return rule === undefined ? source : { ...source, rule };
  });
  if (declared.length === 0) return { sources: listed };
  const known = new Set(readings.map(keyOf));
  const absent = declared
    .filter(({ key }) => !known.has(key))
    .map(({ key, displayName, license, role: of }): AbsentSource => {
      const rule = refused.get(key);
      return { source: key, displayName, license, role: of, ...(rule !== undefined && { rule }) };
    });
  return { sources: listed, ...(absent.length > 0 && { absent }) };
};

/** Volume since the last tick, from the first fresh primary that states volumes; other sources report the same trades. */
const volumeOf = (setting: readonly KnownReading[], readings: readonly SpotObservation[]): DecimalText | undefined => {
  const stated = setting.find(({ observation }) => observation.volume !== undefined)?.observation;
  let sum: DecimalText | undefined;
  for (const { source, instrument, volume } of readings) {
    if (source !== stated?.source || instrument !== stated.instrument || volume === undefined) continue;
    sum = sum === undefined ? volume : addDecimalText(sum, volume);
  }
  return sum;
};

/**
 * Composes the price of one instrument.
 *
 * The price is the median of the fresh primaries (of an even number: the mean of the two middle ones, exactly); when no primary
 * is fresh, of the fresh council rates. Of each origin the newest reading counts. Informational sources are listed but never set it. Bid and ask are the medians over the
 * setting sources that state both, widened to include the price. conf = max(half the median spread, half the range of the setting
 * sources). divergenceBps = (highest − lowest) / median × 10 000 over the fresh primaries that set it.
 * @param latestBySource the latest valid reading of each source
 * @param sources the sources by key; readings of other sources are ignored
 * @param sinceLastTick readings received since the last tick, for the volume; when omitted, the price has none
 * @param known every source of the instrument, to list those that are not believed too
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
  known: KnownSources = { readings: latestBySource, refused: new Map(), declared: [] },
): SpotPrice | null => {
  const readings = knownReadings(instrument, latestBySource, sources);
  const fresh = readings.filter(({ freshUntilMs }) => nowMs <= freshUntilMs);
  const primaries = fresh.filter(({ info }) => info.role === "primary");
  const basis = primaries.length > 0 ? "primary" : "council";
  const inRole = basis === "primary" ? primaries : fresh.filter(({ info }) => info.role === "council");
  const setters = oneOfEachOrigin(inRole);
  if (setters.length === 0) return null;

  const { scale, published, prices, bids, asks, spreads } = settingOf(setters);
  const write = (units: bigint): DecimalText => writeUnits(units, scale, published);
  const price = medianUnits(prices);
  if (price <= 0n) return null;
  const volume = volumeOf(setters, sinceLastTick);
  const all = known.readings === latestBySource ? readings : knownReadings(instrument, known.readings, sources);
  return {
    instrument,
    price: write(price),
    ...(bids.length > 0 && { bid: write(smaller(medianUnits(bids), price)), ask: write(larger(medianUnits(asks), price)) }),
    conf: write(larger(medianUnits(spreads), rangeOf(prices)) / 2n),
    basis,
    ...listSources(all, known, fresh, setters),
    divergenceBps:
      basis === "council" || setters.length < 2 ? null : Number(divideHalfUp(rangeOf(prices) * 100_000n, price)) / 10,
    ...(volume !== undefined && { volume }),
    computedAtMs: nowMs,
    freshUntilMs: Math.max(...setters.map(({ freshUntilMs }) => freshUntilMs)),
  };
};

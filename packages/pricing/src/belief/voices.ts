/**
 * The fresh readings of an instrument as witnesses: one for each origin, the band within which two of them agree, the factors by
 * which figures in the wrong unit are off, and the groups that agree.
 */
import { catalogue } from "@assay/catalogue";
import { DAY_MS, type DecimalText, HOUR_MS } from "@assay/contract";
import type { Instrument } from "../conventions/symbols.ts";
import { atOneScale, medianUnits, readScaled, unitsAt } from "../number/scaled.ts";
import { type KnownReading, knownReadings, newestOfOrigins, oneOfEachOrigin, originOf } from "../readings/freshness.ts";
import type { SourceInfo, SpotObservation } from "../readings/observation.ts";

/** What each day between two witnesses adds to the band, in basis points. */
const PER_DAY_BPS = 500;
/** The maximum width. */
export const MAX_BAND_BPS = 3_500;

/**
 * The band of an instrument.
 * @param elapsedMs time between the two witnesses, in milliseconds; the sign does not matter
 * @returns the base within the hour, 500 bps more for each day between them, at most 3 500
 */
export const bandBps = (instrument: Instrument, elapsedMs: number): number => {
  const apartMs = Math.abs(elapsedMs);
  // Readings of one moment: sources of gold differ by tens of basis points in volatile markets, never by whole percents.
  const base = catalogue.instrument(instrument).plausible.agreement_bps;
  return apartMs <= HOUR_MS ? base : Math.min(MAX_BAND_BPS, base + Math.floor((PER_DAY_BPS * apartMs) / DAY_MS));
};

/**
 * Whether a figure is within a band around a reference, bounds inclusive; exact.
 * @param figure units of some scale
 * @param reference units of the same scale, above zero
 */
export const isNear = (figure: bigint, reference: bigint, bps: number): boolean => {
  const difference = figure > reference ? figure - reference : reference - figure;
  return difference * 10_000n <= BigInt(bps) * reference;
};

/**
 * Whether a price is within a band around another, bounds inclusive; exact.
 * @param reference above zero
 * @throws RangeError when one is not a plain decimal
 */
export const isSamePrice = (price: DecimalText, reference: DecimalText, bps: number): boolean => {
  const { left, right } = atOneScale(price, reference);
  return isNear(left, right, bps);
};

/**
 * Publishers are off by these when they mix weights, or dollars and cents: grams in a troy ounce, grams in a kilogram, grams in a
 * pound, troy ounces in a pound, cents in a dollar.
 */
const FACTORS = ["31.1034768", "1000", "453.59237", "14.583", "100"] as const;

const SCALE = 7;
const ONE = 10n ** BigInt(SCALE);
const EXACT = FACTORS.map((text) => ({ text, units: unitsAt(readScaled(text), SCALE) }));

/**
 * The factor by which a figure is off.
 * @param figure units of some scale
 * @param reference units of the same scale, above zero
 * @returns the factor, whether it was multiplied or divided by; null when the figure is within the band for none of them
 */
export const unitFactor = (figure: bigint, reference: bigint, bandBps: number): string | null =>
  EXACT.find(({ units }) => isNear(figure * ONE, reference * units, bandBps) || isNear(figure * units, reference * ONE, bandBps))
    ?.text ?? null;

export interface Voice extends KnownReading {
  /** Who made the figure. */
  readonly origin: string;
  readonly units: bigint;
}

/** Every reading of an instrument by role, at one scale. */
export interface Voices {
  readonly scale: number;
  /** Ascending. */
  readonly primaries: readonly Voice[];
  /** Ascending. */
  readonly councils: readonly Voice[];
  /** What supports nothing: informational and stale readings, and those whose origin has a newer one. */
  readonly others: readonly Voice[];
  /** The origins of primaries and councils: the witnesses. */
  readonly origins: ReadonlySet<string>;
}

const ascending = (a: Voice, b: Voice): number => (a.units < b.units ? -1 : a.units > b.units ? 1 : 0);

/**
 * Groups readings by role.
 * @param scale minimum digits after the decimal point
 */
export const voicesOf = (
  instrument: Instrument,
  readings: readonly SpotObservation[],
  sources: ReadonlyMap<string, SourceInfo>,
  nowMs: number,
  atLeast: number,
): Voices => {
  const known = knownReadings(instrument, readings, sources).map((reading) => ({
    reading,
    price: readScaled(reading.observation.price),
  }));
  // One digit more than published, so that the midpoint of two figures is exact.
  const scale = known.reduce((widest, { price }) => Math.max(widest, price.scale), atLeast) + 1;
  const voices = known.map(
    ({ reading, price }): Voice => ({ ...reading, origin: originOf(reading.info), units: unitsAt(price, scale) }),
  );
  const inRole = (role: SourceInfo["role"]): Voice[] =>
    newestOfOrigins(voices.filter(({ info, freshUntilMs }) => info.role === role && nowMs <= freshUntilMs)).sort(ascending);
  const primaries = inRole("primary");
  const councils = inRole("council");
  const witnesses = new Set([...primaries, ...councils]);
  const others = voices.filter((voice) => !witnesses.has(voice));
  return { scale, primaries, councils, others, origins: new Set([...witnesses].map(({ origin }) => origin)) };
};

/**
 * The groups of readings within one band, measured from the lowest: none is a subset of another, and a reading may be in two.
 * @param sorted ascending
 */
export const groupsOf = (instrument: Instrument, sorted: readonly Voice[]): (readonly Voice[])[] => {
  const groups: (readonly Voice[])[] = [];
  const band = BigInt(bandBps(instrument, 0));
  let end = 0;
  sorted.forEach((lowest, start) => {
    let next = start + 1;
    for (let voice = sorted[next]; voice && (voice.units - lowest.units) * 10_000n <= band * lowest.units; voice = sorted[next])
      next += 1;
    if (next > end) groups.push(sorted.slice(start, next));
    end = Math.max(end, next);
  });
  return groups;
};

/** The exact median of voices, one for each origin; of an even number the mean of the two middle ones. */
export const middleOf = (voices: readonly Voice[]): bigint =>
  medianUnits(
    oneOfEachOrigin(voices)
      .sort(ascending)
      .map(({ units }) => units),
  );

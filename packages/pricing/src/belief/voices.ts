/** The fresh readings of an instrument as witnesses: one voice per publisher, and the groups that agree. */
import type { Instrument } from "../market/symbols.ts";
import { readScaled, unitsAt } from "../number/scaled.ts";
import { type KnownReading, knownReadings } from "../readings/freshness.ts";
import type { SourceInfo, SpotObservation } from "../readings/observation.ts";
import { bandBps } from "./band.ts";

/** A fresh reading that can support a price. */
export interface Voice {
  readonly reading: KnownReading;
  /** The publisher; two sources of one publisher are one witness. */
  readonly name: string;
  readonly units: bigint;
}

/** The publisher of a source. */
export const witnessOf = (info: SourceInfo): string => info.publisher ?? info.key;

/** Every reading of an instrument by role, at one scale. */
export interface Voices {
  readonly scale: number;
  /** Ascending. */
  readonly primaries: readonly Voice[];
  /** Ascending. */
  readonly councils: readonly Voice[];
  /** Informational and stale readings, which support nothing. */
  readonly others: readonly Voice[];
  /** The distinct witnesses among primaries and councils. */
  readonly names: ReadonlySet<string>;
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
    ({ reading, price }): Voice => ({ reading, name: witnessOf(reading.info), units: unitsAt(price, scale) }),
  );
  const fresh = (voice: Voice): boolean => nowMs <= voice.reading.freshUntilMs;
  const inRole = (role: SourceInfo["role"]): Voice[] =>
    voices.filter((voice) => voice.reading.info.role === role && fresh(voice)).sort(ascending);
  const primaries = inRole("primary");
  const councils = inRole("council");
  const others = voices.filter((voice) => !fresh(voice) || voice.reading.info.role === "informational");
  return { scale, primaries, councils, others, names: new Set([...primaries, ...councils].map(({ name }) => name)) };
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

/** The exact median of ascending voices; of an even number the mean of the two middle ones. */
export const middleOf = (sorted: readonly Voice[]): bigint => {
  const upper = sorted[sorted.length >> 1]?.units ?? 0n;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1]?.units ?? 0n)) / 2n;
};

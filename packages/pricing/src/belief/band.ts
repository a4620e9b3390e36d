/** How far apart two witnesses of one price may be and still agree: in basis points, wider with the time between them. */
import type { DecimalText } from "@assay/contract";
import { readScaled, unitsAt } from "../scaled.ts";
import type { Instrument } from "../symbols.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What a day between two witnesses adds. */
const PER_DAY_BPS = 500;
/** No time makes the band wider than this. */
export const MAX_BAND_BPS = 3_500;

/** Readings of one moment: sources of gold differ by tens of basis points when markets are wild, never by whole percents. */
const BASE_BPS: Readonly<Record<Instrument, number>> = {
  "XAU-USD-SPOT": 500,
  "XAG-USD-SPOT": 800,
  "HG-USD-SPOT": 800,
  "XAU-USD-FUTURES": 500,
  "XAG-USD-FUTURES": 800,
  "HG-USD-FUTURES": 800,
  GLD: 500,
};

/**
 * The band of an instrument.
 * @param elapsedMs time between the two witnesses, in milliseconds; the sign does not matter
 * @returns the base within the hour, 500 bps more for each day between them, at most 3 500
 */
export const bandBps = (instrument: Instrument, elapsedMs: number): number => {
  const apartMs = Math.abs(elapsedMs);
  const base = BASE_BPS[instrument];
  return apartMs <= HOUR_MS ? base : Math.min(MAX_BAND_BPS, base + Math.floor((PER_DAY_BPS * apartMs) / DAY_MS));
};

/**
 * Whether a figure is within a band around a reference, both ends included; exact.
 * @param figure units of some scale
 * @param reference units of the same scale, above zero
 */
export const isNear = (figure: bigint, reference: bigint, bps: number): boolean => {
  const difference = figure > reference ? figure - reference : reference - figure;
  return difference * 10_000n <= BigInt(bps) * reference;
};

/**
 * Whether a price is within a band around another, both ends included; exact.
 * @param reference above zero
 * @throws RangeError when one is not a plain decimal
 */
export const isSamePrice = (price: DecimalText, reference: DecimalText, bps: number): boolean => {
  const [left, right] = [readScaled(price), readScaled(reference)];
  const scale = Math.max(left.scale, right.scale);
  return isNear(unitsAt(left, scale), unitsAt(right, scale), bps);
};

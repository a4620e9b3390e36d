/** The agreement band: how far apart two witnesses of a price may be, in basis points, widening with the time between them. */
import { DAY_MS, type DecimalText, HOUR_MS } from "@assay/contract";
import type { Instrument } from "../market/symbols.ts";
import { readScaled, unitsAt } from "../number/scaled.ts";

/** What each day between two witnesses adds. */
const PER_DAY_BPS = 500;
/** The maximum width. */
export const MAX_BAND_BPS = 3_500;

/** Readings of one moment: sources of gold differ by tens of basis points in volatile markets, never by whole percents. */
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
  const [left, right] = [readScaled(price), readScaled(reference)];
  const scale = Math.max(left.scale, right.scale);
  return isNear(unitsAt(left, scale), unitsAt(right, scale), bps);
};

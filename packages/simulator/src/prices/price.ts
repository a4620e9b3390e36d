/** The simulated price of an instant. */
import type { DecimalText } from "@assay/contract";
import { valueAt } from "../path/frame.ts";
import { pathOf, type SimulatedInstrument, seriesOf } from "../series/series.ts";
import { toUnits, unitsText } from "./digits.ts";

/** The simulated price of an instant in units of its last published decimal. */
export const priceUnits = (instrument: SimulatedInstrument, atMs: number, seed: number): number => {
  const series = seriesOf(instrument);
  return toUnits(valueAt(pathOf(series, seed), Math.floor(atMs / 1_000)), series.decimals);
};

/**
 * The simulated price of an instant: the same for every caller with the same seed.
 * @param instrument the instrument, priced in USD per its unit
 * @param atMs epoch milliseconds; rounded down to the second
 * @param seed the market's seed, any safe integer
 * @returns decimal text with the instrument's published decimals
 * @throws RangeError before 1995-03 or after 2099
 */
export const simulatedPrice = (instrument: SimulatedInstrument, atMs: number, seed: number): DecimalText =>
  unitsText(priceUnits(instrument, atMs, seed), seriesOf(instrument).decimals);

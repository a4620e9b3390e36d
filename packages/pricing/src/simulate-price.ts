/** The simulated price of an instant. */
import type { DecimalText } from "@assay/contract";
import { toUnits, unitsText } from "./simulate-digits.ts";
import { valueAt } from "./simulate-frame.ts";
import { pathOf, type SimulatedInstrument, seriesOf } from "./simulate-series.ts";

/** The simulated price of an instant in units of its last published decimal. */
export const priceUnits = (instrument: SimulatedInstrument, atMs: number, seed: number): number => {
  const series = seriesOf(instrument);
  return toUnits(valueAt(pathOf(series, seed), Math.floor(atMs / 1_000)), series.decimals);
};

/**
 * The simulated price of an instant: the same for everyone who asks with the same seed.
 * @param instrument what is priced, in USD per its unit
 * @param atMs epoch milliseconds; an instant between whole seconds has the price of the second below
 * @param seed the market's seed, any safe integer
 * @returns decimal text with the digits the instrument is published with
 * @throws RangeError before 1995-03 or after 2099
 */
export const simulatedPrice = (instrument: SimulatedInstrument, atMs: number, seed: number): DecimalText =>
  unitsText(priceUnits(instrument, atMs, seed), seriesOf(instrument).decimals);

/** Makes the bars of a gap in the simulated history. */
import { INTERVALS } from "@assay/contract";
import { type BarLines, barLines } from "@assay/db/bar-lines";
import { aggregateBars, type BarRow, barEnd, bucketStart, type DailySymbol, type HistoryGap } from "@assay/pricing";
import { type SimulatedHours, simulatedBars } from "@assay/simulator";

const INTRADAY = INTERVALS.filter((interval) => interval !== "1d");

export interface SimulatedBars {
  readonly seed: number;
  readonly hours: SimulatedHours;
}

/**
 * Daily bars from the simulated market; below a day its minutes, and coarser bars built from the minutes of their time.
 * @returns one interval after another, oldest first
 */
export const makeBars = ({ symbol, bars, fromMs, untilMs }: HistoryGap, { seed, hours }: SimulatedBars): BarRow[] => {
  const series = symbol as DailySymbol; // gaps are planned for the series the market has
  if (bars === "daily") return [...simulatedBars(series, "1d", fromMs, untilMs, seed, hours)];
  // The longest bar is of four hours, of which all others are parts.
  const minutes = [...simulatedBars(series, "1m", bucketStart(fromMs, "4h"), untilMs, seed, hours)];
  const all = INTRADAY.flatMap((interval) => (interval === "1m" ? minutes : aggregateBars(minutes, interval, untilMs)));
  return all.filter((bar) => barEnd(bar) > fromMs);
};

/** The same, as they are written. */
export const makeLines = (gap: HistoryGap, options: SimulatedBars): BarLines[] => barLines(makeBars(gap, options));

/** Closes bars that an import left forming behind newer ones: those of other days, files and ways of writing. */
import { DAY_MS, type Interval } from "@assay/contract";
import { noteReplacedBars, readNewestBars, readStretch, replaceBars, type Store } from "@assay/db";
import { type BarRow, bucketStart } from "@assay/pricing";
import { onlyNewestForming } from "./only-newest-forming.ts";
import { writeAtRevision } from "./write-at-revision.ts";

/** Bars of a series. */
export interface LeftBars {
  readonly symbol: string;
  readonly intervals: readonly Interval[];
  /** The UTC days that may have one. */
  readonly daysMs: ReadonlySet<number>;
}

/** The days of the bars that are forming before an import, which then may have newer ones behind them. */
export const formingDays = async (store: Store, symbol: string, intervals: readonly Interval[]): Promise<Set<number>> => {
  const newest = await readNewestBars(store, symbol, intervals);
  return new Set(newest.flatMap(({ isClosed, barStartMs }) => (isClosed ? [] : [bucketStart(barStartMs, "1d")])));
};

/** Closes them, all or nothing. */
export const closeLeft = async (store: Store, { symbol, intervals, daysMs }: LeftBars): Promise<void> => {
  for (const dayMs of daysMs) {
    const closed = await writeAtRevision(store, dayMs, async (revision): Promise<BarRow[]> => {
      const newest = await readNewestBars(store, symbol, intervals);
      const stored = await readStretch(store, symbol, intervals, dayMs, dayMs + DAY_MS);
      const left = onlyNewestForming([...newest, ...stored], []);
      await replaceBars(store, symbol, [], left, revision);
      return left;
    });
    if (closed.length > 0) await noteReplacedBars(store, symbol, dayMs, dayMs);
  }
};

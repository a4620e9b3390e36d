/**
 * An optimistic write: it applies only over the bars it was computed from, and is recomputed when another process wrote first.
 */
import { DAY_MS, type Interval } from "@assay/contract";
import {
  BarsRevisedError,
  noteReplacedBars,
  readBarsRevision,
  readNewestBars,
  readStretch,
  replaceBars,
  type Store,
} from "@assay/db";
import { type BarRow, bucketStart, utcDay } from "@assay/pricing";
import { ImportError } from "../import-error.ts";
import { onlyNewestForming } from "../stored-bars.ts";

/** A writer writes once a second, which leaves time for many attempts. */
const MAX_TRIES = 100;

/**
 * Reads, computes and writes, until no other write came in between.
 * @param dayMs the first day affected, for the error
 * @param attempt reads the bars it depends on and writes at the given revision
 * @throws ImportError when another process wrote first every time
 */
export const writeAtRevision = async <T>(store: Store, dayMs: number, attempt: (revision: number) => Promise<T>): Promise<T> => {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const revision = await readBarsRevision(store);
    try {
      return await attempt(revision);
    } catch (error) {
      if (!(error instanceof BarsRevisedError)) throw error;
    }
  }
  const day = utcDay(dayMs);
  throw new ImportError(`${day}: bars are written faster than the import can read them; run the import again`);
};

interface LeftBars {
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

/** The first reading of a file: nothing is written before every row is found good. */
import { INTERVAL_MS, INTERVALS, type Interval } from "@assay/contract";
import { type Holes, holesOf } from "./holes.ts";
import { ImportError, rowError } from "./import-error.ts";
import { type BarSource, type FileRow, type ReadOptions, readFileBars } from "./read-bars.ts";
import { StartSet } from "./start-set.ts";

/** Files in another order than that of time are sorted in memory, which holds about this many rows well. */
export const MAX_UNSORTED_ROWS = 500_000;

/** From so many rows on, starts that all fit a longer interval are no accident. */
const TELLING_ROWS = 10;

/** What a good file holds. */
export interface FileSummary {
  readonly rows: number;
  readonly firstStartMs: number;
  readonly lastStartMs: number;
  /** Whether its rows are in order of time, oldest first. */
  readonly isAscending: boolean;
  /** Coarser bars of which the file has only some rows. */
  readonly holes: Holes;
}

/** How a check may be watched. */
export interface CheckOptions extends ReadOptions {
  /** Is given rows that are good by themselves and have not stood before; the next ones wait for it. */
  readonly onRows?: (rows: readonly FileRow[]) => Promise<void>;
}

const greatestCommonDivisor = (a: number, b: number): number => {
  let [larger, smaller] = [Math.abs(a), Math.abs(b)];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
};

/** The longest interval all starts fit. */
const apparentInterval = (commonMs: number): Interval | undefined =>
  INTERVALS.findLast((interval) => commonMs % INTERVAL_MS[interval] === 0);

/**
 * Checks every row of a file, and the rows together: each bar once, and bars of the interval they are said to be of.
 * @throws ImportError that names what is wrong first
 */
export const checkFile = async (
  source: BarSource,
  options: CheckOptions = {},
  maxUnsortedRows: number = MAX_UNSORTED_ROWS,
): Promise<FileSummary> => {
  const { file, interval } = source;
  const lengthMs = INTERVAL_MS[interval];
  const starts = new StartSet(lengthMs);
  let rows = 0;
  let firstStartMs = Number.POSITIVE_INFINITY;
  let lastStartMs = Number.NEGATIVE_INFINITY;
  let isAscending = true;
  let commonMs = 0;
  for await (const batch of readFileBars(source, options)) {
    for (const { line, bar } of batch) {
      const { barStartMs } = bar;
      if (!starts.add(barStartMs)) {
        const start = new Date(barStartMs).toISOString();
        throw rowError(file.path, line, "bar_start", `the bar of ${start} stands in an earlier line already`);
      }
      if (barStartMs < lastStartMs) isAscending = false;
      if (barStartMs < firstStartMs) firstStartMs = barStartMs;
      if (barStartMs > lastStartMs) lastStartMs = barStartMs;
      if (commonMs !== lengthMs) commonMs = greatestCommonDivisor(barStartMs, commonMs);
    }
    rows += batch.length;
    await options.onRows?.(batch);
  }
  if (rows === 0) throw new ImportError(`${file.path}: there are no bars in it`);
  const apparent = apparentInterval(commonMs);
  if (rows >= TELLING_ROWS && apparent !== undefined && INTERVAL_MS[apparent] > lengthMs) {
    throw new ImportError(
      `${file.path}: all ${rows} bars start at whole ${apparent} intervals; are they ${apparent} bars? --interval says ${interval}`,
    );
  }
  if (!isAscending && rows > maxUnsortedRows) {
    throw new ImportError(
      `${file.path}: its ${rows} rows are not in order of time; sort it, oldest first (up to ${maxUnsortedRows} rows are sorted here)`,
    );
  }
  const holes = holesOf(source, starts.gaps(firstStartMs, lastStartMs));
  return { rows, firstStartMs, lastStartMs, isAscending, holes };
};

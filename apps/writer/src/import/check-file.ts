/** The first reading of a file: nothing is written before every row is found good. */
import { INTERVAL_MS } from "@assay/contract";
import { BadRows } from "./bad-rows.ts";
import { type Continuity, continuityOf } from "./continuity.ts";
import { BadRow, ImportError } from "./import-error.ts";
import { type BarSource, type FileRow, type ReadOptions, readFileBars } from "./read-bars.ts";
import { spacingFault } from "./spacing.ts";
import { StartSet } from "./start-set.ts";

/** Files in another order than that of time are sorted in memory, which holds about this many rows well. */
export const MAX_UNSORTED_ROWS = 500_000;

/** What a good file holds. */
export interface FileSummary {
  readonly rows: number;
  readonly firstStartMs: number;
  readonly lastStartMs: number;
  /** Whether its rows are in order of time, oldest first. */
  readonly isAscending: boolean;
  /** Rows passed over because they have no volume. */
  readonly dropped: number;
  /** Rows passed over because they break a rule. */
  readonly bad: BadRows;
  readonly continuity: Continuity;
}

/** How a check may be watched. */
export interface CheckOptions extends Omit<ReadOptions, "onBadRow" | "onDropped" | "starts"> {
  /** Is given rows that are good by themselves and have not stood before; the next ones wait for it. */
  readonly onRows?: (rows: readonly FileRow[]) => Promise<void>;
}

/** Refuses a file for its rows, which are named up to a number. */
const refuse = ({ file, symbol }: BarSource, rows: number, bad: BadRows): never => {
  const all = rows + bad.count;
  if (bad.strangePrices * 2 <= all) throw new ImportError(bad.lines().join("\n"));
  throw new ImportError(
    `${file.path}: the price check failed for ${bad.strangePrices} of ${all} rows: they are not prices of ${symbol}; name the ` +
      `--symbol they are of, or make them USD per its unit with --scale (0.01 for cents). The first is ${bad.lines()[0]}`,
  );
};

/**
 * Checks every row of a file, and the rows together: each bar once, and bars of the interval they are said to be of.
 * @throws ImportError that names every row that is wrong, up to a number, or what is wrong with the file
 */
export const checkFile = async (
  source: BarSource,
  options: CheckOptions = {},
  maxUnsortedRows: number = MAX_UNSORTED_ROWS,
): Promise<FileSummary> => {
  const { file, interval, symbol, isSkippingBadRows } = source;
  const { onRows, ...watching } = options;
  const starts = new StartSet(INTERVAL_MS[interval]);
  const bad = new BadRows();
  let [rows, dropped] = [0, 0];
  let firstStartMs = Number.POSITIVE_INFINITY;
  let lastStartMs = Number.NEGATIVE_INFINITY;
  let isAscending = true;
  const onBadRow = (row: BadRow): void => bad.add(row);
  const onDropped = (): void => {
    dropped += 1;
  };
  try {
    for await (const batch of readFileBars(source, { ...watching, starts, onBadRow, onDropped })) {
      for (const { bar } of batch) {
        const { barStartMs } = bar;
        if (barStartMs < lastStartMs) isAscending = false;
        if (barStartMs < firstStartMs) firstStartMs = barStartMs;
        if (barStartMs > lastStartMs) lastStartMs = barStartMs;
      }
      rows += batch.length;
      if (bad.count === 0 || isSkippingBadRows) await onRows?.(batch);
    }
  } catch (error) {
    if (!(error instanceof BadRow)) throw error;
    // Text that is no CSV: nothing after it can be read, so it is never skipped.
    bad.add(error);
    refuse(source, rows, bad);
  }
  if (bad.count > 0 && (!isSkippingBadRows || bad.strangePrices > rows)) refuse(source, rows, bad);
  if (bad.count > rows) {
    const listed = bad.lines().join("\n");
    throw new ImportError(`${file.path}: ${bad.count} bad rows and ${rows} good ones; too many to skip\n${listed}`);
  }
  if (rows === 0) throw new ImportError(`${file.path}: there are no bars in it`);
  const fault = spacingFault(starts, interval);
  if (fault) throw new ImportError(`${file.path}: ${fault}`);
  if (!isAscending && rows > maxUnsortedRows) {
    throw new ImportError(
      `${file.path}: its ${rows} rows are not in order of time; sort it, oldest first (up to ${maxUnsortedRows} rows are sorted here)`,
    );
  }
  const continuity = continuityOf(starts, symbol, interval);
  return { rows, firstStartMs, lastStartMs, isAscending, dropped, bad, continuity };
};

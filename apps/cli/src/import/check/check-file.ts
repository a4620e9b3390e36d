/** The first pass over a file: nothing is written until every row is valid. */
import { INTERVAL_MS } from "@assay/contract";
import { BadRow, BadRows, countOf, ImportError } from "../import-error.ts";
import { type BarSource, type FileRow, type ReadOptions, readFileBars } from "../read/read-bars.ts";
import { type Continuity, continuityOf, StartSet, spacingFault } from "./starts.ts";

/** Files not in time order are sorted in memory, which holds about this many rows. */
const MAX_UNSORTED_ROWS = 500_000;

/** Reading stops once there are this many more bad rows than good ones: a small compressed file may hold billions. */
const MAX_BAD_ROWS = 100_000;

/** The result for a valid file. */
export interface FileSummary {
  readonly rows: number;
  readonly firstStartMs: number;
  readonly lastStartMs: number;
  /** Whether its rows are in time order, oldest first. */
  readonly isAscending: boolean;
  /** Whether its newest bar is still forming, by its own word or because its time is not over. */
  readonly isLastForming: boolean;
  /** Rows skipped for what they do not have: a volume, or a close. */
  readonly dropped: number;
  /** Bars of which only the close is known. */
  readonly closesOnly: number;
  /** Rows skipped because they are invalid. */
  readonly bad: BadRows;
  readonly continuity: Continuity;
}

export interface CheckOptions extends Omit<ReadOptions, "onBadRow" | "onDropped" | "starts"> {
  /** Receives valid rows not seen before; reading waits for it. */
  readonly onRows?: (rows: readonly FileRow[]) => Promise<void>;
}

/** Ends the reading of a file that is refused in any case. */
class TooManyBadRows extends Error {}

/** Refuses a file for its rows, listing a limited number of them. */
const refuse = ({ file, symbol }: BarSource, rows: number, bad: BadRows): never => {
  const all = rows + bad.count;
  if (bad.strangePrices * 2 <= all) throw new ImportError(bad.lines().join("\n"));
  throw new ImportError(
    `${file.path}: the price check failed for ${bad.strangePrices} of ${all} rows: these are not prices of ${symbol}; pass the ` +
      `right --symbol, or convert them to USD per its unit with --scale (0.01 for cents). The first is ${bad.lines()[0]}`,
  );
};

/**
 * Checks every row of a file, and the rows together: no duplicates, and bars of the claimed interval.
 * @throws ImportError listing the invalid rows, up to a limit, or what is wrong with the file
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
  let [rows, closesOnly, dropped] = [0, 0, 0];
  let firstStartMs = Number.POSITIVE_INFINITY;
  let lastStartMs = Number.NEGATIVE_INFINITY;
  let [isAscending, isLastForming] = [true, false];
  const onBadRow = (row: BadRow): void => {
    bad.add(row);
    if (bad.count > rows + MAX_BAD_ROWS) throw new TooManyBadRows();
  };
  const onDropped = (): void => {
    dropped += 1;
  };
  try {
    for await (const batch of readFileBars(source, { ...watching, starts, onBadRow, onDropped })) {
      for (const { bar } of batch) {
        const { barStartMs, isClosed } = bar;
        if (bar.open === null) closesOnly += 1;
        if (barStartMs < lastStartMs) isAscending = false;
        if (barStartMs < firstStartMs) firstStartMs = barStartMs;
        if (barStartMs > lastStartMs) [lastStartMs, isLastForming] = [barStartMs, !isClosed];
      }
      rows += batch.length;
      if (bad.count === 0 || isSkippingBadRows) await onRows?.(batch);
    }
  } catch (error) {
    // Malformed CSV: nothing after it can be parsed, so it is never skipped.
    if (error instanceof BadRow) bad.add(error);
    else if (!(error instanceof TooManyBadRows)) throw error;
    refuse(source, rows, bad);
  }
  if (bad.count > 0 && (!isSkippingBadRows || bad.strangePrices > rows)) refuse(source, rows, bad);
  if (bad.count > rows) {
    const listed = bad.lines().join("\n");
    throw new ImportError(
      `${file.path}: ${countOf(bad.count, "bad row")} and ${countOf(rows, "good one")}; too many to skip\n${listed}`,
    );
  }
  if (rows === 0) throw new ImportError(`${file.path}: contains no bars`);
  const fault = spacingFault(starts, interval);
  if (fault) throw new ImportError(`${file.path}: ${fault}`);
  if (!isAscending && rows > maxUnsortedRows) {
    throw new ImportError(
      `${file.path}: its ${rows} rows are not in chronological order; sort them, oldest first (the import itself sorts up to ${maxUnsortedRows} rows)`,
    );
  }
  const continuity = continuityOf(starts, symbol, interval);
  return { rows, firstStartMs, lastStartMs, isAscending, isLastForming, closesOnly, dropped, bad, continuity };
};

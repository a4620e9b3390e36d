/** Sorts bars by primary key, and lists the time ranges they cover per series. */
import type { BarRow } from "@assay/pricing";

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const compare = (a: BarRow, b: BarRow) =>
  compareText(a.symbol, b.symbol) || compareText(a.interval, b.interval) || a.barStartMs - b.barStartMs;

/**
 * One row per bar in key order: a statement cannot touch a row twice, and writers that lock rows in the same order cannot
 * deadlock. The last row of a bar wins, but a forming one never replaces a closed one.
 */
export const barsInKeyOrder = (rows: readonly BarRow[]): readonly BarRow[] => {
  if (rows.every((row, index) => index === 0 || compare(rows[index - 1] ?? row, row) < 0)) return rows;
  const kept: BarRow[] = [];
  for (const row of rows.toSorted(compare)) {
    const last = kept.at(-1);
    if (!last || compare(last, row) !== 0) kept.push(row);
    else if (row.isClosed || !last.isClosed) kept[kept.length - 1] = row;
  }
  return kept;
};

/** From the first to the last bar of one series. */
export interface BarRange {
  readonly symbol: string;
  readonly interval: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The range of each series covered by rows in key order. */
export const rangesOf = (ordered: readonly BarRow[]): BarRange[] => {
  const ranges: BarRange[] = [];
  let first = ordered[0];
  let last = first;
  const end = (): void => {
    if (first && last)
      ranges.push({ symbol: first.symbol, interval: first.interval, fromMs: first.barStartMs, toMs: last.barStartMs });
  };
  for (const bar of ordered) {
    if (bar.symbol !== first?.symbol || bar.interval !== first.interval) {
      end();
      first = bar;
    }
    last = bar;
  }
  end();
  return ranges;
};

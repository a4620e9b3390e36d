/** A long list in a few figures: what a language model asks of one, without reading every row. */
import type { Tool } from "@assay/contract";
import { compareDecimalText, dec } from "@assay/pricing";

/** How a tool answers a list. */
export const DETAILS = ["summary", "rows"] as const;

/** A list of more rows is summed up unless its rows are asked for. */
export const SUMMARY_PAST = 50;

type Row = Readonly<Record<string, unknown>>;

/**
 * The count of rows; the earliest and latest, and those with the least and the greatest figure, the earliest of several; and what
 * changed from the earliest to the latest: exact, and in percent, rounded half up to two decimals.
 * @param rows newest first; those without a figure count, and are none of the others
 */
export const summaryOf = (rows: readonly Row[], { figure, least = figure, greatest = figure }: NonNullable<Tool["rows"]>) => {
  const known = rows.filter((row) => row[figure] !== null).toReversed();
  const [first] = known;
  const last = known.at(-1);
  if (!first || !last) return { count: rows.length };
  // Of some bars only the close is known.
  const figureOf = (row: Row, name: string): string => String(row[name] ?? row[figure]);
  const beyond = (name: string, sign: 1 | -1): Row =>
    known.reduce((best, row) => (compareDecimalText(figureOf(row, name), figureOf(best, name)) === sign ? row : best));
  const [from, to] = [dec(String(first[figure])), dec(String(last[figure]))];
  return {
    count: rows.length,
    first,
    last,
    least: beyond(least, -1),
    greatest: beyond(greatest, 1),
    change: to.minus(from).toFixed(),
    ...(from.isZero() ? {} : { change_percent: to.minus(from).times(100).div(from).toFixed(2) }),
  };
};

/** An answer without the rows that are as they should be: `healthy` counts them. */
export const attentionOf = (output: Row, healthy: NonNullable<Tool["healthy"]>): Row => {
  const counts: Record<string, number> = {};
  const listed = Object.entries(healthy).map(([list, { field, is }]): [string, unknown] => {
    const rows = Object.entries(output[list] as Readonly<Record<string, Row>>); // as the tool declares
    const rest = rows.filter(([, row]) => JSON.stringify(row[field]) !== JSON.stringify(is));
    counts[list] = rows.length - rest.length;
    return [list, Array.isArray(output[list]) ? rest.map(([, row]) => row) : Object.fromEntries(rest)];
  });
  return { ...output, ...Object.fromEntries(listed), healthy: counts };
};

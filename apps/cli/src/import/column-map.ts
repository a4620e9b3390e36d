/** `--map`: maps a file's columns to fields. */
import { parse } from "csv-parse/sync";
import { COLUMNS, type Column } from "./form.ts";
import { ImportError } from "./import-error.ts";

/** Fields by column name, in lower case. */
export type ColumnMap = ReadonlyMap<string, Column>;

const isColumn = (text: string): text is Column => COLUMNS.some((column) => column === text);

const pairsOf = (text: string): readonly string[] => {
  try {
    return parse(text, { relax_column_count: true })[0] ?? [];
  } catch {
    throw new ImportError("a map is name=Header pairs separated by commas; put a pair whose header has a comma in quotes");
  }
};

/**
 * Parses a map.
 * @param text `time=Date,open=Open`; a pair whose header contains a comma is quoted
 * @throws ImportError
 */
export const readColumnMap = (text: string): ColumnMap => {
  const map = new Map<string, Column>();
  for (const pair of pairsOf(text)) {
    const at = pair.indexOf("=");
    const column = pair.slice(0, Math.max(at, 0)).trim().toLowerCase();
    const header = pair
      .slice(at + 1)
      .trim()
      .toLowerCase();
    if (!isColumn(column) || header === "") {
      throw new ImportError(`a map is name=Header pairs separated by commas; the names are ${COLUMNS.join(", ")}`);
    }
    if (map.has(header)) throw new ImportError(`the column ${JSON.stringify(header)} is mapped twice`);
    if ([...map.values()].includes(column)) throw new ImportError(`${column} is mapped twice`);
    map.set(header, column);
  }
  return map;
};

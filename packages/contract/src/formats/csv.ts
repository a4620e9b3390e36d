/** Lists as CSV, RFC 4180: a header row of the columns' names, lines that end in CRLF, the same digits as in JSON. */
import { partOf } from "./part-of.ts";

const EOL = "\r\n";
const NEEDS_QUOTES = /[",\r\n]/;
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

/**
 * What a spreadsheet may read as the start of a formula, also in its full-width forms.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const STARTS_FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Text that a spreadsheet would run is marked as text by an apostrophe; numbers below zero are left as they are. */
const defused = (text: string): string => (STARTS_FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One value as a cell: nothing for null and what is missing, lists as JSON. */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return quoted(defused(value));
  return quoted(JSON.stringify(value));
};

/**
 * Prepares the writer of a list.
 * @param columns paths into a row
 * @returns writes the rows of an answer, the header row always
 */
export const csvWriter = (columns: readonly string[]): ((rows: unknown) => string) => {
  const header = columns.map(quoted).join(",") + EOL;
  const readers = columns.map((path) =>
    path.includes(".")
      ? (row: Readonly<Record<string, unknown>>) => partOf(row, path)
      : (row: Readonly<Record<string, unknown>>) => row[path],
  );
  return (rows) => {
    let text = header;
    for (const row of Array.isArray(rows) ? (rows as Readonly<Record<string, unknown>>[]) : []) {
      // The columns are those of a list of objects.
      text += readers.map((read) => cell(read(row))).join(",") + EOL;
    }
    return text;
  };
};

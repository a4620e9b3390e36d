/** Lists as CSV, RFC 4180: a header row of the columns' names, lines that end in CRLF, the same digits as in JSON. */
import { z } from "zod";
import { partOf } from "./formats.ts";

const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.unwrap() as z.ZodType) : schema; // a field holds a zod type

const fieldsOf = (schema: z.ZodType): [string, z.ZodType][] | null => {
  const inner = unwrapped(schema);
  return inner instanceof z.ZodObject ? Object.entries(inner.shape as Record<string, z.ZodType>) : null;
};

/** The fields of an object, those of objects inside it by their path. */
export const pathsOf = (schema: z.ZodType, before = ""): string[] =>
  (fieldsOf(schema) ?? []).flatMap(([name, field]) =>
    fieldsOf(field) ? pathsOf(field, `${before}${name}.`) : [`${before}${name}`],
  );

/**
 * The columns of a list as a table: the fields its rows may have, from their schema, so that they are the same in every answer.
 * @param output the answer's schema
 * @param path where its rows are: field names joined by dots; empty when the answer is the list
 * @returns paths into a row, such as `bar_start` or `buy.price`, in the order of the schema
 * @throws Error when there is no list of objects at the path
 */
export const columnsOf = (output: z.ZodType, path: string): string[] => {
  let schema = unwrapped(output);
  for (const name of path === "" ? [] : path.split(".")) {
    const field = fieldsOf(schema)?.find(([each]) => each === name);
    if (!field) throw new Error(`the answer has no field ${path}`);
    schema = unwrapped(field[1]);
  }
  const columns = schema instanceof z.ZodArray ? pathsOf(schema.element as z.ZodType) : []; // an array holds a zod type
  if (columns.length === 0) throw new Error(`${path || "the answer"} is not a list of objects`);
  return columns;
};

/** How a line ends. */
export const EOL = "\r\n";
/** Also what separates cells for spreadsheets set to other separators. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

/**
 * What a spreadsheet may read as the start of a formula, also in its full-width forms: at the start of a cell, and after anything
 * it may split the cell at. Quotes before it may be those of the cell that the split makes.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /(?<=^|[;,\t\r\n])("*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20][^;,\t\r\n]*)/g;

/** Escapes what a spreadsheet would run as a formula: it is marked as text by an apostrophe; numbers below zero are left as they are. */
const defused = (text: string): string =>
  text.replace(FORMULA, (part, quotes: string, formula: string) => (NUMBER.test(part) ? part : `${quotes}'${formula}`));

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One value as a cell: nothing for null and what is missing, lists as JSON. */
export const csvCell = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return quoted(defused(value));
  return quoted(JSON.stringify(value, (_, each: unknown) => (typeof each === "string" ? defused(each) : each)));
};

export const csvHeader = (columns: readonly string[]): string => columns.map(quoted).join(",") + EOL;

/**
 * Prepares the writer of a list.
 * @returns writes the rows of an answer, the header row always
 */
export const csvWriter = (columns: readonly string[]): ((rows: unknown) => string) => {
  const header = csvHeader(columns);
  const readers = columns.map((path) =>
    path.includes(".")
      ? (row: Readonly<Record<string, unknown>>) => partOf(row, path)
      : (row: Readonly<Record<string, unknown>>) => row[path],
  );
  return (rows) => {
    let text = header;
    for (const row of Array.isArray(rows) ? (rows as Readonly<Record<string, unknown>>[]) : []) {
      // The columns are those of a list of objects.
      text += readers.map((read) => csvCell(read(row))).join(",") + EOL;
    }
    return text;
  };
};

/** Lists as CSV, RFC 4180: a header row of the columns' names, lines that end in CRLF, the same digits as in JSON. */
import { z } from "zod";
import { partOf } from "./formats.ts";

const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.unwrap() as z.ZodType) : schema; // a field holds a zod type

const fieldsOf = (schema: z.ZodType): [string, z.ZodType][] | null => {
  const inner = unwrapped(schema);
  return inner instanceof z.ZodObject ? Object.entries(inner.shape as Record<string, z.ZodType>) : null;
};

/** A list whose members have names: each member is a column, `charge.hallmark` for the hallmark in `charges`. */
export interface NamedList {
  readonly field: string;
  /** What the names of its columns begin with. */
  readonly prefix: string;
}

/** How a schema names the columns of a list of named members. */
export const NAMED_LIST = "x-csv";

const prefixOf = (schema: z.ZodType): string | undefined => z.globalRegistry.get(schema)?.[NAMED_LIST] as string | undefined;

/** The lists of an object that have a column for each of their members. */
export const namedListsOf = (schema: z.ZodType): NamedList[] =>
  (fieldsOf(schema) ?? []).flatMap(([field, type]) => {
    const prefix = prefixOf(type) ?? prefixOf(unwrapped(type));
    return prefix === undefined ? [] : [{ field, prefix }];
  });

/** The fields of an object, those of objects inside it by their path; without lists of named members. */
export const pathsOf = (schema: z.ZodType, before = ""): string[] => {
  const lists = new Set(namedListsOf(schema).map(({ field }) => field));
  return (fieldsOf(schema) ?? [])
    .filter(([name]) => !lists.has(name))
    .flatMap(([name, field]) => (fieldsOf(field) ? pathsOf(field, `${before}${name}.`) : [`${before}${name}`]));
};

/** The schema of the rows at a path of an answer; null when there is no list. */
const rowOf = (output: z.ZodType, path: string): z.ZodType | null => {
  let schema = unwrapped(output);
  for (const name of path === "" ? [] : path.split(".")) {
    const field = fieldsOf(schema)?.find(([each]) => each === name);
    if (!field) throw new Error(`the answer has no field ${path}`);
    schema = unwrapped(field[1]);
  }
  return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : null; // an array holds a zod type
};

/**
 * The columns of a list as a table: the fields its rows may have, from their schema, so that they are the same in every answer.
 * @param output the answer's schema
 * @param path where its rows are: field names joined by dots; empty when the answer is the list
 * @returns paths into a row, such as `bar_start` or `buy.price`, in the order of the schema
 * @throws Error when there is no list of objects at the path
 */
export const columnsOf = (output: z.ZodType, path: string): string[] => {
  const row = rowOf(output, path);
  const columns = row === null ? [] : pathsOf(row);
  if (columns.length === 0) throw new Error(`${path || "the answer"} is not a list of objects`);
  return columns;
};

/** The lists of named members in the rows at a path of an answer. */
export const namedListsAt = (output: z.ZodType, path: string): NamedList[] => {
  const row = rowOf(output, path);
  return row === null ? [] : namedListsOf(row);
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

type Row = Readonly<Record<string, unknown>>;

/** A member of a list of named members, as answers have them. */
interface Member {
  readonly name: string;
  readonly amount: unknown;
}

const membersOf = (row: Row, { field }: NamedList): readonly Member[] => (row[field] ?? []) as readonly Member[]; // as its schema says

interface CsvColumn {
  readonly name: string;
  readonly read: (row: Row) => unknown;
}

/** A column for every name that the members of a list have in these rows, in any case, in the order met. */
const namedColumns = (rows: readonly Row[], list: NamedList): CsvColumn[] => {
  const names = new Map<string, string>();
  for (const { name } of rows.flatMap((row) => membersOf(row, list))) {
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return Array.from(names, ([folded, name]) => ({
    name: `${list.prefix}.${name}`,
    read: (row) => membersOf(row, list).find((member) => member.name.toLowerCase() === folded)?.amount,
  }));
};

/**
 * Prepares the writer of a list.
 * @param lists those whose members are columns of their own, after the others
 * @returns writes the rows of an answer, the header row always
 */
export const csvWriter = (columns: readonly string[], lists: readonly NamedList[] = []): ((rows: unknown) => string) => {
  const fixed = columns.map(
    (name): CsvColumn => ({ name, read: name.includes(".") ? (row) => partOf(row, name) : (row) => row[name] }),
  );
  return (given) => {
    const rows = Array.isArray(given) ? (given as Row[]) : []; // the columns are those of a list of objects
    const all = [...fixed, ...lists.flatMap((list) => namedColumns(rows, list))];
    let text = csvHeader(all.map(({ name }) => name));
    for (const row of rows) text += all.map(({ read }) => csvCell(read(row))).join(",") + EOL;
    return text;
  };
};

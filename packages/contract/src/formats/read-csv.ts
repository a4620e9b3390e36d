/** Reads CSV: lines as fields of bounded size, whoever wrote them, and a file as a list of a request. */
import { z } from "zod";
import { type NamedList, namedListsOf, pathsOf } from "./csv.ts";

/** The longest line, in characters: far longer than any row of prices. */
export const MAX_LINE = 4_096;
/** The most fields of a row: charts with a hundred indicators have fewer. */
export const MAX_FIELDS = 256;

/** What is wrong with a row that cannot be split. */
export class SplitError extends Error {
  override readonly name = "SplitError";
  /** Its line, counted from 1. */
  readonly line: number;
  /** Whether it exceeds a bound: then it is no row with any delimiter. */
  readonly isTooLarge: boolean;

  constructor(line: number, reason: string, isTooLarge = true) {
    super(reason);
    this.line = line;
    this.isTooLarge = isTooLarge;
  }
}

const LINE_END = /\r\n?|\n/;

/** Splits text into lines, whatever ends them. */
export const splitLines = (text: string): string[] => (text.includes("\r") ? text.split(LINE_END) : text.split("\n"));

/** A field, quoted or not, and what ends it. */
const fieldPatterns = new Map<string, RegExp>();
const fieldPattern = (delimiter: string): RegExp => {
  const known = fieldPatterns.get(delimiter);
  if (known) return known;
  const end = `\\u${delimiter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${end}]*))(${end}|$)`, "y");
  fieldPatterns.set(delimiter, pattern);
  return pattern;
};

const quotedFields = (line: string, delimiter: string, number: number): string[] => {
  const fields: string[] = [];
  const pattern = fieldPattern(delimiter);
  pattern.lastIndex = 0;
  for (let ended = ""; fields.length <= MAX_FIELDS; ) {
    const found = pattern.exec(line);
    if (!found)
      throw new SplitError(number, "not valid CSV: a quote inside a field, or one that is not closed on its line", false);
    const [, quoted, plain = ""] = found;
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    ended = found[3] ?? "";
    if (ended === "") break;
  }
  return fields;
};

/**
 * Splits a line into its fields.
 * @param number its number, for the error
 * @throws SplitError when its quotes are malformed, or it exceeds a bound
 */
export const splitFields = (line: string, delimiter: string, number: number): string[] => {
  if (line.length > MAX_LINE) throw new SplitError(number, `the line is longer than ${MAX_LINE} characters`);
  const fields = line.includes('"') ? quotedFields(line, delimiter, number) : line.split(delimiter, MAX_FIELDS + 1);
  if (fields.length > MAX_FIELDS) throw new SplitError(number, `it has more than ${MAX_FIELDS} fields`);
  return fields;
};

/** A column: its name, and the field it gives. */
interface Column {
  readonly name: string;
  readonly path: readonly string[];
  /** The list and the name of its member whose field it gives. */
  readonly member?: { readonly list: string; readonly name: string };
  /** Whether its text is a number in JSON. */
  readonly isNumber: boolean;
  /** Whether it holds any text, blanks included. */
  readonly isFree: boolean;
}

const DIGITS = /^[0-9]+$/;

type Json = { readonly [name: string]: unknown };

/** The columns of a list, `making.per_gram` as `making_per_gram`. */
const columnsIn = (row: z.ZodObject): Map<string, Column> => {
  const schema: Json = z.toJSONSchema(row, { io: "input", unrepresentable: "any" });
  /** A schema with a name stands among the definitions. */
  const whole = (part: Json): Json =>
    (part["$ref"] ? (schema["$defs"] as Record<string, Json>)[String(part["$ref"]).slice("#/$defs/".length)] : part) ?? {};
  const at = (path: readonly string[]): Json =>
    path.reduce((part, name) => whole((part["properties"] as Record<string, Json>)[name] ?? {}), whole(schema)); // of objects
  return new Map(
    pathsOf(row).map((written) => {
      const [name, path] = [written.replaceAll(".", "_"), written.split(".")];
      const { type, enum: words, pattern } = at(path);
      const isFree = type === "string" && words === undefined && pattern === undefined;
      return [name, { name, path, isNumber: type === "integer", isFree }];
    }),
  );
};

/** How much of an unknown name a refusal repeats. */
const MAX_NAME = 64;

/** A column of a member of a list, `charge.hallmark.fixed`; undefined for another name. */
const memberColumn = (written: string, { field: list, prefix }: NamedList): Column | undefined => {
  const [before = "", ...parts] = written.split(".");
  const field = parts.pop()?.trim().toLowerCase();
  const name = parts.join(".").trim();
  if (before.trim().toLowerCase() !== prefix || field === undefined || name === "") return undefined;
  return {
    name: `${prefix}.${name}.${field}`.toLowerCase(),
    path: [field],
    member: { list, name },
    isNumber: false,
    isFree: false,
  };
};

/** As spreadsheets save a table: in any case, with blanks after commas, and columns without a name at the end. */
const readHeader = (line: string, known: ReadonlyMap<string, Column>, lists: readonly NamedList[]): Column[] => {
  const named = line.replace(/[,\s]+$/, "");
  const names = splitFields(named, ",", 1).map((name) => name.trim());
  const [only = ""] = names;
  if (names.length === 1 && /[;\t|]/.test(only)) throw new SplitError(1, "columns are separated by commas here");
  const seen = new Set<string>();
  return names.map((written) => {
    const name = written.toLowerCase();
    const column = known.get(name) ?? lists.map((list) => memberColumn(written, list)).find((each) => each !== undefined);
    const shown = JSON.stringify(name.slice(0, MAX_NAME));
    if (!column) {
      const all = [...known.keys(), ...lists.map(({ prefix }) => `${prefix}.NAME.FIELD`)];
      throw new SplitError(1, `${shown} is not a column: the columns are ${all.join(", ")}`);
    }
    if (seen.has(column.name)) throw new SplitError(1, `the column ${shown} is there twice`);
    seen.add(column.name);
    return column;
  });
};

const cellValue = ({ isNumber }: Column, text: string): unknown => (isNumber && DIGITS.test(text) ? Number(text) : text);

/** A member, from the cells that hold something. */
const memberOf = (columns: readonly Column[], cells: readonly string[]): Record<string, unknown> => {
  const member: Record<string, unknown> = {};
  for (const [place, column] of columns.entries()) {
    const text = cells[place] ?? "";
    if (text === "") continue;
    const [name = "", inner] = column.path;
    const value = cellValue(column, text);
    if (column.member) {
      const { list, name: of } = column.member;
      const members = (member[list] ?? []) as Record<string, unknown>[]; // made here
      member[list] = members;
      const known = members.find((each) => each["name"] === of);
      if (known) known[name] = value;
      else members.push({ name: of, [name]: value });
      continue;
    }
    member[name] = inner === undefined ? value : { ...(member[name] as object | undefined), [inner]: value }; // made here
  }
  return member;
};

/**
 * Prepares the reader of a list.
 * @param row the schema of a member, which names the columns; the members themselves are validated later
 * @returns reads the text of a file; rows without any text are left out
 */
export const csvListReader = (row: z.ZodObject): ((text: string) => Record<string, unknown>[]) => {
  const known = columnsIn(row);
  const lists = namedListsOf(row);
  return (text) => {
    const [header = "", ...lines] = splitLines(text);
    if (header === "") throw new SplitError(1, "the first line must name the columns");
    const columns = readHeader(header, known, lists);
    return lines.flatMap((line, index) => {
      if (line === "") return [];
      const number = index + 2;
      const written = splitFields(line, ",", number).map((cell, place) => (columns[place]?.isFree ? cell : cell.trim()));
      if (written.every((cell) => cell === "")) return [];
      const cells = written.slice(
        0,
        1 +
          Math.max(
            columns.length - 1,
            written.findLastIndex((cell) => cell !== ""),
          ),
      );
      if (cells.length !== columns.length) {
        const counts = `it has ${cells.length} fields, and the header has ${columns.length}`;
        const way = cells.length > columns.length ? ": decimals have a point, as 4.25, and text with a comma is quoted" : "";
        throw new SplitError(number, `${counts}${way}`);
      }
      return [memberOf(columns, cells)];
    });
  };
};

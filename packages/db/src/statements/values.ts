/**
 * Values as parameters, sent as text and cast, the cheapest form for either driver. Many rows are one array per column, unnested in
 * the select list, which PostgreSQL does twice as fast as `from unnest(a, b, …)`.
 */
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";

export const instantOf = (ms: number): SQL => sql`${formatInstant(ms)}::text::timestamptz`;

export type ColumnType = "text" | "numeric" | "bigint" | "boolean" | "date" | "timestamptz";

type Value = string | number | null;

const quote = (value: Value): string => (value === null ? "NULL" : `"${String(value).replace(/["\\]/g, "\\$&")}"`);

/** Only text can contain characters that are special in an array literal. */
const literal = (values: readonly Value[], type: ColumnType): string =>
  `{${type === "text" ? values.map(quote).join(",") : values.map((value) => value ?? "NULL").join(",")}}`;

/** A column for the select list, one element per row. */
export const unnest = <Row>(rows: readonly Row[], value: (row: Row) => Value, type: ColumnType): SQL =>
  sql`unnest(${literal(rows.map(value), type)}::text::${sql.raw(type)}[])`;

/**
 * A column of JSON documents, one per row, in lines, as JSON has no line feed outside of its white space: the elements of one array
 * would be parsed twice, and a field taken out of a document parses all of it.
 */
export const unnestJson = (documents: readonly unknown[]): SQL =>
  sql`string_to_table(${documents.map((document) => JSON.stringify(document)).join("\n")}::text, chr(10))::json`;

/** The same as `unnest`, but a single value where all are equal. At least one other column must be unnested. */
export const unnestOrOnly = <Row>(rows: readonly Row[], value: (row: Row) => Value, type: ColumnType): SQL => {
  const only = rows[0] === undefined ? null : value(rows[0]);
  return rows.every((row) => value(row) === only) ? sql`${only}::text::${sql.raw(type)}` : unnest(rows, value, type);
};

/** What a format must say, from the JSON answer: read back by a parser that shares nothing with the writer. */
import type { Format, Route } from "@assay/contract";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { type Exchange, fieldsOf } from "../wire/exchange.ts";

/** The JSON schema of an answer, as far as it is read here. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  /** Of a list whose members are columns of their own: what their names begin with. */
  readonly "x-csv"?: string;
}

const at = (json: unknown, path: string): unknown =>
  path === "" ? json : path.split(".").reduce<unknown>((value, name) => fieldsOf(value)[name] ?? null, json);

const listAt = (json: unknown, path: string): readonly unknown[] => {
  const list = at(json, path);
  return Array.isArray(list) ? list : [];
};

interface Columns {
  /** Of the fields of a row, those of an object under the names of both. */
  readonly fields: readonly string[];
  /** The lists whose members are columns, and what the names of those begin with. */
  readonly lists: readonly { readonly field: string; readonly prefix: string }[];
}

/** The cells a row has by the answer's schema. */
const columnsAt = (route: Route, path: string): Columns => {
  const whole = z.toJSONSchema(route.output, { unrepresentable: "any" }) as Schema; // keywords of JSON schema
  const resolved = (schema: Schema = {}): Schema => {
    const named = schema.$ref === undefined ? schema : whole.$defs?.[schema.$ref.replace("#/$defs/", "")];
    return named?.anyOf?.map(resolved).find(({ properties, items }) => properties ?? items) ?? named ?? {};
  };
  const namesIn = (schema: Schema, before = ""): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const inner = resolved(field);
      if (field["x-csv"] !== undefined) return [];
      return inner.properties ? namesIn(inner, `${before}${name}.`) : [`${before}${name}`];
    });
  const names = path === "" ? [] : path.split(".");
  const list = names.reduce<Schema>((schema, name) => resolved(schema.properties?.[name]), resolved(whole));
  const row = resolved(list.items);
  const lists = Object.entries(row.properties ?? {}).flatMap(([field, { "x-csv": prefix }]) =>
    prefix === undefined ? [] : [{ field, prefix }],
  );
  return { fields: namesIn(row), lists };
};

/** A list's members as columns: a name each, in the order met. */
const namedCells = (rows: readonly unknown[], { field, prefix }: Columns["lists"][number]) => {
  const names = [...new Set(rows.flatMap((row) => listAt(row, field).map((member) => String(fieldsOf(member).name))))];
  return names.map((name) => ({
    column: `${prefix}.${name}`,
    of: (row: unknown): unknown => fieldsOf(listAt(row, field).find((member) => fieldsOf(member).name === name)).amount ?? null,
  }));
};

const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

const isSameTable = (route: Route, path: string, json: unknown, text: string): boolean => {
  const { fields, lists } = columnsAt(route, path);
  const list = listAt(json, path);
  const named = lists.flatMap((each) => namedCells(list, each));
  const columns = [...fields, ...named.map(({ column }) => column)];
  const rows = list.map((row) => [...fields.map((name) => at(row, name)), ...named.map(({ of }) => of(row))].map(textOf));
  try {
    // Not relaxed in anything: a lone quote or a row of another length throws.
    const parsed: unknown = parse(text, { record_delimiter: "\r\n" });
    return text.endsWith("\r\n") && JSON.stringify(parsed) === JSON.stringify([columns, ...rows]);
  } catch {
    return false;
  }
};

/** The settled days of a route's answer, which are bars in USD, or points in a currency. */
const daysOf = (json: unknown): { readonly day: string; readonly price: unknown }[] => [
  ...listAt(json, "bars")
    .map(fieldsOf)
    .flatMap((bar) => (bar.is_closed ? [{ day: String(bar.bar_start).slice(0, 10), price: bar.close }] : [])),
  ...listAt(json, "points").map((point) => ({ day: String(fieldsOf(point).date), price: fieldsOf(point).price })),
];

const pricesOf = (json: unknown, line: (day: string, price: unknown, metal: string, currency: string) => string): string => {
  const [metal = "", currency = ""] = String(fieldsOf(json).symbol).split("-");
  return daysOf(json)
    .map(({ day, price }) => `${line(day, price, metal, currency)}\n`)
    .join("");
};

/** Parses the text that the part of a receipt holds. */
export const receiptPart = (receipt: string, part: 0 | 1): string =>
  Buffer.from(receipt.split(".")[part] ?? "", "base64url").toString("utf8");

/** What a receipt has besides the answer: what its figures are made of. */
const PARTS: ReadonlySet<string> = new Set(["price_usd", "fx_rate", "fx_source", "fx_role", "fx_at"]);

/** The body of a receipt, as the answer that it is a copy of: without the parts that were not asked for. */
const receiptBody = (receipt: string, route: Route, answer: unknown): string => {
  const claims = receiptPart(receipt, 1);
  const head = `"route":"${route.method} ${route.path}","body":`;
  const body = JSON.parse(claims.slice(claims.indexOf(head) + head.length, -1));
  const isAdded = (name: string): boolean =>
    PARTS.has(name) && !(typeof answer === "object" && answer !== null && name in answer);
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([name]) => !isAdded(name))));
};

export const saysTheSame = (route: Route, format: Format, { json, text: jsonText }: Exchange, text: string): boolean => {
  const path = route.formats?.[format] ?? "";
  const is: Readonly<Record<Format, () => boolean>> = {
    csv: () => isSameTable(route, path, json, text),
    text: () => /^\d+\.\d+\n$/.test(text) && text === `${String(at(json, path))}\n`,
    beancount: () => text === pricesOf(json, (day, price, metal, currency) => `${day} price ${metal} ${price} ${currency}`),
    ledger: () => text === pricesOf(json, (day, price, metal, currency) => `P ${day} ${metal} ${price} ${currency}`),
    // The very text of the JSON answer, not another that means the same.
    jws: () => receiptBody(text, route, json) === jsonText,
  };
  return is[format]();
};

/** Whether an answer has the figure that a format shows; one of rows may have none. */
export const hasFigure = (route: Route, format: Format, json: unknown): boolean =>
  format !== "text" || at(json, route.formats?.text ?? "") !== null;

/** What a format must say, from the JSON answer: read back by a parser that shares nothing with the writer. */
import type { Format, Route } from "@assay/contract";
import { parse } from "csv-parse/sync";
import { expect } from "vitest";
import { z } from "zod";

type Fields = Readonly<Record<string, unknown>>;

/** The JSON schema of an answer, as far as it is read here. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

const at = (json: unknown, path: string): unknown =>
  path === "" ? json : path.split(".").reduce<unknown>((value, name) => (value as Fields | null)?.[name] ?? null, json); // a schema was checked

/** The cells a row has by the answer's schema: a field of an object under the names of both. */
const columnsAt = (route: Route, path: string): string[] => {
  const whole = z.toJSONSchema(route.output, { unrepresentable: "any" }) as Schema; // keywords of JSON schema
  const resolved = (schema: Schema = {}): Schema => {
    const named = schema.$ref === undefined ? schema : whole.$defs?.[schema.$ref.replace("#/$defs/", "")];
    return named?.anyOf?.map(resolved).find(({ properties, items }) => properties ?? items) ?? named ?? {};
  };
  const namesIn = (schema: Schema, before = ""): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const inner = resolved(field);
      return inner.properties ? namesIn(inner, `${before}${name}.`) : [`${before}${name}`];
    });
  const names = path === "" ? [] : path.split(".");
  const list = names.reduce<Schema>((schema, name) => resolved(schema.properties?.[name]), resolved(whole));
  return namesIn(resolved(list.items));
};

const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

const expectCsv = (route: Route, path: string, json: unknown, text: string): void => {
  const columns = columnsAt(route, path);
  const rows = at(json, path) as Fields[]; // the declaration says so
  const wanted = rows.map((row) => columns.map((name) => textOf(at(row, name))));
  // Not relaxed in anything: a lone quote or a row of another length throws.
  expect(parse(text, { record_delimiter: "\r\n" })).toEqual([columns, ...wanted]);
  expect(text.endsWith("\r\n")).toBe(true);
};

const expectPrices = (json: unknown, text: string, line: (day: string, price: string) => string): void => {
  const { symbol, bars } = json as { symbol: string; bars: { bar_start: string; close: string; is_closed: boolean }[] }; // a schema was checked
  expect(symbol).toBe("XAU-USD-SPOT");
  const closed = bars.filter((bar) => bar.is_closed);
  expect(closed.length).toBeGreaterThan(0);
  expect(text).toBe(closed.map((bar) => `${line(bar.bar_start.slice(0, 10), bar.close)}\n`).join(""));
};

/** Checks that a text says what the JSON answer says. */
export const expectSameFigures = (route: Route, format: Format, json: unknown, text: string): void => {
  const path = route.formats?.[format] ?? "";
  const says: Record<Format, () => void> = {
    csv: () => expectCsv(route, path, json, text),
    text: () => {
      expect(text).toMatch(/^\d+\.\d+\n$/);
      expect(text).toBe(`${String(at(json, path))}\n`);
    },
    beancount: () => expectPrices(json, text, (day, price) => `${day} price XAU ${price} USD`),
    jws: () => {
      const [header, claims] = text.split(".").map((part) => Buffer.from(part, "base64url").toString("utf8"));
      expect(JSON.parse(header ?? "")).toEqual({ alg: "EdDSA", kid: expect.stringMatching(/^[\w-]{43}$/) });
      // The very text of the JSON answer, not another that means the same.
      expect(claims).toContain(`"route":"${route.method} ${route.path}","body":${JSON.stringify(json)}}`);
    },
    ledger: () => expectPrices(json, text, (day, price) => `P ${day} XAU ${price} USD`),
  };
  says[format]();
};

import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Type } from "./model.ts";
import { jsonSchemaOf, SchemaReader } from "./read-schema.ts";

const read = (schema: z.ZodType, name = "Answer") => {
  const reader = new SchemaReader();
  const type = reader.read(jsonSchemaOf(schema, "output"), name);
  return { type, declarations: reader.declarations };
};

/** Fields by name of the object a schema declares. */
const fieldsOf = (schema: z.ZodObject) => {
  const declaration = read(schema).declarations.get("Answer");
  if (declaration?.kind !== "object") throw new Error("no object");
  return new Map(declaration.fields.map((field) => [field.wireName, field]));
};

describe("values", () => {
  const price = z.string().meta({ format: "decimal" });
  test.each<[string, z.ZodType, Type]>([
    ["text", z.string(), { kind: "text" }],
    ["whole numbers", z.int(), { kind: "number" }],
    ["truth", z.boolean(), { kind: "boolean" }],
    ["nothing", z.null(), { kind: "null" }],
    ["decimals", price, { kind: "decimal" }],
    ["instants", z.iso.datetime(), { kind: "instant" }],
    ["days", z.iso.date(), { kind: "day" }],
    ["enums", z.enum(["a", "b"]), { kind: "choice", values: ["a", "b"], isOpen: false }],
    ["a literal", z.literal("a"), { kind: "choice", values: ["a"], isOpen: false }],
    ["known values", z.string().meta({ "x-extensible-enum": ["a"] }), { kind: "choice", values: ["a"], isOpen: true }],
    ["the only values", z.string().meta({ "x-closed-enum": ["a"] }), { kind: "choice", values: ["a"], isOpen: false }],
    ["words", z.string().meta({ "x-words": ["a", "b"] }), { kind: "words", values: ["a", "b"] }],
    ["arrays", z.array(price), { kind: "list", of: { kind: "decimal" } }],
    ["records", z.record(z.string(), z.iso.datetime()), { kind: "record", of: { kind: "instant" } }],
    ["nullable text", z.string().nullable(), { kind: "nullable", of: { kind: "text" } }],
    ["nullable instants", z.iso.datetime().nullable(), { kind: "nullable", of: { kind: "instant" } }],
    ["plain unions", z.union([z.string(), z.int()]), { kind: "either", of: [{ kind: "text" }, { kind: "number" }] }],
  ])("reads %s", (_, schema, type) => {
    expect(read(schema).type).toEqual(type);
  });

  test("refuses what it does not know, by name", () => {
    expect(() => read(z.unknown(), "Answer")).toThrow("Answer: the generator does not know");
    expect(() => read(z.object({ depth: z.tuple([z.string()]) }))).toThrow("Answer");
  });
});

describe("objects", () => {
  test("distinguish optional fields from nullable ones, and keep description, default and example", () => {
    const fields = fieldsOf(
      z.object({
        close: z
          .string()
          .nullable()
          .meta({ description: "Last price", examples: ["1"] }),
        note: z.string().optional(),
      }),
    );
    expect(fields.get("close")).toEqual({
      wireName: "close",
      type: { kind: "nullable", of: { kind: "text" } },
      isOptional: false,
      description: "Last price",
      example: "1",
      whenAbsent: undefined,
    });
    expect(fields.get("note")).toMatchObject({ isOptional: true, description: "", example: undefined });
  });

  test("take the description and example of the value where only null is beside it", () => {
    const fields = fieldsOf(
      z.object({
        at: z.iso
          .datetime()
          .meta({ description: "When", examples: ["x"] })
          .nullable(),
      }),
    );
    expect(fields.get("at")).toMatchObject({ description: "When", example: "x" });
  });

  test("are named by their id or title, else after the object and field they are in", () => {
    const { declarations } = read(
      z.object({
        bar: z.object({}).meta({ id: "Bar" }),
        issue: z.object({}).meta({ title: "Issue" }),
        live_writer: z.object({ market: z.object({}) }),
      }),
      "Status",
    );
    expect([...declarations.keys()]).toEqual(["Status", "Bar", "Issue", "StatusLiveWriter", "StatusLiveWriterMarket"]);
  });

  test("are declared once, however often they are used", () => {
    const bar = z.object({ open: z.string() }).meta({ id: "Bar" });
    const { declarations } = read(z.object({ first: bar, all: z.array(bar), last: bar.nullable() }));
    expect([...declarations.keys()]).toEqual(["Answer", "Bar"]);
  });

  test("may not share a name", () => {
    const reader = new SchemaReader();
    reader.read(jsonSchemaOf(z.object({ meta: z.object({}) }), "output"), "Bars");
    expect(() => reader.read(jsonSchemaOf(z.object({ open: z.string() }), "output"), "BarsMeta")).toThrow("BarsMeta");
  });

  test("in several forms become a union of named members", () => {
    const { type, declarations } = read(
      z
        .union([z.object({ count: z.int() }).meta({ id: "Count" }), z.object({ rows: z.array(z.string()) })])
        .meta({ id: "Divergence" }),
    );
    expect(type).toEqual({ kind: "named", name: "Divergence" });
    expect(declarations.get("Divergence")).toMatchObject({ kind: "union", members: ["Count", "Divergence2"] });
  });
});

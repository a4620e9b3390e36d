import { contract } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { faultsOf, strictly } from "./strict-schema.ts";

describe("a schema made strict", () => {
  const schema = z.object({
    list: z.array(z.object({ a: z.string() })),
    maybe: z.object({ b: z.int() }).nullable(),
    absent: z.object({ c: z.int() }).optional(),
    either: z.union([z.object({ d: z.int() }), z.object({ e: z.int() })]),
    byName: z.record(z.string(), z.object({ f: z.int() })),
  });
  const good = { list: [{ a: "x" }], maybe: { b: 1 }, either: { e: 1 }, byName: { any: { f: 1 } } };

  test("accepts what the schema accepts", () => {
    expect(faultsOf(schema, good)).toEqual([]);
    expect(faultsOf(schema, { ...good, maybe: null, absent: { c: 1 } })).toEqual([]);
  });

  test("refuses an undeclared key, however deep it is", () => {
    for (const bad of [
      { ...good, z: 1 },
      { ...good, list: [{ a: "x", z: 1 }] },
      { ...good, maybe: { b: 1, z: 1 } },
      { ...good, absent: { c: 1, z: 1 } },
      { ...good, either: { e: 1, z: 1 } },
      { ...good, byName: { any: { f: 1, z: 1 } } },
    ]) {
      expect(schema.safeParse(bad).success, "which the schema itself lets through").toBe(true);
      expect(faultsOf(schema, bad), JSON.stringify(bad)).not.toEqual([]);
    }
  });

  test("leaves the given one as it is", () => {
    strictly(schema);
    expect(schema.safeParse({ ...good, z: 1 }).success).toBe(true);
  });

  test("keeps every rule of the contract's outputs", () => {
    const row = { symbol: "XAU", quote_currency: "USD", unit: "troy_ounce", contract_type: "spot", is_stale: false };
    expect(faultsOf(contract.spot.get.output, row)).toEqual([]);
    for (const bad of [
      { ...row, price: 4003.2 },
      { ...row, symbol: "XPT" },
      { ...row, price: null },
      { ...row, is_stale: "no" },
    ]) {
      expect(faultsOf(contract.spot.get.output, bad)).not.toEqual([]);
    }
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { camelCase, decoderOf } from "./decode.ts";
import type { Shape } from "./operation.ts";
import { Decimal, PublishedDecimal } from "./published-decimal.ts";

const decode = (shape: Shape, value: unknown): unknown => decoderOf(shape)?.(value);

describe("a wire value", () => {
  test("gets the SDK's names, decimals and dates", () => {
    const shape: Shape = { fields: "price_gram_24k:d computed_at:i is_stale" };
    const value = decode(shape, { price_gram_24k: "128.7000", computed_at: "2026-11-20T14:03:27.5Z", is_stale: false });
    expect(value).toEqual({
      priceGram24k: new PublishedDecimal("128.7000"),
      computedAt: new Date("2026-11-20T14:03:27.500Z"),
      isStale: false,
    });
  });

  test("that is null or absent stays so, and absent fields are not made up", () => {
    const shape: Shape = { fields: "price:d~ at:i~", parts: { rows: { list: "decimal" }, by: { record: "decimal" } } };
    expect(decode(shape, { price: null, at: null, rows: null, by: null })).toEqual({
      price: null,
      at: null,
      rows: null,
      by: null,
    });
    expect(Object.keys(decode(shape, {}) as object)).toEqual([]);
    expect(decode(shape, null)).toBeNull();
  });

  test("may hold null where that is said, and values that are not known yet", () => {
    const shape: Shape = { fields: "unit price:d? is_stale" };
    const value = { unit: "bushel", price: null, is_stale: false, later: [1] };
    expect(decode(shape, value)).toEqual({ unit: "bushel", price: null, isStale: false, later: [1] });
  });

  const rows: Shape = { fields: "", parts: { rows: { list: { fields: "price:d? at:i~ is_stale" } } } };

  const feeds: Shape = { fields: "", parts: { feeds: { record: { fields: "at:i~" } } } };
  test.each<[Shape, object, string]>([
    [rows, { rows: [{ price: null, is_stale: false }, { price: "1" }] }, "rows[1].is_stale: missing"],
    [rows, { rows: [{ is_stale: false }] }, "rows[0].price: missing"],
    [rows, { rows: [{ price: "1", is_stale: null }] }, "rows[0].is_stale: missing (null)"],
    [rows, { rows: [{ price: "NaN", is_stale: false }] }, 'rows[0].price: expected plain decimal text, found "NaN"'],
    [rows, { rows: [{ price: 4003.2, is_stale: false }] }, "rows[0].price: expected plain decimal text, found 4003.2"],
    [rows, { rows: {} }, "rows: expected an array, found object"],
    [rows, { rows: ["k".repeat(49)] }, "rows[0]: expected an object, found string"],
    [feeds, { feeds: { ecb: { at: "noon" } } }, 'feeds.ecb.at: expected an ISO-8601 instant, found "noon"'],
  ])("of shape %j refuses %j, and says where it is wrong", (shape, value, message) => {
    expect(() => decode(shape, value)).toThrow(new TypeError(message));
  });

  test("keeps keys that are data, and renames those that are fields", () => {
    const shape: Shape = { fields: "", parts: { value_staleness: { record: { fields: "age_seconds" } } } };
    expect(decode(shape, { value_staleness: { "XAU-USD_SPOT": { age_seconds: 3 } } })).toEqual({
      valueStaleness: { "XAU-USD_SPOT": { ageSeconds: 3 } },
    });
  });

  test("of a newer service passes through with the SDK's names", () => {
    const shape: Shape = { list: { fields: "price:d~" } };
    expect(decode(shape, [{ new_field: { inner_name: 1 } }])).toEqual([{ newField: { inner_name: 1 } }]);
  });

  test.each(["__proto__", "constructor", "to_string"])("named %s is a field like any other", (name) => {
    for (const shape of [{ fields: "" }, { record: { list: "same" } }, { record: "instant" }] satisfies Shape[]) {
      const decoded = decode(shape, JSON.parse(`{"${name}":null,"a":null}`)) as object;
      expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
      expect(Object.keys(decoded)).toHaveLength(2);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("with thousands of unknown names neither slows decoding down nor grows its cache", () => {
    const shape: Shape = { fields: "" };
    const names = Array.from({ length: 5_000 }, (_, index) => `made_up_${index}`);
    const decoded = decode(shape, Object.fromEntries(names.map((name) => [name, 1]))) as object;
    expect(Object.keys(decoded)).toEqual(names.map(camelCase));
  });

  test.each<[Shape, unknown]>([
    ...[
      "12,5",
      "NaN",
      "Infinity",
      "-Infinity",
      "0x1F",
      "0b1",
      "1e5",
      "1E-5",
      "",
      " ",
      "1 ",
      "+1",
      ".5",
      "5.",
      "1_000",
      "--1",
    ].map((text): [Shape, unknown] => ["decimal", text]),
    ["decimal", 12.5],
    ["instant", "yesterday"],
    ["instant", 1_700_000_000],
    ["instant", "2026"],
    ["instant", "2026-11-20"],
    ["instant", "2026-11-20T14:03:27"],
    ["instant", "2026-13-45T14:03:27Z"],
    [{ list: "decimal" }, {}],
    [{ fields: "" }, []],
    [{ fields: "" }, "text"],
    [{ record: "decimal" }, []],
    [{ fields: "symbol price" }, {}],
  ])("of shape %j refuses %j rather than giving garbage", (shape, value) => {
    expect(() => decode(shape, value)).toThrow();
  });

  test("comes out with every key and value it had, whatever it holds", () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}(_[a-z0-9]{1,5}){0,3}$/);
    // Of two names with one SDK name, as `i7` and `i_7`, only one can be kept; no type of the contract has such.
    const fields = fc.uniqueArray(fc.tuple(name, fc.jsonValue()), { selector: ([key]) => camelCase(key) });
    fc.assert(
      fc.property(fields, (entries) => {
        const decoded = decode({ fields: "" }, Object.fromEntries(entries)) as Record<string, unknown>;
        for (const [key, inner] of entries) expect(decoded[camelCase(key)]).toBe(inner);
      }),
    );
  });
});

describe("a published decimal", () => {
  test("keeps the digits it was published with in every text", () => {
    const price = new PublishedDecimal("4003.20");
    expect([price.text, price.toString(), `${price}`, String(price), JSON.stringify({ price })]).toEqual([
      ...["4003.20", "4003.20", "4003.20", "4003.20"],
      '{"price":"4003.20"}',
    ]);
  });

  test("is a Decimal whose arithmetic gives plain ones", () => {
    const price = new PublishedDecimal("4003.20");
    expect(price).toBeInstanceOf(Decimal);
    expect(price).toBeInstanceOf(PublishedDecimal);
    for (const figure of [price.plus("0.01"), price.neg(), price.abs(), new Decimal(2).times(price), new Decimal(price)]) {
      expect(figure).toBeInstanceOf(Decimal);
      expect(figure).not.toBeInstanceOf(PublishedDecimal);
    }
    expect(price.plus("0.01").toString()).toBe("4003.21");
    expect(price.eq("4003.2")).toBe(true);
    expect(new Decimal(1).div(3).toString()).toBe(`0.${"3".repeat(40)}`);
  });

  test("and what is computed from it never show an exponent", () => {
    expect(new PublishedDecimal("0.0000001").times("1e-20").toString()).toBe(`0.${"0".repeat(26)}1`);
    expect(new Decimal("1e30").toString()).toBe(`1${"0".repeat(30)}`);
  });

  test("equals arithmetic on the same text", () => {
    const text = fc.stringMatching(/^-?(0|[1-9][0-9]{0,9})\.[0-9]{1,8}$/);
    fc.assert(
      fc.property(text, text, (left, right) => {
        const sum = new PublishedDecimal(left).plus(new PublishedDecimal(right));
        expect(sum.eq(new Decimal(left).plus(right))).toBe(true);
        expect(new PublishedDecimal(left).text).toBe(left);
      }),
    );
  });
});

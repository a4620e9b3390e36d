import { Decimal as Base } from "decimal.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createQuotes, echo, getSpot, mintKey, revokeKey } from "../testing/operations.ts";
import { Decimal, PublishedDecimal } from "./published-decimal.ts";
import { planOf } from "./request-plan.ts";

const target = (params: object): string => planOf(echo).write(params).target;

describe("a parameter", () => {
  test.each<[string, object, string]>([
    ["text is escaped", { text: "XAU/USD &ü" }, "?text=XAU%2FUSD%20%26%C3%BC"],
    ["a number and a boolean are written as they are", { text: 10.5, keyId: false }, "?text=10.5&key_id=false"],
    ["NaN is left to the service", { text: Number.NaN, amount: Number.POSITIVE_INFINITY }, "?text=NaN&amount=Infinity"],
    ["undefined is left out", { text: undefined, keyId: "a" }, "?key_id=a"],
    ["a small number has no exponent", { amount: 1e-7 }, "?amount=0.0000001"],
    ["a large number has no exponent", { amount: -1.25e21 }, "?amount=-1250000000000000000000"],
    ["decimal text stays", { amount: "2.50" }, "?amount=2.50"],
    ["a Decimal has no exponent", { amount: new Decimal("1e-30") }, `?amount=0.${"0".repeat(29)}1`],
    ["any decimal.js will do", { amount: new Base("1e-9") }, "?amount=0.000000001"],
    ["a published price is written by its value", { amount: new PublishedDecimal("4003.20") }, "?amount=4003.2"],
    ["a Date is an instant", { at: new Date("2026-11-20T14:03:27Z") }, "?at=2026-11-20T14%3A03%3A27.000Z"],
    ["instant text stays", { at: "2026-11-20" }, "?at=2026-11-20"],
    ["words are joined by commas", { include: ["karat", "sources"] }, "?include=karat%2Csources"],
    ["one word is enough", { include: "all" }, "?include=all"],
    ["no words are left out", { include: [] }, ""],
  ])("%s", (_, params, query) => {
    expect(target(params)).toBe(`/v1/echo${query}`);
  });

  test.each<[string, object, string]>([
    ["null", { text: null }, "text must not be null; leave it out instead"],
    ["an object as text", { keyId: {} }, "keyId must be text, a number or a boolean"],
    ["an invalid Date", { at: new Date("no") }, "at must be a valid Date"],
    [
      "a Date as a day",
      { day: new Date(2026, 10, 28) },
      "day must be a day as text, YYYY-MM-DD: a Date is another day in another time zone",
    ],
    ["a number as a day", { day: 20_261_128 }, "day must be a day as text, YYYY-MM-DD"],
    ["a number as an instant", { at: 1_700_000_000 }, "at must be a Date or ISO-8601 text"],
    ["an object as an amount", { amount: {} }, "amount must be a number, decimal text or a Decimal"],
    ["words that are none", { include: [1] }, "include must be an array of words"],
    ["a name the operation does not know", { cursr: "a" }, 'test.echo has no parameter "cursr"'],
    ["a name of every object", { toString: "a" }, 'test.echo has no parameter "toString"'],
    ["half a surrogate pair", { text: "\ud800" }, "text must be well-formed Unicode text"],
  ])("refuses %s and names it", (_, params, message) => {
    expect(() => target(params)).toThrow(new TypeError(message));
  });

  test("that is a number is written so that it reads as the same number, in plain notation", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (amount) => {
        const text = target({ amount }).replace("/v1/echo?amount=", "");
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(text)).toBe(amount === 0 ? 0 : amount);
      }),
    );
  });

  test("of the query comes out again as it went in", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, keyId) => {
        const read = new URL(target({ text, keyId }), "http://a").searchParams;
        expect([read.get("text"), read.get("key_id")]).toEqual([text, keyId]);
      }),
    );
  });
});

describe("a path", () => {
  test("takes its parameter as one piece", () => {
    expect(planOf(getSpot).write({ symbol: "XAU/USD?a#b" }).target).toBe("/v1/spot/XAU%2FUSD%3Fa%23b");
    expect(planOf(revokeKey).write({ keyId: "k-1" }).target).toBe("/v1/account/keys/k-1");
  });

  test.each(["", ".", ".."])("refuses %j, which would name another path", (symbol) => {
    expect(() => planOf(getSpot).write({ symbol })).toThrow(TypeError);
  });

  test("refuses to be built without its parameter, by the SDK's name", () => {
    expect(() => planOf(revokeKey).write({})).toThrow('account.revokeKey needs the parameter "keyId"');
  });

  test("never leaves its own route, whatever the parameter", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (symbol) => {
        fc.pre(symbol !== "." && symbol !== "..");
        const { pathname } = new URL(planOf(getSpot).write({ symbol }).target, "http://a");
        expect(pathname.split("/")).toHaveLength(4);
        expect(decodeURIComponent(pathname.slice("/v1/spot/".length))).toBe(symbol);
      }),
    );
  });
});

describe("a body", () => {
  test("holds the body's parameters as JSON, and is left out where there are none", () => {
    expect(planOf(mintKey).write({ name: "ci" }).body).toBe('{"name":"ci"}');
    expect(planOf(mintKey).write({}).body).toBeUndefined();
  });

  const bodyOf = (...items: unknown[]): unknown => JSON.parse(planOf(createQuotes).write({ items }).body ?? "null");

  test("has the wire's names and decimal text in its objects, and nothing of what is undefined", () => {
    const piece = { id: "a", weight: new Decimal("4.250"), marginPercent: "3.0", karat: 18, taxOn: undefined };
    expect(bodyOf(piece, { making: { perGram: new Base("1e-9") } })).toEqual({
      items: [{ id: "a", weight: "4.25", margin_percent: "3.0", karat: 18 }, { making: { per_gram: "0.000000001" } }],
    });
  });

  test("passes on fields it does not know, for a newer service", () => {
    expect(bodyOf({ newField: 1, toString: "a" })).toEqual({ items: [{ new_field: 1, to_string: "a" }] });
  });

  test.each<[string, unknown, string]>([
    ["an amount that is a number", { weight: 4.25 }, "items[0].weight must be decimal text or a Decimal"],
    ["one in an inner object", { making: { perGram: 1 } }, "items[0].making.perGram must be decimal text or a Decimal"],
    ["a piece that is none", 5, "items[0] must be an object"],
  ])("refuses %s and names it", (_, piece, message) => {
    expect(() => bodyOf(piece)).toThrow(new TypeError(message));
  });
});

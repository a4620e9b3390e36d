import { inspect } from "node:util";
import { Decimal as Base } from "decimal.js";
import { describe, expect, test } from "vitest";
import { Decimal, PublishedDecimal } from "./published-decimal.ts";

const silver = new PublishedDecimal("999.50");
const gold = new PublishedDecimal("3998.23");
const plain = (text: string): Base => new Base(text);
const TWO = 2;

describe.each([
  ["published", gold, silver],
  ["worked out", gold.plus(0), silver.plus(0)],
])("a decimal that was %s", (_, high, low) => {
  // Typed as functions of unknown: most of these lines would not compile.
  test.each<[string, (a: never, b: never) => unknown]>([
    ["<", (a, b) => a < b],
    [">", (a, b) => a > b],
    ["<=", (a, b) => a <= b],
    ["-", (a, b) => a - b],
    ["+", (a, b) => a + b],
    ["+ text", (a) => `${""}` + a],
    // biome-ignore lint/suspicious/noDoubleEquals: the operator under test
    ["== a number", (a) => a == TWO],
    ["unary +", (a) => +a],
    ["Math.max", (a, b) => Math.max(a, b)],
    ["Number", (a) => Number(a)],
  ])("refuses %s, and says what to use instead", (_, operate) => {
    expect(() => operate(high as never, low as never)).toThrow(TypeError);
    expect(() => operate(high as never, low as never)).toThrow(/\.cmp\(\), \.gt\(\).*\.toNumber\(\)/);
  });

  test("compares, sorts and becomes a number by its methods", () => {
    expect([high.gt(low), low.lt(high), high.cmp(low), high.eq(high)]).toEqual([true, true, 1, true]);
    expect([high, low].sort((a, b) => a.cmp(b))).toEqual([low, high]);
    expect([low.toNumber(), high.toNumber()]).toEqual([999.5, 3998.23]);
    expect(Decimal.max(high, low).eq(high)).toBe(true);
  });

  test("is text in templates, joined lists and keys, and in JSON", () => {
    expect(`${high} ${[low].join()} ${String(high)}`).toBe(`3998.23 ${low.toString()} 3998.23`);
    expect(JSON.stringify({ high })).toBe('{"high":"3998.23"}');
    expect({ [high as unknown as string]: 1 }).toEqual({ "3998.23": 1 });
    expect(inspect(high)).toContain("3998.23");
  });

  test("is a Decimal, of this package and of decimal.js, and can be given to any of them", () => {
    expect([high instanceof Decimal, high instanceof Base, Decimal.isDecimal(high)]).toEqual([true, true, true]);
    expect(new Base(high).times(low).toString()).toBe(plain("3998.23").times("999.50").toString());
    expect(high.times(plain("2")).toString()).toBe("7996.46");
  });
});

test("every operation gives what decimal.js gives with the same settings", () => {
  const Same = Base.clone({ precision: 40, rounding: Base.ROUND_HALF_UP, toExpNeg: -9e15, toExpPos: 9e15, defaults: true });
  const UNARY = Object.keys(Base.prototype).filter((name) => !/^(constructor|toStringTag|valueOf)$/.test(name));
  const run = (value: object, name: string, operands: readonly unknown[]): string => {
    const method: unknown = Reflect.get(value, name);
    if (typeof method !== "function") return "none";
    try {
      return String(method.apply(value, operands));
    } catch (error) {
      return error instanceof Error ? "an error" : String(error);
    }
  };
  let compared = 0;
  for (const text of ["0", "0.5", "2", "-3", "999.50", "4003.2012345678901234567890"]) {
    for (const name of UNARY) {
      for (const operands of [[], [3], ["0.25"], [new PublishedDecimal("7.50")], [0, 10]]) {
        const expected = run(new Same(text), name, operands);
        expect(run(new Decimal(text), name, operands), `${text} ${name}`).toBe(expected);
        if (!/^to(String|JSON)$/.test(name))
          expect(run(new PublishedDecimal(text), name, operands), `${text} ${name}`).toBe(expected);
        compared += 1;
      }
    }
  }
  expect(compared).toBeGreaterThan(1_000);
  expect(Object.is(new Decimal("-0").toNumber(), -0)).toBe(true);
  expect(Decimal.sqrt(gold).times(Decimal.pow(silver, "0.5")).toFixed(10)).toBe(
    Same.sqrt("3998.23").times(Same.pow("999.50", "0.5")).toFixed(10),
  );
  expect(Decimal.hypot(3, gold.minus(gold).plus(4)).toString()).toBe("5");
});

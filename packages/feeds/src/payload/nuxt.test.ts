/** Data packed with devalue, as Nuxt does. */
import { stringify } from "devalue";
import { describe, expect, it } from "vitest";
import { readHtml } from "./html.ts";
import { readNuxt, valuesNamed } from "./nuxt.ts";

class Reactive {
  readonly held: unknown;
  constructor(held: unknown) {
    this.held = held;
  }
}
const page = (packed: string) => readHtml(`<html><body><script id="__NUXT_DATA__" type="application/json">${packed}</script>`);
const packed = (data: unknown) =>
  page(stringify(data, { ShallowReactive: (value: unknown) => value instanceof Reactive && value.held }));

describe("a page's packed data", () => {
  it("is unpacked, with Nuxt's marks taken off", () => {
    const data = { data: new Reactive({ list: [{ price: "1000" }, { price: "1000" }] }), at: new Date(0), once: new Set(["a"]) };
    expect(readNuxt(packed(data))).toEqual({ ...data, data: { list: [{ price: "1000" }, { price: "1000" }] } });
  });

  it("is searched for a name at any depth, in circles, too", () => {
    const data: Record<string, unknown> = {
      one: { list: [1] },
      sets: new Set([{ list: [2] }]),
      maps: new Map([["m", { list: [3] }]]),
    };
    data.self = data;
    expect(valuesNamed(readNuxt(packed(data)), "list")).toEqual([[1], [2], [3]]);
    expect(valuesNamed(readNuxt(packed(data)), "toString")).toEqual([]);
  });

  it.each([
    ["a mark it does not know", '[["Unknown",1],{}]'],
    ["no JSON", "{"],
    ["a reference to nowhere", '[{"a":7}]'],
    ["another program's prototype", '[{"__proto__":1},{}]'],
    ["lists within lists beyond measure", `[${Array.from({ length: 100_000 }, (_none, index) => `[${index + 1}]`).join(",")},1]`],
    ["nothing", ""],
  ])("is refused when it is %s", (_what, text) => {
    expect(() => readNuxt(page(text))).toThrow("failed to unpack the page's data");
  });
});

/** Which JSON has a name twice in one object. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { repeatedName } from "./repeated-name.ts";

describe("a name", () => {
  test.each([
    ['{"a":1,"a":1}', "a"],
    ['{"a":1 , "\\u0061" : 2}', "a"],
    ['[{"a":{"b":[1],"c":2}},{"a":1,"d":{"":1,"":2}}]', ""],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
    ['{"\\"":1,"\\"":2}', '"'],
    ['{"a":{"a":1},"a":2}', "a"],
  ])("that one object has twice is found: %s", (json, name) => {
    expect(repeatedName(json)).toBe(name);
  });

  test("in two objects, or in a text, is not twice in one: what JSON.stringify writes has none", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.boolean(), (value, spaced) => {
        expect(repeatedName(JSON.stringify(value, null, spaced ? 2 : 0))).toBeUndefined();
      }),
    );
    expect(repeatedName('[{"a":"\\"a\\":1,{\\\\"},{"a":"}"},"a","a"]')).toBeUndefined();
  });
});

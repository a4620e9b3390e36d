import { describe, expect, test } from "vitest";
import { jsonFaultPlace, jsonPlace } from "./json-place.ts";

describe("a text that is not JSON", () => {
  test.each([
    ['{"a": 1,}', "line 1, column 9"],
    ['{"a" 1}', "line 1, column 6"],
    ['{\n  "free": x\n}', "line 2, column 11"],
    ['{\n  "free": {', "line 2, column 12"],
    ["", "line 1, column 1"],
    ["[1, 2] 3", "line 1, column 8"],
    ["[01]", "line 1, column 3"],
    ["{'a': 1}", "line 1, column 2"],
    ['["\\x"]', "line 1, column 2"],
    ['{"a\tb": 1}', "line 1, column 2"],
  ])("%j stops being it at %s", (text, place) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(jsonFaultPlace(text)).toBe(place);
  });
});

describe("a value", () => {
  const text = '{\n  "free": {"monthly_quota": -1},\n  "list": [1, {"a": true}, null],\n  "\\u0061": 2.5e3\n}\n';
  test.each([
    [["free"], "line 2, column 3"],
    [["free", "monthly_quota"], "line 2, column 12"],
    [["free", "missing"], "line 2, column 3"],
    [["list", 1, "a"], "line 3, column 16"],
    [["a"], "line 4, column 3"],
    [[], "line 1, column 1"],
  ])("of the path %j is at %s", (path, place) => {
    JSON.parse(text);
    expect(jsonPlace(text, path)).toBe(place);
  });
});

import { describe, expect, test } from "vitest";
import { readGroups } from "./groups.ts";

const NONE = { sources: false, karat: false, stats: false };

describe("?include=", () => {
  test.each([
    [undefined, NONE],
    ["", NONE],
    ["sources", { ...NONE, sources: true }],
    ["sources,karat", { ...NONE, sources: true, karat: true }],
    [" Karat , STATS ", { ...NONE, karat: true, stats: true }],
    ["all", { sources: true, karat: true, stats: true }],
    ["nothing,of,the,sort", NONE],
    ["karat,nothing,karat", { ...NONE, karat: true }],
    ["sourceskarat", NONE],
    [",,,", NONE],
  ])("%j selects the groups it names and ignores the rest", (include, expected) => {
    expect(readGroups(include, true)).toEqual(expected);
  });

  test("never gives stats without a key, and all means the rest", () => {
    expect(readGroups("stats", false)).toEqual(NONE);
    expect(readGroups("all", false)).toEqual({ sources: true, karat: true, stats: false });
  });
});

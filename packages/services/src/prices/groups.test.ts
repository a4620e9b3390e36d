import { describe, expect, test } from "vitest";
import { readGroups } from "./groups.ts";

const NONE = { sources: false, parts: false, karat: false, stats: false };

const ANONYMOUS = { isKnown: false, isReceipt: false };

describe("?include=", () => {
  test.each([
    [undefined, NONE],
    ["", NONE],
    ["sources", { ...NONE, sources: true, parts: true }],
    ["sources,karat", { ...NONE, sources: true, parts: true, karat: true }],
    [" Karat , STATS ", { ...NONE, karat: true, stats: true }],
    ["all", { sources: true, parts: true, karat: true, stats: true }],
    ["nothing,of,the,sort", NONE],
    ["karat,nothing,karat", { ...NONE, karat: true }],
    ["sourceskarat", NONE],
    [",,,", NONE],
  ])("%j selects the groups it names and ignores the rest", (include, expected) => {
    expect(readGroups(include, { isKnown: true, isReceipt: false })).toEqual(expected);
  });

  test("never gives stats without a key, and all means the rest", () => {
    expect(readGroups("stats", ANONYMOUS)).toEqual(NONE);
    expect(readGroups("all", ANONYMOUS)).toEqual({ sources: true, parts: true, karat: true, stats: false });
  });

  test("always gives a receipt what its price is made of", () => {
    const receipt = { isKnown: true, isReceipt: true };
    expect([readGroups(undefined, receipt), readGroups("karat", receipt)]).toEqual([
      { ...NONE, parts: true },
      { ...NONE, parts: true, karat: true },
    ]);
  });
});

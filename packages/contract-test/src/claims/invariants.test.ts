import { expect, test } from "vitest";
import { placesOf } from "./invariants.ts";

test.each([
  ["EUR", 2],
  ["JPY", 0],
  ["XAG", 6],
])("a result in %s is expected with %i decimals", (code, places) => {
  expect(placesOf(code)).toBe(places);
});

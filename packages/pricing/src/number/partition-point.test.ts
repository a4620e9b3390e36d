import fc from "fast-check";
import { expect, test } from "vitest";
import { partitionPoint } from "./partition-point.ts";

test("is the index of the first item that does not satisfy the condition, as a walk finds it", () => {
  const items = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 }).map((all) => all.sort((a, b) => a - b));
  fc.assert(
    fc.property(items, fc.integer({ min: -1, max: 21 }), (all, bound) => {
      const walked = all.findIndex((item) => item >= bound);
      expect(partitionPoint(all, (item) => item < bound)).toBe(walked === -1 ? all.length : walked);
    }),
  );
});

test("looks at no item past the length", () => {
  expect(partitionPoint(Float64Array.of(1, 2, 3, 0, 0), (item) => item < 9, 3)).toBe(3);
});

import fc from "fast-check";
import { describe, it } from "vitest";
import { StartSet } from "./start-set.ts";

describe("StartSet", () => {
  it("has the same members as a Set of numbers, before and after 1970", () => {
    const minutes = fc.array(fc.oneof(fc.integer({ min: -200_000, max: 200_000 }), fc.integer({ min: -20, max: 20 })));
    fc.assert(
      fc.property(minutes, (offsets) => {
        const [starts, oracle] = [new StartSet(60_000), new Set<number>()];
        return offsets.every((offset) => {
          const isNew = !oracle.has(offset);
          oracle.add(offset);
          return starts.add(offset * 60_000) === isNew;
        });
      }),
    );
  });
});

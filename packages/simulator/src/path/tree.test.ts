/** The tree that splits an hour, and the bound that lets a search skip branches. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterNode, FROM, HOUR_SECONDS, MIDDLE, middleValue, NODES, reachOf, TO } from "./tree.ts";

const at = (table: Uint16Array, node: number): number => table[node] ?? 0;

describe("the tree of an hour", () => {
  it("sets every second but the first exactly once", () => {
    expect([...MIDDLE].sort((a, b) => a - b)).toEqual(Array.from({ length: HOUR_SECONDS - 1 }, (_, index) => index + 1));
  });

  it("sets the ends of a stretch before its middle", () => {
    const known = new Set([0, HOUR_SECONDS]);
    for (let node = 0; node < NODES; node++) {
      expect(known.has(at(FROM, node)) && known.has(at(TO, node))).toBe(true);
      known.add(at(MIDDLE, node));
    }
  });

  it("skips a branch to the first node outside of it", () => {
    for (let node = 0; node < NODES; node++) {
      const after = afterNode(node);
      for (let part = node; part < after; part++)
        expect(at(TO, part) <= at(TO, node) && at(FROM, part) >= at(FROM, node)).toBe(true);
      if (after < NODES) expect(at(FROM, after)).toBeGreaterThanOrEqual(at(TO, node));
    }
  });

  it("keeps each minute and each five minutes as one branch", () => {
    const stretches = new Set(Array.from(FROM, (from, node) => `${from}-${at(TO, node)}`));
    for (let start = 0; start < HOUR_SECONDS; start += 60) expect(stretches).toContain(`${start}-${start + 60}`);
    for (let start = 0; start < HOUR_SECONDS; start += 300) expect(stretches).toContain(`${start}-${start + 300}`);
  });

  it("holds every second within its reach, whatever the steps up to their bound and the ends", () => {
    const step = fc.oneof(fc.constantFrom(-1, 1), fc.double({ min: -1, max: 1, noNaN: true }));
    const steps = fc.array(step, { minLength: 1, maxLength: 64 });
    const node = fc.integer({ min: 0, max: NODES - 1 });
    const end = fc.double({ min: 0.98, max: 1.02, noNaN: true });
    const move = fc.double({ min: 1e-7, max: 4e-4, noNaN: true });
    fc.assert(
      fc.property(node, steps, end, end, move, (root, drawn, a, b, bound) => {
        const values = new Float64Array(HOUR_SECONDS + 1);
        values[at(FROM, root)] = a;
        values[at(TO, root)] = b;
        for (let part = root; part < afterNode(root); part++) {
          const moved = (drawn[part % drawn.length] ?? 0) * bound;
          values[at(MIDDLE, part)] = middleValue(part, values[at(FROM, part)] ?? 0, values[at(TO, part)] ?? 0, moved);
        }
        const reach = reachOf(root, bound);
        const seconds = values.subarray(at(FROM, root), at(TO, root));
        expect(Math.max(...seconds)).toBeLessThanOrEqual(Math.max(a, b) * (1 + reach));
        expect(Math.min(...seconds)).toBeGreaterThanOrEqual(Math.min(a, b) * (1 - reach));
      }),
      { numRuns: 2_000 },
    );
  });
});

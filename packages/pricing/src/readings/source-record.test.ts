/** Counts as sums, and deviations as counted steps. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addCounts, deviationOf, deviationQuantile, MAX_INCIDENTS, noCounts, type SourceCounts } from "./source-record.ts";

describe("a deviation", () => {
  it.each([
    ["4000.00", "4000.00", 0],
    ["4000.04", "4000.00", 1],
    ["4000.05", "4000.00", 2],
    ["3999.60", "4000.00", 10],
    ["4004.00", "4000.00", 100],
    ["4004.01", "4000.00", 110],
    ["4200.00", "4000.00", 5_000],
    ["124413.91", "4000.00", 3_100_000],
  ])("of %s from %s is %i tenths of a basis point", (reading, price, tenths) => {
    expect(deviationOf(reading, price)).toBe(tenths);
  });

  it("is never below the exact one, and at most a tenth above it, or a tenth of a basis point", () => {
    const cents = fc.integer({ min: 1, max: 10_000_000 });
    fc.assert(
      fc.property(cents, cents, (reading, price) => {
        const text = (units: number) => (units / 100).toFixed(2);
        const exact = (Math.abs(reading - price) * 100_000) / price;
        const tenths = deviationOf(text(reading), text(price));
        expect(tenths).toBeGreaterThanOrEqual(exact - 1e-6 * exact);
        expect(tenths).toBeLessThanOrEqual(Math.max(exact + 1, (exact + 1) * 1.1));
      }),
    );
  });
});

describe("a quantile of deviations", () => {
  it("is the nearest rank of the readings written out", () => {
    const steps = fc.dictionary(fc.nat(99).map(String), fc.integer({ min: 1, max: 9 }), { noNullPrototype: true, minKeys: 1 });
    fc.assert(
      fc.property(steps, fc.constantFrom(0.5, 0.99, 1), (counted, share) => {
        const written = Object.entries(counted)
          .flatMap(([tenths, count]) => Array.from({ length: count }, () => Number(tenths)))
          .sort((a, b) => a - b);
        expect(deviationQuantile(counted, share)).toBe((written[Math.ceil(share * written.length) - 1] ?? 0) / 10);
      }),
    );
  });

  it("is null when nothing was counted", () => {
    expect(deviationQuantile({}, 0.5)).toBeNull();
  });
});

const counts = (over: Partial<SourceCounts>): SourceCounts => ({ ...noCounts(0), ...over });

describe("sums of counts", () => {
  it("add every count, and keep the newest of what is not a count", () => {
    const sum = addCounts(
      counts({
        untilMs: 1,
        expected: 2,
        met: 1,
        received: 5,
        accepted: 4,
        refused: { jump: 1 },
        deviations: { 10: 4 },
        lastAcceptedAtMs: 7,
      }),
      counts({
        untilMs: 9,
        expected: 3,
        met: 3,
        received: 4,
        accepted: 1,
        refused: { jump: 2, frozen: 1 },
        deviations: { 10: 1 },
      }),
    );
    expect(sum).toEqual({
      untilMs: 9,
      expected: 5,
      met: 4,
      received: 9,
      accepted: 5,
      refused: { jump: 3, frozen: 1 },
      deviations: { 10: 5 },
      incidents: [],
      lastAcceptedAtMs: 7,
    });
  });

  it("join an incident that goes on with its end, and keep the newest of many", () => {
    const open = { kind: "silent", fromMs: 5, toMs: null } as const;
    const ended = addCounts(counts({ incidents: [open] }), counts({ incidents: [{ ...open, toMs: 8 }] }));
    expect(ended.incidents).toEqual([{ ...open, toMs: 8 }]);
    const many = Array.from({ length: MAX_INCIDENTS }, (_, index) => ({ ...open, fromMs: 10 + index, toMs: 11 + index }));
    expect(addCounts(ended, counts({ incidents: many })).incidents).toEqual(many);
  });

  it("do not depend on how the spans are grouped", () => {
    const some = fc
      .record({
        untilMs: fc.nat(9),
        expected: fc.nat(9),
        met: fc.nat(9),
        received: fc.nat(9),
        accepted: fc.nat(9),
        refused: fc.dictionary(fc.constantFrom("jump", "unit"), fc.integer({ min: 1, max: 9 }), { noNullPrototype: true }),
        deviations: fc.dictionary(fc.nat(9).map(String), fc.integer({ min: 1, max: 9 }), { noNullPrototype: true }),
        lastAcceptedAtMs: fc.option(fc.nat(9)),
      })
      .map(counts);
    fc.assert(
      fc.property(some, some, some, (a, b, c) => {
        expect(addCounts(addCounts(a, b), c)).toEqual(addCounts(a, addCounts(b, c)));
      }),
    );
  });
});

/** The front contract's settlement at any instant, whatever the order of arrival. */
import { HOUR_MS } from "@assay/contract";
import type { SettlementRow } from "@assay/pricing";
import { nearestSettlement } from "@assay/pricing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goldSettlement } from "../testing/rows.ts";
import { SettlementBook } from "./settlement-book.ts";

const FIRST_MS = Date.UTC(2026, 10, 20);

const row = (futuresContract: string, hour: number, price: number): SettlementRow => {
  const observedAtMs = FIRST_MS + hour * HOUR_MS;
  return goldSettlement(futuresContract, new Date(observedAtMs).toISOString().slice(0, 10), `${price}`, { observedAtMs });
};
const rows = fc.array(
  fc
    .tuple(fc.constantFrom("GCZ26", "GCG27", "GCJ27"), fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 9 }))
    .map(([name, hour, price]) => row(name, hour, price)),
  { maxLength: 12 },
);

describe("the front's settlement", () => {
  test("is what a search through all that was known gives, at any instant and however often it is requested", () => {
    fc.assert(
      fc.property(rows, fc.array(fc.integer({ min: 0, max: 220 }), { minLength: 1, maxLength: 12 }), (settled, hours) => {
        const book = new SettlementBook();
        settled.forEach((each, place) => {
          book.apply([each]);
          for (const hour of hours.slice(place % 3)) {
            const atMs = FIRST_MS + hour * HOUR_MS;
            expect(book.nearestAt("GC", atMs)).toBe(nearestSettlement("GC", (name) => book.newestAt(name, atMs), atMs));
          }
        });
      }),
    );
  });

  test("is not searched for where none is newer than what is known", () => {
    const book = new SettlementBook();
    book.apply([row("GCZ26", 10, 1)]);
    const atMs = FIRST_MS + 20 * HOUR_MS;
    expect(book.nearestAt("GC", atMs, FIRST_MS + 10 * HOUR_MS)).toBeNull();
    expect(book.nearestAt("GC", atMs, FIRST_MS + 10 * HOUR_MS - 1)?.price).toBe("1");
    expect(book.nearestAt("SI", atMs)).toBeNull();
  });

  test("has the one before it of the same contract, of an earlier day", () => {
    const book = new SettlementBook();
    const [first, second, corrected] = [row("GCZ26", 10, 1), row("GCZ26", 34, 2), row("GCZ26", 35, 3)];
    book.apply([first, second, corrected, row("GCG27", 12, 9)]);
    const atMs = FIRST_MS + 40 * HOUR_MS;
    expect(book.priorOf(corrected, atMs)).toBe(first);
    expect(book.priorOf(first, atMs)).toBeNull();
  });
});

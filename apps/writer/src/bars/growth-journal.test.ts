/** What bars took in since the last commit, however long that is. */
import type { BarRow } from "@assay/pricing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { BarKeeper } from "./bar-keeper.ts";
import { GrowthJournal } from "./growth-journal.ts";

const NOON_MS = Date.parse("2026-11-20T12:00:00Z");
const SYMBOL = "GC";

const grown = (
  prices: readonly number[],
  everyMs: number,
): { readonly all: BarRow[]; readonly thinned: BarRow[]; readonly kept: number } => {
  const keeper = new BarKeeper("composed");
  const journal = new GrowthJournal();
  const bars = new Map<string, BarRow>();
  const note = (rows: readonly BarRow[], into: Map<string, BarRow>): void => {
    for (const row of rows) into.set(`${row.interval} ${row.barStartMs}`, row);
  };
  // Enough of them that most are dropped.
  for (let index = 0; index < 12_000; index += 1) {
    const tick = {
      instrument: "XAU-USD-FUTURES",
      seq: index + 1,
      price: String(prices[index % prices.length]),
      volume: "2",
    } as const;
    const atMs = NOON_MS + index * everyMs;
    journal.add({ kind: "tick", symbol: SYMBOL, tick, atMs });
    note(keeper.take(SYMBOL, tick, atMs), bars);
  }
  const again = new BarKeeper("composed");
  const remade = new Map<string, BarRow>();
  const entries = journal.keepAfter(new Map());
  for (const entry of entries) if (entry.kind === "tick") note(again.take(SYMBOL, entry.tick, entry.atMs), remade);
  return { all: [...bars.values()], thinned: [...remade.values()], kept: entries.length };
};

it("builds the same bars from what it keeps of a long outage as from all of it", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 50 }), (prices) => {
      const { all, thinned, kept } = grown(prices, 1_000);
      expect(kept).toBeLessThan(4_000);
      expect(thinned).toEqual(all);
    }),
    { numRuns: 5 },
  );
});

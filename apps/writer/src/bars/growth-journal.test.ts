/** What bars took in since the last commit, however long that is. */
import { DAY_MS } from "@assay/contract";
import { type BarRow, bucketStart } from "@assay/pricing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { BarKeeper } from "./bar-keeper.ts";
import { type Growth, GrowthJournal } from "./growth-journal.ts";

/** Most of a day's end is within the entries of a test. */
const START_MS = Date.parse("2026-11-20T22:00:00Z");
const SYMBOL = "GLD";
/** Enough of them that most are dropped. */
const ENTRIES = 12_000;

/** A tick, or a day that a source reports: the one in progress, or the one before once more. */
interface Step {
  readonly kind: "tick" | "day" | "day before";
  readonly afterMs: number;
  readonly price: number;
  readonly volume: number | null;
}

const entriesOf = (steps: readonly Step[]): Growth[] => {
  let atMs = START_MS;
  return Array.from({ length: ENTRIES }, (_, index): Growth => {
    const { kind, afterMs, price, volume } = steps[index % steps.length] ?? { kind: "tick", afterMs: 1, price: 1, volume: null };
    atMs += afterMs;
    if (kind === "tick") {
      const figures = { price: String(price), ...(volume !== null && { volume: String(volume) }) };
      return { kind, symbol: SYMBOL, tick: { instrument: "GLD", seq: index + 1, ...figures }, atMs };
    }
    const barStartMs = bucketStart(atMs, "1d") - (kind === "day" ? 0 : DAY_MS);
    const prices = { open: "50", high: "99", low: "1", close: String(price) };
    const bar: BarRow = {
      symbol: SYMBOL,
      interval: "1d",
      barStartMs,
      ...prices,
      volume: volume === null ? null : String(volume),
      isClosed: kind === "day before",
      sourceId: "reporter",
    };
    return { kind: "bar", bar };
  });
};

const nameOf = ({ interval, barStartMs }: BarRow): string => `${interval} ${barStartMs}`;

/** The bars in the end, those of an earlier state replaced. */
const barsOf = (entries: readonly Growth[]): Map<string, BarRow> => {
  const keeper = new BarKeeper("composed");
  const bars = new Map<string, BarRow>();
  for (const entry of entries) {
    const rows = entry.kind === "tick" ? keeper.take(entry.symbol, entry.tick, entry.atMs) : [keeper.report(entry.bar)];
    for (const row of rows) bars.set(nameOf(row), row);
  }
  // A day that a report of the next one overtook is closed by time.
  for (const row of keeper.closeDue(START_MS + 30 * DAY_MS)) bars.set(nameOf(row), row);
  return bars;
};

/** A day is reported again and again while ticks go on into the next one. */
const OVER_MIDNIGHT: Step[] = [
  { kind: "day", afterMs: 0, price: 1, volume: null },
  { kind: "tick", afterMs: 5_000, price: 1, volume: null },
];

/** The next day is first seen in a report, which is not kept, or in a tick. */
const REPORTED_FIRST: Step[] = [
  { kind: "tick", afterMs: 1_000, price: 1, volume: null },
  { kind: "day", afterMs: 1_000, price: 1, volume: null },
];

/** Both days are reported between ticks of either. */
const BOTH_REPORTED: Step[] = [
  { kind: "tick", afterMs: 5_000, price: 1, volume: null },
  { kind: "day before", afterMs: 1_000, price: 1, volume: null },
  { kind: "day", afterMs: 5_000, price: 1, volume: null },
  { kind: "tick", afterMs: 1_000, price: 1, volume: null },
  { kind: "tick", afterMs: 5_000, price: 1, volume: 0 },
];

it("builds the same bars from what it keeps of a long outage as from all of it", () => {
  const step = fc.record({
    kind: fc.oneof(
      { weight: 20, arbitrary: fc.constant("tick" as const) },
      fc.constantFrom("day" as const, "day before" as const),
    ),
    // Several at one instant, and up to a few in a minute, so that there is something to drop.
    afterMs: fc.constantFrom(0, 1, 250, 1_000, 1_000, 5_000),
    price: fc.integer({ min: 1, max: 99 }),
    volume: fc.option(fc.nat(5), { nil: null }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 50 }), (steps) => {
      const journal = new GrowthJournal();
      const entries = entriesOf(steps);
      for (const entry of entries) journal.add(entry);
      const kept = journal.keepAfter(new Map());
      expect(barsOf(kept)).toEqual(barsOf(entries));
      expect(kept.length).toBeLessThan(ENTRIES);
    }),
    { numRuns: 5, examples: [[OVER_MIDNIGHT], [REPORTED_FIRST], [BOTH_REPORTED]] },
  );
});

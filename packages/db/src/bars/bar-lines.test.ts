/** Bars as lines of COPY's text form: read back as they were, and stored as an upsert stores them. */
import { INTERVALS } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { barRow, minutes } from "../testing/rows.ts";
import { barLines, barsOfLines, LINES_AT_ONCE } from "./bar-lines.ts";
import { readBars } from "./read.ts";
import { upsertBars, writeBarLines } from "./write.ts";

const name = fc.string({ unit: fc.constantFrom("a", "N", "t", "\\", "\t", "\n", "\r", "é") });
const price = fc.integer({ min: 1, max: 9e6 }).map((units) => (units / 100).toFixed(2));
const bar: fc.Arbitrary<BarRow> = fc.record({
  symbol: name,
  interval: fc.constantFrom(...INTERVALS),
  barStartMs: fc.integer({ min: Date.UTC(1996, 0, 1), max: Date.UTC(2099, 0, 1) }),
  open: fc.option(price),
  high: fc.option(price),
  low: fc.option(price),
  close: price,
  volume: fc.option(price),
  isClosed: fc.boolean(),
  sourceId: name,
});

it("are read back as they were, whatever a name contains", () => {
  fc.assert(
    fc.property(fc.array(bar), (bars) => {
      expect(barLines(bars).flatMap(barsOfLines)).toEqual(bars);
    }),
  );
});

describe.each(testEngines)("on $name", (engine) => {
  let store: Store;
  beforeEach(async () => {
    store = await engine.open();
    await emptyTables(store);
  });
  afterEach(() => store.close());

  it("leave what an upsert leaves, also where bars exist", async () => {
    const rows = minutes(LINES_AT_ONCE + 500, { symbol: "LINES", sourceId: "a\\b" });
    const last = { ...barRow(), ...rows.at(-1) };
    await upsertBars(store, [{ ...last, close: "1", isClosed: false }]);
    await writeBarLines(store, barLines(rows));
    const stored = await readBars(store, { symbol: "LINES", interval: "1m", fromMs: 0, toMs: 4e12, limit: 10_000 });
    expect(stored.toReversed()).toEqual(rows);
  });
});

import { HOUR_MS } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStretch } from "../read/bars.ts";
import type { Store } from "../store.ts";
import { testEngines } from "../testing/index.ts";
import { upsertBars } from "./bars.ts";
import { replaceBars } from "./replace-bars.ts";

const bar = (hour: number, change: Partial<BarRow> = {}): BarRow => ({
  ...{ symbol: "GC", interval: "1h", barStartMs: hour * HOUR_MS, sourceId: "import:csv", isClosed: true },
  ...{ open: "10", high: "20", low: "5", close: "15", volume: "7" },
  ...change,
});

describe.each(testEngines)("replaceBars on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  afterAll(() => store.close());
  const all = () => readStretch(store, "GC", ["1h", "4h"], 0, 100 * HOUR_MS);

  it("removes the given bars and writes the others, over closed ones too", async () => {
    await upsertBars(store, [bar(1), bar(2), bar(3), bar(0, { interval: "4h" }), bar(2, { symbol: "SI" })]);
    await replaceBars(
      store,
      "GC",
      [
        { interval: "1h", barStartMs: 2 * HOUR_MS },
        { interval: "4h", barStartMs: 0 },
      ],
      [bar(3, { close: "12", isClosed: false }), bar(4)],
    );
    expect(await all()).toEqual([bar(1), bar(3, { close: "12", isClosed: false }), bar(4)]);
    expect(await readStretch(store, "SI", ["1h"], 0, 100 * HOUR_MS)).toHaveLength(1);
  });

  it("removes nothing when a bar to be written is refused", async () => {
    const before = await all();
    const keys = before.map(({ interval, barStartMs }) => ({ interval, barStartMs }));
    await expect(replaceBars(store, "GC", keys, [bar(9, { open: "ten" })])).rejects.toThrow();
    expect(await all()).toEqual(before);
  });

  it("does nothing with nothing to do", async () => {
    const before = await all();
    await replaceBars(store, "GC", [], []);
    expect(await all()).toEqual(before);
  });
});

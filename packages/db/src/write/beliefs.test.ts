/** States of belief, and the bars of withdrawn ticks, on every engine. */
import { unknownBelief } from "@assay/pricing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StaleTokenError } from "../errors.ts";
import { readBars } from "../read/bars.ts";
import { readBeliefs, readNewestClose } from "../read/beliefs.ts";
import type { Store } from "../store.ts";
import { emptyTables } from "../testing/empty-tables.ts";
import { testEngines } from "../testing/engines.ts";
import { barRow, NOON_MS } from "../testing/rows.ts";
import { upsertBars } from "./bars.ts";
import { undoBars } from "./beliefs.ts";
import { claimFence } from "./fence.ts";
import { writeMoment } from "./moment.ts";

const WRITER = { token: 7, holder: "writer-a" };
const HOUR_MS = 3_600_000;

describe.each(testEngines)("beliefs on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    await emptyTables(store);
  });
  afterAll(() => store.close());

  test("come back digit for digit, the newest of each instrument", async () => {
    const gold = unknownBelief("XAU-USD-SPOT", { price: "4003.20", atMs: NOON_MS, by: ["a", "b"] });
    const silver = unknownBelief("XAG-USD-SPOT");
    const newer = { ...gold, hidden: true, withdrawn: [{ fromSeq: 3, toSeq: 9, atMs: NOON_MS }] };
    await writeMoment(store, WRITER, { ticks: [], bars: [], fx: [], beliefs: [gold, silver] });
    await writeMoment(store, WRITER, { ticks: [], bars: [], fx: [], beliefs: [newer] });
    expect([...(await readBeliefs(store)).values()].toSorted((a, b) => (a.instrument < b.instrument ? -1 : 1))).toEqual([
      silver,
      newer,
    ]);
  });

  test("undo the bars of their source that reach past the instant, and no others", async () => {
    const bars = [
      barRow({ barStartMs: NOON_MS - 60_000 }),
      barRow({ barStartMs: NOON_MS }),
      barRow({ barStartMs: NOON_MS + 60_000 }),
      barRow({ barStartMs: NOON_MS + 120_000, sourceId: "import:x" }),
      barRow({ barStartMs: NOON_MS + 60_000, symbol: "XAG-USD-SPOT" }),
      barRow({ interval: "1h", barStartMs: NOON_MS - HOUR_MS }),
      barRow({ interval: "1h", barStartMs: NOON_MS, isClosed: false }),
    ];
    await upsertBars(store, bars);
    await undoBars(store, WRITER, { symbol: "XAU-USD-SPOT", sourceId: "composed", fromMs: NOON_MS + 30_000 });
    const left = async (symbol: string, interval: "1m" | "1h") =>
      (await readBars(store, { symbol, interval, fromMs: 0, toMs: 4e12, limit: 10 })).map(
        ({ barStartMs }) => barStartMs - NOON_MS,
      );
    expect(await left("XAU-USD-SPOT", "1m")).toEqual([120_000, -60_000]);
    expect(await left("XAU-USD-SPOT", "1h")).toEqual([-HOUR_MS]);
    expect(await left("XAG-USD-SPOT", "1m")).toEqual([60_000]);
  });

  test("undo nothing for a writer that was overtaken", async () => {
    await upsertBars(store, [barRow()]);
    await claimFence(store, 9, "writer-b");
    await expect(undoBars(store, WRITER, { symbol: "XAU-USD-SPOT", sourceId: "composed", fromMs: 0 })).rejects.toThrow(
      StaleTokenError,
    );
    expect(await readBars(store, { symbol: "XAU-USD-SPOT", interval: "1m", fromMs: 0, toMs: 4e12, limit: 10 })).toHaveLength(1);
  });

  test("begin with the newest closed bar of whatever interval, dated with its end", async () => {
    await upsertBars(store, [
      barRow({ interval: "1d", barStartMs: NOON_MS - 48 * HOUR_MS, close: "3990", sourceId: "wgc" }),
      barRow({ barStartMs: NOON_MS, close: "4001.5" }),
      barRow({ barStartMs: NOON_MS + 60_000, close: "4777", isClosed: false }),
    ]);
    expect(await readNewestClose(store, "XAU-USD-SPOT", null)).toEqual({
      price: "4001.5",
      atMs: NOON_MS + 60_000,
      sourceId: "composed",
    });
    expect(await readNewestClose(store, "XAU-USD-SPOT", "composed")).toMatchObject({ price: "3990", sourceId: "wgc" });
    expect(await readNewestClose(store, "XAG-USD-SPOT", null)).toBeNull();
  });
});

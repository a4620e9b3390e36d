/** Belief states, and the bars of withdrawn ticks, on every engine. */
import { HOUR_MS } from "@assay/contract";
import { unknownBelief } from "@assay/pricing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readNewestCloses } from "../bars/closes.ts";
import { readBars } from "../bars/read.ts";
import { upsertBars } from "../bars/write.ts";
import { BarsRevisedError, StaleTokenError } from "../errors.ts";
import { claimFence } from "../statements/fence.ts";
import type { Store } from "../store.ts";
import { emptyTables, testEngines } from "../testing/engines.ts";
import { barRow, NOON_MS } from "../testing/rows.ts";
import { writeMoment } from "./moment.ts";
import { readBeliefs } from "./ticks.ts";

const WRITER = { token: 7, holder: "writer-a" };

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

  test("are written together with the bars they withdraw, one closed bar replaced and others removed, or not at all", async () => {
    const wrong = [barRow({ high: "43920" }), barRow({ barStartMs: NOON_MS + 60_000, high: "43920" })];
    await upsertBars(store, [...wrong, barRow({ symbol: "XAG-USD-SPOT" })]);
    const right = barRow();
    const withdrawnBars = [
      { symbol: "XAU-USD-SPOT", removed: [{ interval: "1m" as const, barStartMs: NOON_MS + 60_000 }], restored: [right] },
    ];
    const moment = { ticks: [], bars: [], fx: [], withdrawnBars };
    const of = (symbol: string) => readBars(store, { symbol, interval: "1m", fromMs: 0, toMs: 4e12, limit: 10 });
    await expect(writeMoment(store, WRITER, moment, 99)).rejects.toThrow(BarsRevisedError);
    expect(await of("XAU-USD-SPOT")).toEqual(wrong.toReversed());
    await writeMoment(store, WRITER, moment);
    expect(await of("XAU-USD-SPOT")).toEqual([right]);
    expect(await of("XAG-USD-SPOT")).toHaveLength(1);
    await claimFence(store, 9, "writer-b");
    await expect(writeMoment(store, WRITER, moment)).rejects.toThrow(StaleTokenError);
  });

  test("begin with the newest closed bar of any interval, dated with its end", async () => {
    await upsertBars(store, [
      barRow({ interval: "1d", barStartMs: NOON_MS - 48 * HOUR_MS, close: "3990", sourceId: "wgc" }),
      barRow({ barStartMs: NOON_MS, close: "4001.5" }),
      barRow({ barStartMs: NOON_MS + 60_000, close: "4777", isClosed: false }),
    ]);
    const newest = async (symbol: string, except: string | null, afterMs: number | null = null) =>
      (await readNewestCloses(store, [{ symbol, except, afterMs }])).get(symbol);
    expect(await newest("XAU-USD-SPOT", null)).toEqual({ price: "4001.5", atMs: NOON_MS + 60_000, sourceId: "composed" });
    expect(await newest("XAU-USD-SPOT", "composed")).toMatchObject({ price: "3990", sourceId: "wgc" });
    expect(await newest("XAG-USD-SPOT", null)).toBeUndefined();
    const endOfDay = NOON_MS - 24 * HOUR_MS;
    expect(await newest("XAU-USD-SPOT", "composed", endOfDay - 1)).toMatchObject({ price: "3990", atMs: endOfDay });
    expect(await newest("XAU-USD-SPOT", "composed", endOfDay)).toBeUndefined();
  });
});

/** Writing and reading bars, on every engine. */
import { HOUR_MS } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBarsRevision } from "../statements/fence.ts";
import { rowsOf, type Store } from "../store.ts";
import { testEngines } from "../testing/engines.ts";
import { barRow, minutes, NOON_MS } from "../testing/rows.ts";
import { readBars, readStretch } from "./read.ts";
import { readSeriesSources } from "./series.ts";
import { closeOldBars, replaceBars, upsertBars } from "./write.ts";

describe.each(testEngines)("bars on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  afterAll(() => store.close());

  const all = (symbol: string) => readBars(store, { symbol, interval: "1m", fromMs: 0, toMs: 4e12, limit: 100_000 });

  test("come back newest first, digit for digit", async () => {
    const rows = [
      barRow({ symbol: "DIGITS", open: "0.000000000000000001", high: "123456789012345678901234567890.5", volume: "8123400" }),
      barRow({ symbol: "DIGITS", barStartMs: NOON_MS + 60_000, close: "4003.9500", sourceId: 'a "quoted", {odd} \\ name' }),
    ];
    await upsertBars(store, rows);
    expect(await all("DIGITS")).toEqual(rows.toReversed());
  });

  test("keep both ends of a window and no more rows than requested", async () => {
    await upsertBars(store, minutes(10, { symbol: "WINDOW" }));
    const window = { symbol: "WINDOW", interval: "1m", fromMs: NOON_MS + 60_000, toMs: NOON_MS + 240_000 } as const;
    const starts = async (limit: number) =>
      (await readBars(store, { ...window, limit })).map((bar) => (bar.barStartMs - NOON_MS) / 60_000);
    expect(await starts(100)).toEqual([4, 3, 2, 1]);
    expect(await starts(2)).toEqual([4, 3]);
  });

  test("keep instants to the millisecond on either side of a daylight saving change and before 1970", async () => {
    const startsMs = [Date.UTC(1968, 0, 1), Date.UTC(1996, 2, 31, 1), Date.UTC(2026, 2, 29, 1, 30), NOON_MS + 1];
    await upsertBars(
      store,
      startsMs.map((barStartMs) => barRow({ symbol: "INSTANTS", barStartMs })),
    );
    const rows = await readBars(store, { symbol: "INSTANTS", interval: "1m", fromMs: -1e12, toMs: 4e12, limit: 10 });
    expect(rows.map((row) => row.barStartMs)).toEqual(startsMs.toReversed());
  });

  test("are replaced by their correction", async () => {
    await upsertBars(store, [barRow({ symbol: "CORRECTED" })]);
    const correction = barRow({ symbol: "CORRECTED", high: "4010", volume: "1.50", sourceId: "import" });
    await upsertBars(store, [correction]);
    expect(await all("CORRECTED")).toEqual([correction]);
  });

  test("are never replaced by a forming one once closed", async () => {
    const closed = barRow({ symbol: "CLOSED" });
    await upsertBars(store, [barRow({ symbol: "CLOSED", isClosed: false, close: "1" })]);
    await upsertBars(store, [closed]);
    await upsertBars(store, [barRow({ symbol: "CLOSED", isClosed: false, close: "2" })]);
    expect(await all("CLOSED")).toEqual([closed]);
  });

  test("that are identical leave the row alone", async () => {
    const version = async () => {
      const rows = await store.run((db) =>
        rowsOf<{ version: string }>(db, sql`select xmin::text || ctid::text as version from bars where symbol = 'SAME'`),
      );
      return rows[0]?.version;
    };
    await upsertBars(store, [barRow({ symbol: "SAME" })]);
    const before = await version();
    await upsertBars(store, [barRow({ symbol: "SAME" })]);
    expect(await version()).toBe(before);
    await upsertBars(store, [barRow({ symbol: "SAME", close: "4003.96" })]);
    expect(await version()).not.toBe(before);
  });

  test("may come in any order and more than once, the last of a bar counting, except a forming one after a closed one", async () => {
    const [first, second] = [barRow({ symbol: "ORDER" }), barRow({ symbol: "ORDER", barStartMs: NOON_MS + 60_000 })];
    await upsertBars(store, [
      second,
      { ...first, close: "1" },
      { ...first, close: "2" },
      { ...second, isClosed: false, close: "3" },
    ]);
    expect(await all("ORDER")).toEqual([second, { ...first, close: "2" }]);
  });

  test("may be more than fit a statement, and again over themselves with corrections", async () => {
    const rows = minutes(20_500, { symbol: "MANY" });
    await upsertBars(store, rows);
    await upsertBars(store, rows);
    const corrected = rows.map((row, index) => (index % 1_000 === 7 ? { ...row, close: "4004" } : row));
    await upsertBars(store, corrected);
    expect(await readStretch(store, "MANY", ["1m"], 0, 4e12)).toEqual(corrected);
  });

  test("fill a gap between bars that exist", async () => {
    const rows = minutes(3_000, { symbol: "GAP" });
    await upsertBars(store, [...rows.slice(0, 500), ...rows.slice(2_500)]);
    await upsertBars(store, rows.slice(500, 2_500));
    expect(await all("GAP")).toEqual(rows.toReversed());
  });

  test("end the same when two loads of one range meet", async () => {
    const rows = minutes(5_000, { symbol: "RACE" });
    await Promise.all([upsertBars(store, rows), upsertBars(store, rows.toReversed()), upsertBars(store, rows.slice(2_000))]);
    expect(await all("RACE")).toEqual(rows.toReversed());
  });

  test("keep what came before in order of time from a load that fails half-way", async () => {
    const rows = minutes(21_000, { symbol: "HALF" });
    const broken = rows.map((row, index) => (index === 20_700 ? { ...row, close: "no number" } : row));
    await expect(upsertBars(store, broken)).rejects.toThrow("invalid input syntax for type numeric");
    expect(await all("HALF")).toHaveLength(20_000);
  });

  test("change nothing when there is nothing to write", async () => {
    await upsertBars(store, []);
    expect(await all("NOTHING")).toEqual([]);
  });

  test("are listed by series with the source and start of the newest bar", async () => {
    await upsertBars(store, [
      barRow({ symbol: "A-LIST", interval: "1d", sourceId: "old" }),
      barRow({ symbol: "A-LIST", interval: "1d", barStartMs: NOON_MS + 86_400_000, sourceId: "new" }),
      barRow({ symbol: "A-LIST", interval: "1h", sourceId: "composed" }),
      barRow({ symbol: "A-LIST-2", interval: "1m", sourceId: "composed" }),
    ]);
    const listed = (await readSeriesSources(store)).filter((series) => series.symbol.startsWith("A-LIST"));
    const at = { oldestStartMs: NOON_MS, latestStartMs: NOON_MS };
    expect(listed).toEqual([
      { symbol: "A-LIST", interval: "1d", sourceId: "new", oldestStartMs: NOON_MS, latestStartMs: NOON_MS + 86_400_000 },
      { symbol: "A-LIST", interval: "1h", sourceId: "composed", ...at },
      { symbol: "A-LIST-2", interval: "1m", sourceId: "composed", ...at },
    ]);
  });
});

const hourBar = (hour: number, change: Partial<BarRow> = {}): BarRow => ({
  symbol: "GC",
  interval: "1h",
  barStartMs: hour * HOUR_MS,
  sourceId: "import:csv",
  isClosed: true,
  open: "10",
  high: "20",
  low: "5",
  close: "15",
  volume: "7",
  ...change,
});

describe.each(testEngines)("replaceBars on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  afterAll(() => store.close());
  const all = () => readStretch(store, "GC", ["1h", "4h"], 0, 100 * HOUR_MS);

  test("removes the given bars and writes the others, over closed ones too", async () => {
    await upsertBars(store, [hourBar(1), hourBar(2), hourBar(3), hourBar(0, { interval: "4h" }), hourBar(2, { symbol: "SI" })]);
    await replaceBars(
      store,
      "GC",
      [
        { interval: "1h", barStartMs: 2 * HOUR_MS },
        { interval: "4h", barStartMs: 0 },
      ],
      [hourBar(3, { close: "12", isClosed: false }), hourBar(4)],
    );
    expect(await all()).toEqual([hourBar(1), hourBar(3, { close: "12", isClosed: false }), hourBar(4)]);
    expect(await readStretch(store, "SI", ["1h"], 0, 100 * HOUR_MS)).toHaveLength(1);
  });

  test("removes nothing when a bar to be written is refused", async () => {
    const before = await all();
    const keys = before.map(({ interval, barStartMs }) => ({ interval, barStartMs }));
    await expect(replaceBars(store, "GC", keys, [hourBar(9, { open: "ten" })])).rejects.toThrow();
    expect(await all()).toEqual(before);
  });

  test("does nothing with nothing to do", async () => {
    const before = await all();
    await replaceBars(store, "GC", [], []);
    expect(await all()).toEqual(before);
  });
});

describe.each(testEngines)("closeOldBars on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  afterAll(() => store.close());

  const forming = (hour: number, change: Partial<BarRow> = {}): BarRow => hourBar(hour, { ...change, isClosed: false });

  test("closes the forming bars of its days that have a newer one at their interval, and leaves the newest", async () => {
    const stored = [
      ...[hourBar(6), forming(7), forming(9), forming(30), forming(55), forming(56)],
      ...[forming(4, { interval: "4h" }), forming(7, { symbol: "SI" }), forming(8, { symbol: "SI" })],
    ];
    await upsertBars(store, stored);
    const before = await readBarsRevision(store);
    expect(await closeOldBars(store, "GC", ["1h", "4h"], [0, 48 * HOUR_MS])).toEqual([0, 48 * HOUR_MS]);
    expect(await readBarsRevision(store)).toBe(before + 1);
    const all = [
      ...(await readStretch(store, "GC", ["1h", "4h"], 0, 100 * HOUR_MS)),
      ...(await readStretch(store, "SI", ["1h"], 0, 4e12)),
    ];
    const left = all.filter(({ isClosed }) => !isClosed).map(({ symbol, barStartMs }) => [symbol, barStartMs / HOUR_MS]);
    // The day of hour 30 was not asked for.
    expect(left).toEqual([
      ["GC", 4],
      ["GC", 30],
      ["GC", 56],
      ["SI", 7],
      ["SI", 8],
    ]);
  });

  test("changes nothing, and makes no revision, where there is none", async () => {
    const before = await readBarsRevision(store);
    expect(await closeOldBars(store, "GC", ["1h", "4h"], [0, 48 * HOUR_MS])).toEqual([]);
    expect(await closeOldBars(store, "GC", ["1h"], [])).toEqual([]);
    expect(await readBarsRevision(store)).toBe(before);
  });
});

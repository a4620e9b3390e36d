/** Archives built from a real store, read back by DuckDB, and their state after failures. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArchiveReplacedError, type ArchiveStore, ArchivesFailedError, archiveOpener, openArchives } from "@assay/archives";
import { readParquetBars } from "@assay/archives/testing";
import {
  claimFence,
  encodeBar,
  noteReplacedBars,
  readArchives,
  readBars,
  readLedgerHead,
  readSeriesSources,
  StaleTokenError,
  type Store,
  upsertBars,
} from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { fakeClock } from "@assay/ports/virtual";
import type { BarRow } from "@assay/pricing";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { TermEndedError } from "../term/term-options.ts";
import { dueArchives } from "./archive-keeper.ts";
import { type ArchiveBuilding, buildArchive } from "./build-archive.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 14);
const GOLD = { symbol: "XAU-USD-SPOT", interval: "1d", year: 2025, changes: 0 } as const;
const WRITER = { token: 7, holder: "one" };

const bar = (startMs: number, change: Partial<BarRow> = {}): BarRow => ({
  symbol: "XAU-USD-SPOT",
  interval: "1d",
  barStartMs: startMs,
  open: "3991.805",
  high: "4011.65",
  low: "3986.4",
  close: "4003.2",
  volume: null,
  isClosed: true,
  sourceId: "composed",
  ...change,
});
const day = (year: number, index: number): number => Date.UTC(year, 0, 1 + index);

describe.each(testEngines)("an archive built on $name", (engine) => {
  let store: Store;
  let folder: string;
  let archives: ArchiveStore;
  beforeAll(async () => {
    store = await engine.open();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-build-"));
    archives = openArchives({ kind: "file", directory: folder });
    await claimFence(store, WRITER.token, WRITER.holder).catch(() => undefined);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  afterAll(() => store.close());

  const building = (change: Partial<ArchiveBuilding> = {}): ArchiveBuilding => ({
    store,
    archives,
    writer: WRITER,
    clock: fakeClock(NOW_MS),
    signal: new AbortController().signal,
    mayWrite: () => true,
    ...change,
  });
  const csvOf = (path: string): string => readFileSync(join(folder, path), "utf8");

  test("holds a bar of its close alone with nothing for its other prices, in both formats", async () => {
    const closes = { symbol: "GC", interval: "1d" } as const;
    const unknown = { open: null, high: null, low: null };
    await upsertBars(store, [bar(day(2025, 0), { ...closes, ...unknown }), bar(day(2025, 1), closes)]);
    expect(await buildArchive({ ...closes, year: 2025, changes: 0 }, building())).toBe(2);
    expect(csvOf("GC/1d/2025.csv").split("\n").slice(1, 3)).toEqual([
      "2025-01-01T00:00:00Z,,,,4003.20,,true",
      "2025-01-02T00:00:00Z,3991.81,4011.65,3986.40,4003.20,,true",
    ]);
    expect(await readParquetBars(join(folder, "GC/1d/2025.parquet"))).toMatchObject([
      { ...unknown, close: "4003.200000" },
      { open: "3991.810000", high: "4011.650000", low: "3986.400000", close: "4003.200000" },
    ]);
  });

  test("holds the year's closed bars, oldest first, figures as the wire has them", async () => {
    await upsertBars(store, [
      bar(day(2024, 365)),
      bar(day(2025, 0)),
      bar(day(2025, 1), { open: "99.99995", high: "100.005", low: "0.9999995", close: "1.00005", volume: "8123400.50" }),
      bar(day(2025, 364)),
      bar(day(2026, 0)),
      bar(day(2026, 5), { isClosed: false }),
    ]);
    expect(await buildArchive(GOLD, building())).toBe(3);
    expect(csvOf("XAU-USD-SPOT/1d/2025.csv").split("\n")).toEqual([
      "bar_start,open,high,low,close,volume,is_closed",
      "2025-01-01T00:00:00Z,3991.81,4011.65,3986.40,4003.20,,true",
      "2025-01-02T00:00:00Z,100.0000,100.01,1.000000,1.0001,8123400.5,true",
      "2025-12-31T00:00:00Z,3991.81,4011.65,3986.40,4003.20,,true",
      "",
    ]);
    expect(await buildArchive({ ...GOLD, year: 2026 }, building())).toBe(1);
  });

  test("is a snapshot of one revision, which the Parquet file names", async () => {
    const silver = { symbol: "SI", interval: "1d" } as const;
    await upsertBars(store, [bar(day(2021, 0), silver), bar(day(2021, 1), silver)]);
    const { revision } = await readLedgerHead(store);
    let isCorrected = false;
    const corrected: Store = {
      ...store,
      readRow: async (query) => {
        // Another process corrects a day after the build began, before it reads a bar.
        if (!isCorrected) await upsertBars(store, [bar(day(2021, 1), { ...silver, close: "1" })]);
        isCorrected = true;
        return store.readRow(query);
      },
    };
    await buildArchive({ ...silver, year: 2021, changes: 0 }, building({ store: corrected }));
    const opened = await archiveOpener(folder)({ ...silver, year: 2021, format: "parquet" });
    await opened?.file.close();
    expect(opened).toMatchObject({ rows: 2, revision });
    const closes = (await readParquetBars(join(folder, "SI/1d/2021.parquet"))).map(({ close }) => close);
    expect(closes).toEqual(["4003.200000", "4003.200000"]);
  });

  test("is the same in CSV, in Parquet as DuckDB reads it, and on the bars route, row by row", async () => {
    const price = fc
      .integer({ min: 1, max: 9_999_999_999 })
      .map((units) => `${Math.floor(units / 1e6)}.${String(units % 1e6).padStart(6, "0")}`);
    const volume = fc.option(
      fc.integer({ min: 0, max: 10 ** 9 }).map((units) => `${Math.floor(units / 100)}.${String(units % 100).padStart(2, "0")}`),
      { nil: null },
    );
    const figures = fc.record({ open: price, high: price, low: price, close: price, volume });
    let minute = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(figures, { minLength: 1, maxLength: 60 }), async (all) => {
        const rows = all.map((each, index) =>
          bar(Date.UTC(2023, 0, 1) + (minute + index) * 60_000, { symbol: "GC", interval: "1m", ...each }),
        );
        minute += rows.length;
        await upsertBars(store, rows);
      }),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 20 : 8 },
    );
    const stored = await buildArchive({ symbol: "GC", interval: "1m", year: 2023, changes: 0 }, building());
    expect(stored).toBe(minute);
    const parquet = await readParquetBars(join(folder, "GC/1m/2023.parquet"));
    const lines = csvOf("GC/1m/2023.csv").trimEnd().split("\n").slice(1);
    const window = { symbol: "GC", interval: "1m", fromMs: 0, toMs: NOW_MS, limit: 100_000 } as const;
    const paged = (await readBars(store, window)).reverse().map((row) => JSON.parse(encodeBar(row)) as Record<string, unknown>);
    expect(lines).toEqual(
      paged.map((each) =>
        Object.values(each)
          .map((value) => value ?? "")
          .join(","),
      ),
    );
    const exact = (text: unknown, places: number): unknown => {
      if (text === null) return null;
      const [whole, rest = ""] = String(text).split(".");
      return `${whole}.${rest.padEnd(places, "0")}`;
    };
    expect(parquet).toEqual(
      paged.map((each) => ({
        ...each,
        ...Object.fromEntries(["open", "high", "low", "close"].map((name) => [name, exact(each[name], 6)])),
        volume: exact(each["volume"], 9),
      })),
    );
  });

  test("is made of several batches without losing or repeating a bar", async () => {
    const count = 25_000;
    const rows = Array.from({ length: count }, (_, index) =>
      bar(Date.UTC(2022, 0, 1) + index * 60_000, { symbol: "SI", interval: "1m", close: `${20 + (index % 1_000) / 1_000}` }),
    );
    await upsertBars(store, rows);
    expect(await buildArchive({ symbol: "SI", interval: "1m", year: 2022, changes: 0 }, building())).toBe(count);
    const read = await readParquetBars(join(folder, "SI/1m/2022.parquet"));
    expect(read.map((each) => Date.parse(each.bar_start))).toEqual(rows.map(({ barStartMs }) => barStartMs));
    expect(csvOf("SI/1m/2022.csv").split("\n").length).toBe(count + 2);
  });

  test("of a year without bars does not exist, and is not checked again", async () => {
    await upsertBars(store, [bar(day(2010, 0), { symbol: "HG" }), bar(day(2012, 0), { symbol: "HG" })]);
    for (const year of [2010, 2011, 2012]) await buildArchive({ symbol: "HG", interval: "1d", year, changes: 0 }, building());
    expect(await archives.has({ symbol: "HG", interval: "1d", year: 2011, format: "csv" })).toBe(false);
    const due = dueArchives(await readSeriesSources(store), await readArchives(store), NOW_MS);
    expect(due.filter(({ symbol }) => symbol === "HG")).toEqual([]);
  });

  test("is due again once an import has replaced bars of its year", async () => {
    await upsertBars(store, [bar(day(2015, 0), { symbol: "GLD" }), bar(day(2016, 0), { symbol: "GLD" })]);
    const dueOf = async () =>
      dueArchives(await readSeriesSources(store), await readArchives(store), NOW_MS).filter(({ symbol }) => symbol === "GLD");
    for (const due of await dueOf()) await buildArchive(due, building());
    expect(await dueOf()).toEqual([]);
    await noteReplacedBars(store, "GLD", day(2014, 0), day(2015, 3));
    const [due, ...rest] = await dueOf();
    expect([due, rest]).toEqual([{ symbol: "GLD", interval: "1d", year: 2015, changes: 1 }, []]);
    if (due) await buildArchive(due, building());
    expect(await dueOf()).toEqual([]);
  });

  test("of a writer that was held up does not replace one made from newer bars", async () => {
    const copper = { symbol: "HG", interval: "1d", year: 2018, changes: 0 } as const;
    await upsertBars(store, [bar(day(2018, 0), { symbol: "HG" })]);
    let hold = true;
    const heldUp: ArchiveStore = {
      ...archives,
      put: async (...all) => {
        if (hold) {
          hold = false;
          // It has read its bars; while it sleeps here, another writer takes the lead.
          await upsertBars(store, [bar(day(2018, 1), { symbol: "HG" })]);
          await buildArchive(copper, building());
        }
        return archives.put(...all);
      },
    };
    await expect(buildArchive(copper, building({ archives: heldUp }))).rejects.toThrow(ArchiveReplacedError);
    expect(csvOf("HG/1d/2018.csv").split("\n")).toHaveLength(4);
    expect((await readArchives(store)).find(({ symbol, year }) => symbol === "HG" && year === 2018)).toMatchObject({ rows: 2 });
  });

  test("stays as it was when a place refuses, when the term ends, and when a newer writer leads; the next run finishes it", async () => {
    const silver = { symbol: "XAG-USD-SPOT", interval: "1d", year: 2025, changes: 0 } as const;
    await upsertBars(store, [bar(day(2025, 0), { symbol: "XAG-USD-SPOT" })]);
    const record = async () => (await readArchives(store)).find(({ symbol }) => symbol === "XAG-USD-SPOT");
    const full: ArchiveStore = {
      ...archives,
      put: (name, bytes, facts) =>
        name.format === "parquet" ? Promise.reject(new ArchivesFailedError("no space")) : archives.put(name, bytes, facts),
    };
    await expect(buildArchive(silver, building({ archives: full }))).rejects.toThrow(ArchivesFailedError);
    await expect(buildArchive(silver, building({ mayWrite: () => false }))).rejects.toThrow(TermEndedError);
    expect(await record()).toBeUndefined();
    await claimFence(store, WRITER.token + 1, "two");
    await expect(buildArchive(silver, building())).rejects.toThrow(StaleTokenError);
    expect(await record()).toBeUndefined();
    expect(await buildArchive(silver, building({ writer: { token: WRITER.token + 1, holder: "two" } }))).toBe(1);
    expect(await record()).toMatchObject({ rows: 1, builtAtMs: NOW_MS, builtChanges: 0, changes: 0 });
  });
});

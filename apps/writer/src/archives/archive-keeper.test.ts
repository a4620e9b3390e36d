/** Archives are built even when others cannot be. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ArchiveStore, ArchivesFailedError, openArchives } from "@assay/archives";
import { type ArchiveRecord, claimFence, readArchives, type SeriesSource, type Store, upsertBars } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { fakeClock } from "@assay/ports/virtual";
import type { BarRow } from "@assay/pricing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ArchiveKeeper, dueArchives } from "./archive-keeper.ts";

const FULL = Object.assign(new Error("write"), { code: "ENOSPC" });

const NOW_MS = Date.UTC(2026, 10, 20, 14);
const WRITER = { token: 7, holder: "one" };

const barOf = (year: number): BarRow => ({
  symbol: "XAU-USD-SPOT",
  interval: "1d",
  barStartMs: Date.UTC(year, 0, 5),
  open: "3991.805",
  high: "4011.65",
  low: "3986.4",
  close: "4003.2",
  volume: null,
  isClosed: true,
  sourceId: "composed",
});

describe.each(testEngines)("archives kept on $name", (engine) => {
  let store: Store;
  let folder: string;
  let faults: string[];
  let asked: number[];

  beforeEach(async () => {
    store = await engine.open();
    folder = await mkdtemp(join(tmpdir(), "assay-keeper-"));
    await claimFence(store, WRITER.token, WRITER.holder);
    faults = [];
    asked = [];
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Keeps archives of these years until the first pass is over, in a location that refuses some of them. */
  const passOver = async (years: readonly number[], isRefused: (year: number) => boolean): Promise<ArchiveKeeper> => {
    await upsertBars(store, years.map(barOf));
    const files = openArchives({ kind: "file", directory: folder });
    const archives: ArchiveStore = {
      description: files.description,
      versionOf: (name) => files.versionOf(name),
      has: (name) => files.has(name),
      put: (name, ...rest) => {
        asked.push(name.year);
        return isRefused(name.year)
          ? Promise.reject(new ArchivesFailedError("no space", { cause: FULL }))
          : files.put(name, ...rest);
      },
    };
    const ending = new AbortController();
    const keeper = new ArchiveKeeper({
      ...{
        store,
        archives,
        writer: WRITER,
        clock: fakeClock(NOW_MS),
        signal: ending.signal,
        mayWrite: () => true,
        sharesProcess: false,
      },
      log: {
        info: () => undefined,
        fault: () => undefined,
        archives: (why) => why && faults.push(`${why.class}: ${why.reason}`),
      },
    });
    await vi.waitFor(() => expect(faults.length).toBeGreaterThan(0), { timeout: 20_000 });
    ending.abort();
    await keeper.done;
    return keeper;
  };
  const builtYears = async (): Promise<number[]> =>
    (await readArchives(store)).flatMap(({ year, builtAtMs }) => (builtAtMs === null ? [] : [year])).sort();

  test("one that fails does not hold up the others, and is reported by name", async () => {
    const keeper = await passOver([2022, 2023, 2024, 2025], (year) => year === 2024);
    expect(await builtYears()).toEqual([2022, 2023, 2025]);
    expect(faults).toEqual(["no_space: XAU-USD-SPOT 1d 2024: no space"]);
    expect(keeper.health).toMatchObject({ pending: 1, built: 3, lastError: "no_space" });
  });

  test("three in a row mean that the place is at fault, and the rest waits", async () => {
    const keeper = await passOver([2021, 2022, 2023, 2024, 2025], () => true);
    expect([...new Set(asked)]).toEqual([2025, 2024, 2023]);
    expect(keeper.health).toMatchObject({ pending: 5, built: 0, lastError: "no_space" });
  });
});

const at = (text: string): number => Date.parse(text);
const series = (change: Partial<SeriesSource> = {}): SeriesSource => ({
  symbol: "XAU-USD-SPOT",
  interval: "1d",
  sourceId: "composed",
  oldestStartMs: at("2024-03-01T00:00:00Z"),
  latestStartMs: at("2026-11-20T00:00:00Z"),
  ...change,
});
const record = (year: number, builtAt: string | null, change: Partial<ArchiveRecord> = {}): ArchiveRecord => ({
  symbol: "XAU-USD-SPOT",
  interval: "1d",
  year,
  changes: 0,
  builtChanges: builtAt === null ? null : 0,
  builtAtMs: builtAt === null ? null : at(builtAt),
  rows: builtAt === null ? null : 260,
  ...change,
});
const yearsDue = (now: string, records: readonly ArchiveRecord[], all: readonly SeriesSource[] = [series()]): number[] =>
  dueArchives(all, records, at(now)).map(({ year }) => year);

const NOW = "2026-11-20T14:00:00Z";
const LAST_NIGHT = "2026-11-20T00:10:00Z";

describe("archives", () => {
  test("are due once for every year of a series, newest first, and then no more", () => {
    expect(yearsDue(NOW, [])).toEqual([2026, 2025, 2024]);
    expect(yearsDue(NOW, [record(2026, LAST_NIGHT), record(2025, "2026-02-01T00:00:00Z"), record(2024, NOW)])).toEqual([]);
  });

  test("of the running year are due every night, ten minutes behind midnight", () => {
    const settled = [record(2025, NOW), record(2024, NOW)];
    expect(yearsDue("2026-11-21T00:09:59.999Z", [...settled, record(2026, LAST_NIGHT)])).toEqual([]);
    expect(yearsDue("2026-11-21T00:10:00Z", [...settled, record(2026, LAST_NIGHT)])).toEqual([2026]);
    expect(yearsDue("2026-11-21T00:10:00Z", [...settled, record(2026, "2026-11-21T00:10:00Z")])).toEqual([]);
  });

  test("of a year that has ended are due until its last bars are settled", () => {
    const ended = series({ oldestStartMs: at("2026-01-02T00:00:00Z"), latestStartMs: at("2026-12-31T00:00:00Z") });
    expect(yearsDue("2027-01-01T00:10:00Z", [record(2026, "2026-12-31T00:10:00Z")], [ended])).toEqual([2026]);
    expect(yearsDue("2027-01-05T00:10:00Z", [record(2026, "2027-01-02T00:10:00Z")], [ended])).toEqual([2026]);
    expect(yearsDue("2027-02-05T00:10:00Z", [record(2026, "2027-01-03T00:10:00Z")], [ended])).toEqual([]);
  });

  test("are due again when their bars were replaced since, or while they were being built", () => {
    const settled = [record(2026, LAST_NIGHT), record(2024, NOW)];
    expect(dueArchives([series()], [...settled, record(2025, NOW, { changes: 3, builtChanges: 2 })], at(NOW))).toEqual([
      { symbol: "XAU-USD-SPOT", interval: "1d", year: 2025, changes: 3 },
    ]);
    expect(yearsDue(NOW, [...settled, record(2025, null, { changes: 1 })])).toEqual([2025]);
  });

  test("are not made for series that cannot be downloaded, or for future years; of imported ones before 1996 they are", () => {
    const odd = [
      series({ symbol: "XPT-USD-SPOT" }),
      series({ oldestStartMs: at("1990-01-01T00:00:00Z"), latestStartMs: at("2030-01-01T00:00:00Z") }),
    ];
    const years = yearsDue(NOW, [], odd);
    expect([years.length, years.at(0), years.at(-1)]).toEqual([37, 2026, 1990]);
  });

  test("of days come before those of minutes, and gold before the rest", () => {
    const all = [series({ symbol: "GC" }), series({ interval: "1m" }), series({ symbol: "GC", interval: "1m" }), series()].map(
      (each) => ({ ...each, oldestStartMs: each.latestStartMs }),
    );
    expect(dueArchives(all, [], at(NOW)).map(({ symbol, interval }) => `${symbol} ${interval}`)).toEqual([
      "XAU-USD-SPOT 1d",
      "GC 1d",
      "XAU-USD-SPOT 1m",
      "GC 1m",
    ]);
  });
});

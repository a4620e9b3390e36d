import type { ArchiveRecord, SeriesSource } from "@assay/db";
import { describe, expect, test } from "vitest";
import { dueArchives } from "./due-archives.ts";

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

  test("are not made for series that cannot be downloaded, for years before 1996, or for future years", () => {
    const odd = [
      series({ symbol: "XPT-USD-SPOT" }),
      series({ oldestStartMs: at("1990-01-01T00:00:00Z"), latestStartMs: at("2030-01-01T00:00:00Z") }),
    ];
    const years = yearsDue(NOW, [], odd);
    expect([years.length, years.at(0), years.at(-1)]).toEqual([31, 2026, 1996]);
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

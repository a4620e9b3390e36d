/** What every place for archives guarantees. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { ArchiveName } from "../archive-name.ts";
import type { ArchiveStore } from "../archive-store.ts";

/** An archive some suite is about. */
export const GOLD_2025: ArchiveName = { symbol: "XAU-USD-SPOT", interval: "1d", year: 2025, format: "csv" };

/** The facts of some bytes. */
export const factsOf = (bytes: Uint8Array, rows = 1): { rows: number; sha256: string } => ({
  rows,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

/** A place under test, and how its bytes are read past it. */
export interface PlaceUnderTest {
  readonly archives: ArchiveStore;
  read(name: ArchiveName): Promise<Buffer>;
}

/** Registers the suite. */
export const archiveSuite = (place: () => PlaceUnderTest): void => {
  test("has what was put, and nothing else", async () => {
    const { archives, read } = place();
    const bytes = Buffer.from("bar_start\n2025-01-01T00:00:00Z\n");
    expect(await archives.has(GOLD_2025)).toBe(false);
    await archives.put(GOLD_2025, bytes, factsOf(bytes));
    expect(await archives.has(GOLD_2025)).toBe(true);
    expect(await read(GOLD_2025)).toEqual(bytes);
    for (const other of [{ year: 2024 }, { format: "parquet" }, { interval: "1h" }, { symbol: "GC" }] as const) {
      expect(await archives.has({ ...GOLD_2025, ...other }), JSON.stringify(other)).toBe(false);
    }
  });

  test("puts an archive in the place of the one before", async () => {
    const { archives, read } = place();
    for (const text of ["short", "x".repeat(3_000_000), ""]) {
      const bytes = Buffer.from(text);
      await archives.put(GOLD_2025, bytes, factsOf(bytes));
      expect((await read(GOLD_2025)).equals(bytes), text.slice(0, 8)).toBe(true);
    }
  });
};

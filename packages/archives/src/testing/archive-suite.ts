/** What every archive store guarantees. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { ArchiveName } from "../archive-store.ts";
import { ArchiveReplacedError, type ArchiveStore } from "../archive-store.ts";

export const GOLD_2025: ArchiveName = { symbol: "XAU-USD-SPOT", interval: "1d", year: 2025, format: "csv" };

/** The metadata of some bytes. */
export const factsOf = (bytes: Uint8Array, rows = 1): { rows: number; sha256: string } => ({
  rows,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

/** A store under test, and a way to read its bytes directly. */
export interface PlaceUnderTest {
  readonly archives: ArchiveStore;
  read(name: ArchiveName): Promise<Buffer>;
}

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

  test("replaces the previous archive", async () => {
    const { archives, read } = place();
    for (const text of ["short", "x".repeat(3_000_000), ""]) {
      const bytes = Buffer.from(text);
      await archives.put(GOLD_2025, bytes, factsOf(bytes));
      expect((await read(GOLD_2025)).equals(bytes), text.slice(0, 8)).toBe(true);
    }
  });

  test("leaves alone what another writer has stored meanwhile", async () => {
    const { archives, read } = place();
    const [first, theirs, late] = [Buffer.from("first"), Buffer.from("theirs"), Buffer.from("late!!")];
    const none = await archives.versionOf(GOLD_2025);
    expect(none).toBeNull();
    await archives.put(GOLD_2025, first, factsOf(first), none);
    await expect(archives.put(GOLD_2025, late, factsOf(late), none)).rejects.toThrow(ArchiveReplacedError);
    expect(await read(GOLD_2025)).toEqual(first);
    const version = await archives.versionOf(GOLD_2025);
    await archives.put(GOLD_2025, theirs, factsOf(theirs), version);
    await expect(archives.put(GOLD_2025, late, factsOf(late), version)).rejects.toThrow(ArchiveReplacedError);
    expect(await read(GOLD_2025)).toEqual(theirs);
    await archives.put(GOLD_2025, late, factsOf(late), await archives.versionOf(GOLD_2025));
    expect(await read(GOLD_2025)).toEqual(late);
  });
};

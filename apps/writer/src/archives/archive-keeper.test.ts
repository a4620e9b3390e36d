/** Archives are built even when others cannot be. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ArchiveStore, ArchivesFailedError, openArchives } from "@assay/archives";
import { claimFence, readArchives, type Store, upsertBars } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import type { BarRow } from "@assay/pricing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ArchiveKeeper } from "./archive-keeper.ts";

const FULL = Object.assign(new Error("write"), { code: "ENOSPC" });

const NOW_MS = Date.UTC(2026, 10, 20, 14);
const WRITER = { token: 7, holder: "one" };

const barOf = (year: number): BarRow => ({
  symbol: "XAU-USD-SPOT",
  interval: "1d",
  barStartMs: Date.UTC(year, 0, 5),
  ...{ open: "3991.805", high: "4011.65", low: "3986.4", close: "4003.2" },
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
        clock: () => NOW_MS,
        signal: ending.signal,
        mayWrite: () => true,
        sharesProcess: false,
      },
      log: { info: () => undefined, fault: (error) => faults.push((error as Error).message) }, // only errors are thrown
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
    expect(faults).toEqual(["XAU-USD-SPOT 1d 2024: no space"]);
    expect(keeper.health).toMatchObject({ pending: 1, built: 3, lastError: "no_space" });
  });

  test("three in a row mean that the place is at fault, and the rest waits", async () => {
    const keeper = await passOver([2021, 2022, 2023, 2024, 2025], () => true);
    expect([...new Set(asked)]).toEqual([2025, 2024, 2023]);
    expect(keeper.health).toMatchObject({ pending: 5, built: 0, lastError: "no_space" });
  });
});

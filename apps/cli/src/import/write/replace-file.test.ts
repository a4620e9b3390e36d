/** The store's content after `--replace`, on every engine. */
import { INTERVALS, MINUTE_MS } from "@assay/contract";
import { type Store, upsertBars } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { aggregateBars, type BarRow } from "@assay/pricing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ImportError } from "../import-error.ts";
import { NOW_MS, openScratch, refusalOf, seriesOf, tryImport, zoneNamed } from "../testing/trial.ts";

const scratch = openScratch();
afterAll(() => scratch.remove());

/** Few rows behind it is midnight. */
const START_MS = Date.UTC(2025, 4, 15, 20, 3);

const textOf = (minutes: readonly number[], shift = 0): string => {
  const rows = minutes.map((minute) => {
    const time = new Date(START_MS + minute * MINUTE_MS).toISOString().slice(0, 19).replace("T", " ");
    const open = 3_145 + ((minute * 7_919) % 997) / 100 + shift;
    return `${time},${open.toFixed(2)},${(open + 1).toFixed(2)},${(open - 1).toFixed(2)},${open.toFixed(2)},${1 + (minute % 200)}`;
  });
  return `time,Open,High,Low,Close,Volume\n${rows.join("\n")}\n`;
};
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
let files = 0;
const fileOf = (minutes: readonly number[], shift = 0): string => {
  files += 1;
  return scratch.write(`bars-${files}.csv`, textOf(minutes, shift));
};

describe.each(testEngines)("an import with --replace on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  afterAll(() => store.close());

  const empty = () => store.run((db) => db.execute("truncate bars, imports")).then(() => {});
  const everything = async () =>
    Object.fromEntries(
      await Promise.all(INTERVALS.map(async (interval) => [interval, await seriesOf(store, "GC", interval)] as const)),
    );
  const replace = (paths: readonly string[], zone = "UTC", tools = {}) =>
    tryImport(store, paths, { isReplacing: true, isForced: true, zone: zoneNamed(zone) }, tools);

  it.each(["-05:00", "America/New_York+07:00"])("fixes a wrong --timezone: the same as importing once with %s", async (zone) => {
    await empty();
    const path = fileOf(range(0, 400));
    await tryImport(store, [path], { zone: zoneNamed(zone) });
    const right = await everything();
    await empty();
    await tryImport(store, [path]);
    expect(await everything()).not.toEqual(right);
    const { said, announced } = await replace([path], zone);
    expect(await everything()).toEqual(right);
    expect(said[0]).toMatch(/\n {2}replaced: removed \d+ bars that the file does not have/);
    expect(announced).toEqual(["GC"]);
    expect((await replace([path], zone)).said[0]).toContain("replaced: removed 0 bars");
    expect(await everything()).toEqual(right);
  });

  it("fixes a small file that a wrong zone put entirely elsewhere", async () => {
    await empty();
    const path = fileOf(range(0, 5));
    await tryImport(store, [path]);
    await replace([path], "-05:00");
    const minutes = await seriesOf(store, "GC", "1m");
    expect(minutes.map(({ barStartMs }) => barStartMs)).toEqual(
      range(0, 5).map((minute) => START_MS + (minute + 300) * MINUTE_MS),
    );
    for (const interval of INTERVALS.slice(1))
      expect(await seriesOf(store, "GC", interval)).toEqual(aggregateBars(minutes, interval, NOW_MS));
  });

  it("removes bars of the file's time that the file does not have, and leaves those before and after", async () => {
    await empty();
    await tryImport(store, [fileOf(range(0, 500), 5)]);
    const kept = fileOf(range(100, 401).filter((minute) => minute % 3 !== 0));
    await replace([kept]);
    const minutes = await seriesOf(store, "GC", "1m");
    expect(minutes).toHaveLength(100 + 200 + 100);
    for (const interval of INTERVALS.slice(1))
      expect(await seriesOf(store, "GC", interval), interval).toEqual(aggregateBars(minutes, interval, NOW_MS));
  });

  it("leaves alone a coarser bar from another source, where the file has only part of it", async () => {
    await empty();
    const day: BarRow = {
      symbol: "GC",
      interval: "1d",
      barStartMs: Date.UTC(2025, 4, 15),
      sourceId: "composed",
      isClosed: true,
      open: "3100",
      high: "3300",
      low: "3000",
      close: "3200",
      volume: "7",
    };
    await upsertBars(store, [day]);
    await replace([fileOf(range(0, 200))]);
    expect(await seriesOf(store, "GC", "1d")).toEqual([day]);
  });

  it("builds a longer bar that it covers in part from those of the interval below, whatever their source", async () => {
    await empty();
    const hours: BarRow = {
      ...{ symbol: "GC", interval: "4h", barStartMs: Date.UTC(2025, 4, 15, 20), sourceId: "import:exchange", isClosed: true },
      ...{ open: "3100", high: "3300", low: "3000", close: "3200", volume: "7" },
    };
    await upsertBars(store, [hours]);
    await replace([fileOf(range(0, 60))]);
    expect(await seriesOf(store, "GC", "4h")).toEqual([hours]);
    const { open, high, low, close } = hours;
    expect(await seriesOf(store, "GC", "1d")).toMatchObject([{ open, high, low, close, isClosed: true }]);
  });

  // The first file moves away from the second one, or over it; what the second one does is the same in a mirror.
  it.each(["+02:00", "-02:00"])("takes no bar of another file, fixed one after the other or together, with %s", async (zone) => {
    const paths = [fileOf(range(0, 150)), fileOf(range(150, 300))];
    await empty();
    await tryImport(store, paths, { zone: zoneNamed(zone) });
    const right = await everything();
    await empty();
    await tryImport(store, paths);
    for (const path of paths) await replace([path], zone);
    expect(await seriesOf(store, "GC", "1m")).toEqual(right["1m"]);
    await empty();
    await tryImport(store, paths);
    await replace(paths, zone);
    expect(await everything()).toEqual(right);
  });

  it("changes nothing when a row is bad, and refuses files that overlap", async () => {
    await empty();
    const path = fileOf(range(0, 100));
    await tryImport(store, [path]);
    const before = await everything();
    const bad = scratch.write("bad.csv", `${textOf(range(0, 50), 3)}oops\n`);
    expect(await refusalOf(replace([bad]))).toBe(`${bad} line 52, row: it has 1 columns instead of 6`);
    const [one, two] = [fileOf(range(0, 50), 3), fileOf(range(40, 90), 3)];
    expect(await refusalOf(replace([one, two]))).toBe(
      `${one} and ${two}: their bars overlap in time; with --replace, import them one after the other`,
    );
    expect(await everything()).toEqual(before);
  });

  it("is never half-written: each day is the old one or the new one, and starting it again finishes it", async () => {
    await empty();
    const path = fileOf(range(0, 5_000).filter((minute) => minute % 40 < 2));
    await tryImport(store, [path], { zone: zoneNamed("-05:00") });
    const right = await everything();
    await empty();
    await tryImport(store, [path]);
    const old = await everything();
    const stopping = new AbortController();
    let steps = 0;
    const advance = (): void => {
      steps += 1;
      if (steps === 2) stopping.abort(new ImportError("stopped"));
    };
    const progress = { step: (label: string) => ({ advance: label.startsWith("writing") ? advance : () => {}, done: () => {} }) };
    expect(await refusalOf(replace([path], "-05:00", { signal: stopping.signal, progress }))).toBe("stopped");
    const dayOf = (bars: Record<string, BarRow[]>, day: number): BarRow[] =>
      (bars["1m"] ?? []).filter(({ barStartMs }) => Math.floor(barStartMs / 86_400_000) === day);
    const part = await everything();
    const first = Math.floor(START_MS / 86_400_000);
    for (let day = first; day < first + 5; day += 1) {
      expect(dayOf(part, day)).toEqual(dayOf(day < first + 2 ? right : old, day));
    }
    await replace([path], "-05:00");
    expect(await everything()).toEqual(right);
  });
});

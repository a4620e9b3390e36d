/** Days copied while files are checked: the same bars as without COPY, whatever the files and the store contain. */
import { INTERVALS, MINUTE_MS } from "@assay/contract";
import { type Store, upsertBars } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import type { BarRow } from "@assay/pricing";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NOW_MS, openScratch, refusalOf, seriesOf, tryImport } from "../testing/trial.ts";

const scratch = openScratch();
afterAll(() => scratch.remove());

const DAY = 1_440;
/** The first instant of a day. */
const START_MS = Date.UTC(2025, 4, 15);

const rowOf = (minute: number, level: number): string => {
  const time = new Date(START_MS + minute * MINUTE_MS).toISOString().slice(0, 19).replace("T", " ");
  const open = level + ((minute * 7_919) % 997) / 100;
  return `${time},${open.toFixed(2)},${(open + 1).toFixed(2)},${(open - 1).toFixed(2)},${(open + 0.5).toFixed(2)},${1 + (minute % 200)}`;
};

let files = 0;
/** @param isLastForming whether the file says that its newest bar is still forming */
const fileOf = (minutes: readonly number[], level = 3_145, isLastForming = false): string => {
  files += 1;
  const last = Math.max(...minutes);
  const rows = minutes.map((minute) => `${rowOf(minute, level)},${!isLastForming || minute !== last}`);
  return scratch.write(`bars-${files}.csv`, `time,Open,High,Low,Close,Volume,is_closed\n${rows.join("\n")}\n`);
};

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

const standing = (minute: number, change: Partial<BarRow> = {}): BarRow => ({
  symbol: "GC",
  interval: "1m",
  barStartMs: START_MS + minute * MINUTE_MS,
  sourceId: "composed",
  isClosed: true,
  open: "10",
  high: "20",
  low: "5",
  close: "15",
  volume: "7",
  ...change,
});

const server = testEngines.find(({ name }) => name === "PostgreSQL");

// Without a server, as `testEngines` has reported.
describe.skipIf(!server)("an import by COPY", { meta: { needs: "TEST_DATABASE_URL is not set" } }, () => {
  let store: Store;
  beforeAll(async () => {
    if (server) store = await server.open();
  });
  afterAll(() => store.close());

  const empty = () => store.run((db) => db.execute("truncate bars, imports")).then(() => {});
  beforeEach(empty);
  const everything = async () =>
    Object.fromEntries(await Promise.all(INTERVALS.map(async (each) => [each, await seriesOf(store, "GC", each)] as const)));

  const watched = (before: () => Promise<void> = async () => {}): { readonly store: Store; readonly lines: string[] } => {
    const lines: string[] = [];
    const copyInto: Store["copyInto"] = async (statement, nowMs) => {
      await before();
      const stream = await store.copyInto?.(statement, nowMs);
      if (!stream) throw new Error("there is no copy");
      return {
        ...stream,
        write: (text) => {
          lines.push(...text.split("\n").slice(0, -1));
          return stream.write(text);
        },
      };
    };
    return { store: { ...store, copyInto }, lines };
  };

  it("copies all whole days and the coarser bars made from them, over several files", async () => {
    const { store: watching, lines } = watched();
    const paths = [fileOf(range(7, 3 * DAY - 40)), fileOf(range(3 * DAY + 20, 6 * DAY))];
    const { said } = await tryImport(watching, paths);
    // The first file's second day, and all of the second file except its first.
    expect(lines.filter((line) => line.includes("\t1m\t"))).toHaveLength(3 * DAY);
    expect(lines.filter((line) => line.includes("\t1d\t"))).toHaveLength(3);
    expect(said.map((line) => /written 1m (\d+), .* 1d (\d+)/.exec(line)?.slice(1))).toEqual([
      [String(3 * DAY - 47), "3"],
      [String(3 * DAY - 20), "3"],
    ]);
  });

  it("keeps nothing when a later file is broken", async () => {
    const { store: watching, lines } = watched();
    const broken = scratch.write(
      "broken.csv",
      "time,Open,High,Low,Close\n2025-06-01 00:00:00,3001,3002,3001,3002\n2025-06-01 00:01:00,3001,3002,3001,x\n",
    );
    const refusal = await refusalOf(tryImport(watching, [fileOf(range(0, 4 * DAY)), broken]));
    expect(refusal).toBe(`${broken} line 3, close: "x" is not a plain decimal`);
    expect(lines.length).toBeGreaterThan(DAY);
    expect(Object.values(await everything()).flat()).toEqual([]);
  });

  it("falls back to upserts where another process has stored a bar since the check", async () => {
    const path = fileOf(range(0, 3 * DAY));
    await tryImport({ ...store, copyInto: null }, [path]);
    const expected = await everything();
    await empty();
    const { store: watching, lines } = watched(() => upsertBars(store, [standing(DAY + 3, { isClosed: false })]));
    const { said } = await tryImport(watching, [path]);
    expect(lines.length).toBeGreaterThan(3 * DAY);
    expect(await everything()).toEqual(expected);
    expect(said[0]).toContain(`written 1m ${3 * DAY}, `);
  });

  it("copies no days that are not over", async () => {
    const { store: watching, lines } = watched();
    const clock = (): number => START_MS + 2 * DAY * MINUTE_MS + 30_000;
    await tryImport(watching, [fileOf(range(0, 2 * DAY + 1))], { isAggregating: false }, { clock });
    expect(lines.filter((line) => line.includes("\t1m\t"))).toHaveLength(2 * DAY);
  });

  it("gives the same bars as upserts, whatever the files, their order, and what is stored", async () => {
    const minute = fc.integer({ min: 0, max: 4 * DAY - 1 });
    const stretch = fc.record({ from: minute, length: fc.integer({ min: 1, max: 3 * DAY }), gap: fc.constantFrom(0, 0, 7, 700) });
    const scenario = fc.record({
      stretches: fc.array(stretch, { minLength: 1, maxLength: 3 }),
      isSorted: fc.boolean(),
      isReversed: fc.boolean(),
      standing: fc.array(fc.record({ minute, interval: fc.constantFrom("1m", "1h", "1d") }), { maxLength: 2 }),
      isNewestForming: fc.boolean(),
      isLastForming: fc.boolean(),
      isAggregating: fc.boolean(),
      nowMinute: fc.constantFrom(6 * DAY, 6 * DAY, 8 * DAY),
    });
    // The second file starts with all of the day the first one ends in, and overrides it.
    const lastDayAgain = {
      stretches: [
        { from: 0, length: DAY + 700, gap: 0 as const },
        { from: DAY, length: 2 * DAY, gap: 0 as const },
      ],
      isSorted: true,
      isReversed: false,
      standing: [],
      isLastForming: false,
      isAggregating: true,
      nowMinute: 8 * DAY,
      isNewestForming: false,
    };
    // The day of the second file is copied before the first file's only bar is written, which is not the newest then.
    const formingBehind = {
      stretches: [
        { from: 0, length: 1, gap: 0 as const },
        { from: 5_447, length: 1_754, gap: 0 as const },
      ],
      isSorted: true,
      isReversed: false,
      standing: [],
      isLastForming: true,
      isAggregating: false,
      nowMinute: 6 * DAY,
      isNewestForming: false,
    };
    // The first file's last bar is the newest until the second file's days are written.
    const formingBetween = { ...formingBehind, stretches: formingBehind.stretches.map((each) => ({ ...each, length: 2 * DAY })) };
    // What was forming before the import has newer ones behind it after.
    const formingBefore = {
      stretches: [{ from: 2 * DAY, length: DAY, gap: 0 as const }],
      standing: [{ minute: 5, interval: "1m" as const }],
      isSorted: true,
      isReversed: false,
      isLastForming: false,
      isAggregating: false,
      nowMinute: 8 * DAY,
      isNewestForming: true,
    };
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async (each) => {
        const { stretches, isSorted, isReversed, isLastForming, isAggregating } = each;
        const inOrder = isSorted ? stretches.toSorted((a, b) => a.from - b.from) : stretches;
        const paths = inOrder.map(({ from, length, gap }, index) => {
          const minutes = range(from, from + length).filter((at) => gap === 0 || at % 1_000 >= gap);
          const filled = minutes.length > 0 ? minutes : [from];
          return fileOf(isReversed && index === 0 ? filled.toReversed() : filled, 3_145 + index, isLastForming);
        });
        const there = each.standing.map(({ minute: at, interval }) =>
          standing(at, { ...(interval === "1m" ? {} : { interval: interval === "1h" ? "1h" : "1d" }) }),
        );
        const aligned = there.map((bar) => {
          const lengthMs = { "1m": MINUTE_MS, "1h": 60 * MINUTE_MS, "1d": DAY * MINUTE_MS }[String(bar.interval)] ?? MINUTE_MS;
          return { ...bar, barStartMs: Math.floor(bar.barStartMs / lengthMs) * lengthMs };
        });
        const stands = aligned.map((bar) => {
          const isNewest = aligned.every((other) => other.interval !== bar.interval || other.barStartMs <= bar.barStartMs);
          return { ...bar, isClosed: !(each.isNewestForming && isNewest) };
        });
        const request = { isAggregating };
        const clock = (): number => Math.min(START_MS + each.nowMinute * MINUTE_MS, NOW_MS);
        const outcome = async (into: Store) => {
          await empty();
          await upsertBars(store, stands);
          const answer = await tryImport(into, paths, request, { clock }).catch((error: unknown) => String(error));
          return { answer, bars: await everything() };
        };
        const { store: watching, lines } = watched();
        const copied = await outcome(watching);
        rows += lines.length;
        expect(copied).toEqual(await outcome({ ...store, copyInto: null }));
        for (const [interval, bars] of Object.entries(copied.bars))
          expect(
            bars.slice(0, -1).filter(({ isClosed }) => !isClosed),
            `${interval} forming behind newer ones`,
          ).toEqual([]);
      }),
      { numRuns: 8, examples: [[lastDayAgain], [formingBehind], [formingBetween], [formingBefore]] },
    );
    // It must copy something at all.
    expect(rows).toBeGreaterThan(DAY);
  }, 120_000);
});

/** The store's content after an import, on every engine. */
import { DAY_MS, INTERVALS, MINUTE_MS } from "@assay/contract";
import { readCorrections, type Store, upsertBars } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { aggregateBars, type BarRow } from "@assay/pricing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ImportError } from "./import-error.ts";
import { NOW_MS, openScratch, refusalOf, seriesOf, tryImport } from "./testing/trial.ts";

const scratch = openScratch();
afterAll(() => scratch.remove());

/** 2025-05-15T07:03:00Z, three minutes into a bucket of every coarser interval. */
const START_MS = Date.UTC(2025, 4, 15, 7, 3);

/** Digits that go up and down, from the minute. */
const price = (minute: number, spread: number): string => (3_145 + ((minute * 7_919) % 997) / 100 + spread).toFixed(2);

const rowOf = (minute: number): string => {
  const time = new Date(START_MS + minute * MINUTE_MS).toISOString().slice(0, 19).replace("T", " ");
  const [open, close] = [price(minute, 0), price(minute + 1, 0)];
  const [high, low] = [Number(open) > Number(close) ? open : close, Number(open) > Number(close) ? close : open];
  return `${time},${open},${high},${low},${close},${minute % 200}`;
};

const textOf = (minutes: readonly number[]): string => `time,Open,High,Low,Close,Volume\n${minutes.map(rowOf).join("\n")}\n`;
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

let files = 0;
const fileOf = (minutes: readonly number[]): string => {
  files += 1;
  return scratch.write(`bars-${files}.csv`, textOf(minutes));
};

const bar = (change: Partial<BarRow>): BarRow => ({
  symbol: "GC",
  interval: "1h",
  barStartMs: Date.UTC(2025, 4, 15, 7),
  sourceId: "composed",
  isClosed: true,
  open: "10",
  high: "20",
  low: "5",
  close: "15",
  volume: "7",
  ...change,
});

describe.each(testEngines)("an import on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  afterAll(() => store.close());

  const empty = () => store.run((db) => db.execute("truncate bars, imports")).then(() => {});
  const everything = async (symbol = "GC") =>
    Object.fromEntries(
      await Promise.all(INTERVALS.map(async (interval) => [interval, await seriesOf(store, symbol, interval)] as const)),
    );

  it("writes a file's bars and the coarser ones made from them, reports it and notifies servers", async () => {
    await empty();
    const path = fileOf(range(0, 3_000));
    const { said, announced } = await tryImport(store, [path]);
    const written = await everything();
    const minutes = written["1m"] ?? [];
    expect(minutes).toHaveLength(3_000);
    expect(minutes[0]).toEqual(
      bar({ ...minutes[0], interval: "1m", barStartMs: START_MS, sourceId: "import:metatrader", volume: null }),
    );
    expect(minutes[1]).toMatchObject({ open: price(1, 0), close: price(2, 0), volume: "1", isClosed: true });
    for (const interval of INTERVALS.slice(1)) {
      expect(written[interval], interval).toEqual(aggregateBars(minutes, interval, NOW_MS));
      expect(written[interval]?.every(({ isClosed }) => isClosed)).toBe(true);
    }
    expect(said).toEqual([
      `${path}: 3000 rows, 2025-05-15T07:03Z to 2025-05-17T09:02Z, written 1m 3000, 5m 601, 15m 201, 30m 101, 1h 51, 2h 26, ` +
        "4h 14, 1d 3, 0.0 s (metatrader, times in UTC)\n" +
        "  closed-hour bars: 783; holes: 0; partial bars: first 5m 15m 30m 1h 2h 4h 1d",
    ]);
    expect(announced).toEqual(["GC"]);
  });

  it("drops the volume of a spot series, and says so", async () => {
    await empty();
    const { said } = await tryImport(store, [fileOf(range(0, 100))], { symbol: "XAU-USD-SPOT" });
    const written = Object.values(await everything("XAU-USD-SPOT")).flat();
    expect(written.length).toBeGreaterThan(120);
    expect(written.every(({ volume }) => volume === null)).toBe(true);
    expect(said[0]).toContain("; volumes left out, as spot series have none)");
  });

  it("skips a file already imported, and changes nothing when forced to import it again", async () => {
    await empty();
    const path = fileOf(range(0, 1_100));
    await tryImport(store, [path]);
    const versions = () =>
      store.run((db) => db.execute("select xmin::text, ctid::text from bars order by symbol, interval, bar_start"));
    const [bars, rows] = [await everything(), await versions()];
    const again = await tryImport(store, [path]);
    expect(again).toEqual({
      said: [`${path}: skipped, its 1100 rows were imported at 2026-01-01T00:00:00.000Z; --force imports them again`],
      announced: [],
    });
    expect((await tryImport(store, [path], { isForced: true })).said[0]).toContain("written 1m 1100");
    expect(await everything()).toEqual(bars);
    // The same row versions: not even an equal row was overwritten.
    expect(await versions()).toEqual(rows);
    // The same bytes in another series are another import.
    expect((await tryImport(store, [path], { symbol: "XAU-USD-SPOT" })).said[0]).toContain("written 1m 1100");
  });

  it("imports files with the same bytes once", async () => {
    await empty();
    const [one, two] = [fileOf(range(0, 20)), fileOf(range(0, 20))];
    const { said } = await tryImport(store, [one, two]);
    expect(said[0]).toBe(`${two}: skipped, it is identical to ${one}`);
    expect(said).toHaveLength(2);
  });

  it("writes nothing of any file when one of them is broken", async () => {
    await empty();
    const good = fileOf(range(0, 50));
    const broken = scratch.write("broken.csv", `${textOf(range(50, 100))}2025-05-15 09:00:00,3001,3001,3002,3001,0\n`);
    expect(await refusalOf(tryImport(store, [good, broken]))).toBe(`${broken} line 52, open: 3001 below low 3002`);
    expect(Object.values(await everything()).flat()).toEqual([]);
  });

  it("replaces bars by their corrections, those of coarser intervals too", async () => {
    await empty();
    await tryImport(store, [fileOf(range(0, 300))]);
    const corrected = scratch.write(
      "corrected.csv",
      textOf(range(0, 300)).replace(/^(2025-05-15 08:31:00),.*$/m, "$1,3145,9999.99,3145,3145,1"),
    );
    await tryImport(store, [corrected], { sourceName: "exchange", note: "corrected by the exchange" });
    const [{ entry = "" } = {}] = await readCorrections(store, {
      ...{ symbols: null, intervals: ["1h"], dailyFromMs: 0, hasSettlements: false, hasRates: false, since: 0, limit: 1 },
      asOfMs: Number.MAX_SAFE_INTEGER,
    });
    expect(JSON.parse(entry)).toMatchObject({
      ...{ reason: "import", source: "import:exchange", note: "corrected by the exchange" },
      after: { high: "9999.99" },
    });
    const at = async (interval: "1m" | "5m" | "1h", startMs: number) =>
      (await seriesOf(store, "GC", interval)).find(({ barStartMs }) => barStartMs === startMs)?.high;
    expect(await at("1m", Date.UTC(2025, 4, 15, 8, 31))).toBe("9999.99");
    expect(await at("5m", Date.UTC(2025, 4, 15, 8, 30))).toBe("9999.99");
    expect(await at("1h", Date.UTC(2025, 4, 15, 8))).toBe("9999.99");
  });

  it("leaves a coarser bar alone that the file only partly covers, and replaces one it covers whole", async () => {
    await empty();
    const [first, whole, last] = [7, 8, 12].map((hour) => bar({ barStartMs: Date.UTC(2025, 4, 15, hour) }));
    const day = bar({ interval: "1d", barStartMs: Date.UTC(2025, 4, 15) });
    await upsertBars(
      store,
      [first, whole, last, day].filter((each) => each !== undefined),
    );
    const { said } = await tryImport(store, [fileOf(range(0, 300))]);
    const hours = await seriesOf(store, "GC", "1h");
    expect(hours[0]).toEqual(first);
    expect(hours[1]).toMatchObject({ sourceId: "import:metatrader", open: price(57, 0), close: price(117, 0) });
    expect(hours[5]).toEqual(last);
    expect(await seriesOf(store, "GC", "1d")).toEqual([day]);
    expect(said[0]).toContain("1h 4, ");
    expect(said[0]).not.toMatch(/written.*1d/);
  });

  it("gives the same bars in parts, cut anywhere and imported in any order, as in one file", async () => {
    const minutes = range(0, 1_200).filter((minute) => minute % 11 !== 5);
    await empty();
    await tryImport(store, [fileOf(minutes)]);
    const whole = await everything();
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: minutes.length - 1 }), { minLength: 1, maxLength: 4 });
    const order = fc.array(fc.nat(), { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(cuts, order, async (places, ranks) => {
        const bounds = [0, ...places.toSorted((a, b) => a - b), minutes.length];
        const parts = bounds.slice(1).map((to, index) => fileOf(minutes.slice(bounds[index], to)));
        const shuffled = parts.map((path, index) => ({ path, rank: ranks[index] ?? 0 })).sort((a, b) => a.rank - b.rank);
        await empty();
        await tryImport(
          store,
          shuffled.map(({ path }) => path),
        );
        expect(await everything()).toEqual(whole);
      }),
      {
        numRuns: process.env.TEST_DEPTH === "deep" ? 12 : 3,
        examples: [
          [
            [100, 101, 102],
            [2, 0, 1, 3, 4],
          ],
        ],
      },
    );
  });

  it("gives the same bars whatever the order of a file's rows", async () => {
    await empty();
    await tryImport(store, [fileOf(range(0, 500))]);
    const expected = await everything();
    for (const minutes of [range(0, 500).toReversed(), range(0, 500).toSorted((a, b) => ((a * 37) % 501) - ((b * 37) % 501))]) {
      await empty();
      await tryImport(store, [fileOf(minutes)]);
      expect(await everything()).toEqual(expected);
    }
  });

  it("builds no coarser bars when asked not to", async () => {
    await empty();
    const { said } = await tryImport(store, [fileOf(range(0, 500))], { isAggregating: false });
    expect(said[0]).toContain(", written 1m 500, ");
    expect(Object.values(await everything()).flat()).toHaveLength(500);
  });

  it("leaves the newest bar forming, and the coarser ones around it, when the file says that it is", async () => {
    await empty();
    const [header, ...rows] = textOf(range(0, 500)).trimEnd().split("\n");
    const lines = [`${header},is_closed`, ...rows.map((row, at) => `${row},${at < rows.length - 1}`)];
    await tryImport(store, [scratch.write("mid-bar.csv", `${lines.join("\n")}\n`)]);
    const written = await everything();
    for (const interval of INTERVALS) {
      const states = (written[interval] ?? []).map(({ isClosed }) => isClosed);
      expect(states.at(-1), interval).toBe(false);
      expect(states.slice(0, -1).every(Boolean), interval).toBe(true);
    }
    // Running it again completes it.
    await tryImport(store, [fileOf(range(490, 600))]);
    for (const bars of Object.values(await everything())) expect(bars.every(({ isClosed }) => isClosed)).toBe(true);
  });

  it("leaves bars forming whose time is not over", async () => {
    await empty();
    const nowMs = START_MS + 499 * MINUTE_MS + 30_000;
    await tryImport(store, [fileOf(range(0, 500))], {}, { clock: () => nowMs });
    const states = (await seriesOf(store, "GC", "1m")).map(({ isClosed }) => isClosed);
    expect([states.at(-2), states.at(-1)]).toEqual([true, false]);
    expect((await seriesOf(store, "GC", "1d")).map(({ isClosed }) => isClosed)).toEqual([false]);
  });

  it.each([false, true])(
    "closes the bars that were left forming once it writes newer ones, at every interval (--replace: %s)",
    async (isReplacing) => {
      await empty();
      const nowMs = Date.UTC(2025, 4, 15, 23, 59, 30);
      const minuteAt = (ms: number): number => Math.floor((ms - START_MS) / MINUTE_MS);
      await tryImport(store, [fileOf([minuteAt(nowMs)])], {}, { clock: () => nowMs });
      const before = await everything();
      expect(Object.values(before).flatMap((bars) => bars.map(({ isClosed }) => isClosed))).toEqual(INTERVALS.map(() => false));
      const laterMs = nowMs + 2 * DAY_MS + MINUTE_MS;
      await tryImport(store, [fileOf([minuteAt(laterMs)])], { isReplacing }, { clock: () => laterMs });
      for (const [interval, bars] of Object.entries(await everything())) {
        expect(
          bars.map(({ isClosed }) => isClosed),
          interval,
        ).toEqual([true, false]);
        expect(bars[0], interval).toEqual({ ...before[interval]?.[0], isClosed: true });
      }
    },
  );

  it("is included in the bars that ticks are forming, at every interval", async () => {
    await empty();
    const nowMs = START_MS + 499 * MINUTE_MS + 30_000;
    const ticks = range(497, 500).map(
      (minute): BarRow =>
        bar({
          interval: "1m",
          barStartMs: START_MS + minute * MINUTE_MS,
          isClosed: minute < 499,
          volume: "1",
          open: "3200",
          high: "3200",
          low: "3200",
          close: "3200",
        }),
    );
    const coarser = INTERVALS.slice(1).map(
      (interval) => ({ ...aggregateBars(ticks, interval).at(-1), isClosed: false }) as BarRow,
    ); // there are ticks
    await upsertBars(store, [...ticks, ...coarser]);
    await tryImport(store, [fileOf(range(0, 499))], {}, { clock: () => nowMs });
    const written = await everything();
    expect(written["1m"]).toHaveLength(500);
    expect(written["1m"]?.at(-1)).toEqual(ticks.at(-1));
    expect(written["1m"]?.at(-2)).toMatchObject({ sourceId: "import:metatrader" });
    for (const interval of INTERVALS.slice(1)) {
      const expected = aggregateBars(written["1m"] ?? [], interval);
      const figures = (bars: readonly BarRow[]) => bars.map(({ sourceId: _, ...rest }) => rest);
      expect(figures(written[interval] ?? []), interval).toEqual(figures(expected));
      expect(written[interval]?.at(-1)).toMatchObject({ high: "3200", isClosed: false });
    }
  });

  it("says where rows are missing", async () => {
    await empty();
    const { said } = await tryImport(store, [fileOf(range(0, 300).filter((minute) => minute !== 100 && minute !== 102))]);
    expect(said[0]).toMatch(/; holes: 2 \(2 bars, longest \S+ to \S+: 1\); /);
  });

  it("is finished by starting it again when it was stopped, or servers could not be notified", async () => {
    await empty();
    const paths = [fileOf(range(0, 1_500)), fileOf(range(1_500, 3_000))];
    const stopping = new AbortController();
    const advance = (): void => stopping.abort(new ImportError("stopped"));
    const progress = { step: (label: string) => ({ advance: label.startsWith("writing") ? advance : () => {}, done: () => {} }) };
    const tools = { progress: { ...progress, stop: () => {} }, signal: stopping.signal };
    expect(await refusalOf(tryImport(store, paths, {}, tools))).toBe("stopped");
    const part = (await seriesOf(store, "GC", "1m")).length;
    expect(part).toBeGreaterThan(0);
    expect(part).toBeLessThan(3_000);
    const announce = () => Promise.reject(new ImportError("nobody hears"));
    expect(await refusalOf(tryImport(store, paths, {}, { announce }))).toBe("nobody hears");
    expect((await tryImport(store, paths)).said.at(-1)).toContain("written 1m 1500");
    const minutes = await seriesOf(store, "GC", "1m");
    expect(minutes).toHaveLength(3_000);
    for (const [interval, bars] of Object.entries(await everything()))
      expect(bars, interval).toEqual(
        interval === "1m" ? minutes : aggregateBars(minutes, interval as BarRow["interval"], NOW_MS),
      );
  });

  it("accepts days of platinum", async () => {
    await empty();
    const days = scratch.write("platinum.csv", "Date,Open,High,Low,Close\n2025-05-15,990,1001,985,999.5\n");
    await tryImport(store, [days], { symbol: "XPT-USD-SPOT", interval: "1d" });
    expect(await seriesOf(store, "XPT-USD-SPOT", "1d")).toMatchObject([{ barStartMs: Date.UTC(2025, 4, 15), close: "999.5" }]);
  });

  it("says in a line of its own that no route serves bars of platinum, and of gold nothing", async () => {
    const notes = async (symbol: "XPT-USD-SPOT" | "XAU-USD-SPOT", close: string) => {
      const days = scratch.write(`${symbol}.csv`, `Date,Open,High,Low,Close\n2025-05-15,${close},${close},${close},${close}\n`);
      const { said } = await tryImport(store, [days], { symbol, interval: "1d", isForced: true });
      return said.filter((line) => line.includes("CATALOG"));
    };
    expect(await notes("XPT-USD-SPOT", "990")).toEqual([
      "XPT-USD-SPOT is in the catalogue for ratios alone; its bars are not served until CATALOG has its spot price",
    ]);
    expect(await notes("XAU-USD-SPOT", "3200")).toEqual([]);
  });

  it("refuses minutes of platinum", async () => {
    expect(await refusalOf(tryImport(store, [fileOf(range(0, 5))], { symbol: "XPT-USD-SPOT" }))).toBe(
      "XPT-USD-SPOT has only daily bars; --interval must be 1d, not 1m",
    );
  });
});

/** A clock that was ahead and is set back: no bar ends after now, and none is lost. */
import { DEFAULT_CATALOG, INTERVALS, MINUTE_MS, SECOND_MS } from "@assay/contract";
import { readBarsAhead, readNewestTicks, readStretch, type Store } from "@assay/db";
import { emptyTables, testEngines } from "@assay/db/testing";
import { type Live, openMemoryLive } from "@assay/live";
import { machineTime, withClock } from "@assay/ports";
import { seededRandom } from "@assay/ports/virtual";
import { aggregateBars, barEnd, bucketStart, type ClockedSource } from "@assay/pricing";
import { silentProgress } from "@assay/process";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { inProcess } from "../testing/in-process.ts";
import { gold, source } from "../testing/readings.ts";
import { Writer } from "../writer.ts";

const SYMBOL = "XAU-USD-SPOT";
const START_MS = Date.parse("2026-11-20T11:55:00Z");
const EVERY_MS = 10 * SECOND_MS;
const log = {
  info: vi.fn<(line: string) => void>(),
  warn: vi.fn(),
  fault: vi.fn(),
  feed: () => undefined,
  archives: () => undefined,
};

/** A price every ten seconds, which is the same whenever it is asked for. */
const priceAt = (atMs: number): string => (4_390 + (((atMs / EVERY_MS) * 7) % 23) / 4).toFixed(2);
const market: ClockedSource = {
  simulated: false,
  sources: new Map([["a", { ...source("a"), required: true, instruments: [SYMBOL] }]]),
  *due(fromMs, toMs) {
    for (let atMs = START_MS; atMs <= toMs; atMs += EVERY_MS)
      if (atMs > fromMs) yield { atMs, observations: [gold("a", priceAt(atMs), atMs)] };
  },
  lastSpokeMs: (_, nowMs) => nowMs,
};

describe.each(testEngines)("a clock that is set back on $name", (engine) => {
  let store: Store;
  let live: Live;
  let nowMs: number;
  const clock = withClock(machineTime, () => nowMs);
  beforeAll(async () => {
    store = await engine.open(clock);
  });
  beforeEach(async () => {
    await emptyTables(store);
    nowMs = START_MS;
    live = openMemoryLive({ clock });
    log.fault.mockClear();
    log.info.mockClear();
  });
  afterEach(() => live.close());
  afterAll(() => store.close());

  const start = async (): Promise<Writer> => {
    const writer = Writer.start({
      store,
      live,
      clock,
      log,
      onStuck: () => undefined,
      replay: market,
      simulated: null,
      polled: [],
      marketHours: false,
      archives: null,
      progress: silentProgress,
      threads: inProcess,
      random: seededRandom(1),
      webhooks: { post: async () => null, catalog: DEFAULT_CATALOG },
      holder: "one",
      leaseTtlMs: 60 * MINUTE_MS,
    });
    await writer.ready;
    return writer;
  };
  const until = (holds: () => Promise<boolean>): Promise<void> =>
    vi.waitFor(async () => expect(await holds()).toBe(true), { timeout: 30_000, interval: 25 });
  const newestMs = async (): Promise<number | undefined> => (await readNewestTicks(store))[0]?.computedAtMs;
  const isNoneAhead = async (): Promise<boolean> => (await readBarsAhead(store, nowMs)).every(({ isClosed }) => !isClosed);
  const moveTo = async (ms: number): Promise<void> => {
    nowMs = ms;
    await until(async () => (await newestMs()) === nowMs);
  };

  /** Every minute up to now is there, as the market made it, and coarser bars are what those add up to. */
  const expectWhole = async (): Promise<void> => {
    const bars = await readStretch(store, SYMBOL, INTERVALS, START_MS - 24 * 60 * MINUTE_MS, nowMs + 24 * 60 * MINUTE_MS);
    const minutes = bars.filter(({ interval }) => interval === "1m");
    expect(minutes.map(({ barStartMs }) => barStartMs)).toEqual(
      Array.from({ length: (bucketStart(nowMs, "1m") - START_MS) / MINUTE_MS + 1 }, (_, place) => START_MS + place * MINUTE_MS),
    );
    for (const minute of minutes)
      expect(minute.close, new Date(minute.barStartMs).toISOString()).toBe(priceAt(Math.min(nowMs, barEnd(minute) - EVERY_MS)));
    for (const interval of INTERVALS.slice(1))
      expect(bars.filter((bar) => bar.interval === interval)).toEqual(aggregateBars(minutes, interval, nowMs));
    for (const bar of bars) expect(bar.isClosed).toBe(barEnd(bar) <= nowMs);
  };

  it("waits for minutes until it catches up, with the bars that were closed too early forming again", async () => {
    const writer = await start();
    await moveTo(START_MS + 8 * MINUTE_MS + 30 * SECOND_MS);
    nowMs -= 4 * MINUTE_MS;
    expect(await isNoneAhead()).toBe(false);
    await until(isNoneAhead);
    await moveTo(nowMs + 4 * MINUTE_MS + 10 * SECOND_MS);
    await expectWhole();
    await writer.close();
    expect(log.fault).not.toHaveBeenCalled();
  });

  it("waits in a new term too", async () => {
    await (await start()).close();
    nowMs += 8 * MINUTE_MS + 30 * SECOND_MS;
    await (await start()).close();
    nowMs -= 4 * MINUTE_MS;
    const writer = await start();
    expect(await isNoneAhead()).toBe(true);
    await moveTo(nowMs + 4 * MINUTE_MS + 10 * SECOND_MS);
    await expectWhole();
    await writer.close();
  });

  it("ends its term when that is further back, and the next one makes the bars of that time anew", async () => {
    const first = await start();
    await moveTo(START_MS + 40 * MINUTE_MS + 30 * SECOND_MS);
    nowMs -= 30 * MINUTE_MS;
    await until(async () => log.info.mock.calls.some(([line]) => line.endsWith("starting over at its time")));
    await first.close();
    const next = await start();
    expect(await isNoneAhead()).toBe(true);
    for (let step = 0; step < 4; step += 1) {
      await moveTo(nowMs + 10 * MINUTE_MS);
      await expectWhole();
    }
    await next.close();
    expect(log.fault).not.toHaveBeenCalled();
  });
});

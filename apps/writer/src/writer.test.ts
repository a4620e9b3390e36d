/** The writer over a real store and real live engines: who leads, what is written, what is published. */
import { DEFAULT_CATALOG } from "@assay/contract";
import { readBars, readLastSeqs, readTicksSince, type Store, StoreUnavailableError } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import { FEEDS_DOCUMENT_KEY, type FeedsDocument, type Live, type MarketEvent, openMemoryLive } from "@assay/live";
import { machineTime, withClock } from "@assay/ports";
import { seededRandom } from "@assay/ports/virtual";
import { aggregateBars } from "@assay/pricing";
import { silentProgress } from "@assay/process";
import { simulatedBars } from "@assay/simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openSimulatedMarket } from "./simulated/market.ts";
import { shortDays } from "./testing/in-process.ts";
import { Writer, type WriterOptions } from "./writer.ts";

/** Early in the simulated market, so that its daily bars and exchange rates are few, and after the two years of settlements. */
const NOW_MS = Date.parse("1998-01-20T00:30:30Z");
/** Longer than the steps the clock is moved by. */
const LONG_TTL_MS = 600_000;
/** A day more than a writer is ready with, so that there is an older part to fill in while it leads. */
const SIMULATION = { seed: 1, hours: "always", historyDays: 2 } as const;

let store: Store;
let live: Live;
let nowMs: number;
const clock = withClock(machineTime, () => nowMs);
const log = { info: () => undefined, warn: vi.fn(), fault: vi.fn(), feed: () => undefined, archives: () => undefined };

const start = (holder: string, leaseTtlMs = LONG_TTL_MS, own: Partial<WriterOptions> = {}): Writer =>
  Writer.start({
    store,
    live,
    clock,
    log,
    polled: [],
    replay: null,
    simulated: openSimulatedMarket(SIMULATION),
    marketHours: false,
    progress: silentProgress,
    archives: null,
    threads: shortDays,
    random: seededRandom(1),
    webhooks: { post: async () => null, catalog: DEFAULT_CATALOG },
    onStuck: () => undefined,
    holder,
    leaseTtlMs,
    ...own,
  });

/** Lets the process's own timers run, with the clock unchanged. */
const until = (holds: () => boolean | Promise<boolean>): Promise<void> =>
  vi.waitFor(async () => expect(await holds()).toBe(true), { timeout: 60_000, interval: 25 });

// One store: each test continues where the previous one left the clock.
beforeAll(async () => {
  nowMs = NOW_MS;
  store = await openEmbeddedStore();
  live = openMemoryLive({ clock });
}, 60_000);

beforeEach(() => {
  log.fault.mockClear();
  log.warn.mockClear();
});

afterAll(async () => {
  await live.close();
  await store.close();
});

describe("a writer on the simulated market", () => {
  it("fills the past, leads, writes every second it is given, and publishes only after the commit", async () => {
    const events: MarketEvent[] = [];
    const committed: boolean[] = [];
    await live.bus.subscribe((event) => {
      events.push(event);
      if (event.kind !== "moment") return;
      const seq = event.ticks.at(-1)?.seq ?? 0;
      readLastSeqs(store).then(
        (seqs) => committed.push((seqs.get(event.ticks.at(-1)?.instrument ?? "GLD") ?? 0) >= seq),
        () => committed.push(false),
      );
    });
    const writer = start("one");
    await writer.ready;
    const day = await readBars(store, { symbol: "XAU-USD-SPOT", interval: "1d", fromMs: 0, toMs: nowMs, limit: 20_000 });
    expect(day.length).toBe(Math.floor((nowMs - Date.UTC(1996, 0, 1)) / 86_400_000) + 1);

    nowMs += 90_000;
    await until(async () => (await readTicksSince(store, nowMs - 500)).some((tick) => tick.computedAtMs === nowMs));
    await writer.close();
    const ticks = (await readTicksSince(store, NOW_MS)).filter(
      (tick) => tick.instrument === "XAU-USD-SPOT" && tick.computedAtMs > NOW_MS,
    );
    expect(ticks.map((tick) => tick.computedAtMs)).toEqual(
      Array.from({ length: 90 }, (_, second) => NOW_MS + (second + 1) * 1_000),
    );
    expect(ticks.map((tick) => tick.seq)).toEqual(Array.from({ length: 90 }, (_, index) => (ticks[0]?.seq ?? 0) + index));
    expect(events.length).toBeGreaterThan(0);
    expect(committed).not.toContain(false);
    expect(await live.lease.current()).toBeNull();
    expect(log.fault).not.toHaveBeenCalled();
  }, 180_000);

  it("leaves bars that equal the market's own, even those written live, over a restart and a gap", async () => {
    const first = start("one");
    await first.ready;
    nowMs += 20_000;
    await until(async () => (await readTicksSince(store, nowMs)).some((tick) => tick.computedAtMs === nowMs));
    await first.close();
    nowMs += 5 * 60_000;
    const second = start("one");
    await second.ready;
    nowMs += 45_000;
    await until(async () => (await readTicksSince(store, nowMs)).some((tick) => tick.computedAtMs === nowMs));
    await second.close();
    const fromMs = NOW_MS - (NOW_MS % 3_600_000);
    for (const symbol of ["XAU-USD-SPOT", "GC"] as const) {
      const stored = (await readBars(store, { symbol, interval: "1m", fromMs, toMs: nowMs, limit: 1_000 })).toReversed();
      const own = [...simulatedBars(symbol, "1m", fromMs, nowMs + 1_000, 1, "always")];
      expect(stored.map((bar) => ({ ...bar }))).toEqual(own);
      const [hour] = await readBars(store, { symbol, interval: "1h", fromMs, toMs: nowMs, limit: 1 });
      expect(hour).toEqual(aggregateBars(own, "1h", nowMs)[0]);
    }
    expect(log.fault).not.toHaveBeenCalled();
  }, 180_000);

  it("reports that the database refuses writes, and that its feeds are well, while nothing can be written", async () => {
    let isFull = false;
    const refuse = () => Promise.reject(new StoreUnavailableError("no space left", "disk_full"));
    const full: Store = {
      ...store,
      run: (...asked) => (isFull ? refuse() : store.run(...asked)),
      refusesWrites: () => isFull,
    };
    const reported = async (): Promise<FeedsDocument> => JSON.parse((await live.latest.get(FEEDS_DOCUMENT_KEY)) ?? "{}");
    const writer = start("one", LONG_TTL_MS, { store: full });
    await writer.ready;
    nowMs += 5_000;
    await until(async () => (await reported()).atMs === nowMs);
    expect((await reported()).refusesWrites).toBe(false);
    isFull = true;
    nowMs += 5_000;
    await until(async () => (await reported()).atMs === nowMs);
    const { refusesWrites, feeds } = await reported();
    expect(refusesWrites).toBe(true);
    expect(feeds.simulated?.lastSuccessAtMs).toBeGreaterThan(nowMs - 2_000);
    isFull = false;
    await writer.close();
  }, 180_000);
});

/** Currency rates of a running writer: what it starts with, what it publishes, and what it compares readings with. */
import { DAY_MS, DEFAULT_CATALOG } from "@assay/contract";
import { readFxTables, readSettlementDays, type Store, writeMoment } from "@assay/db";
import { emptyTables, testEngines } from "@assay/db/testing";
import { type Feed, FeedError } from "@assay/feeds";
import { type Live, type MarketEvent, openMemoryLive } from "@assay/live";
import { machineTime, withClock } from "@assay/ports";
import { seededRandom } from "@assay/ports/virtual";
import type { FxObservation } from "@assay/pricing";
import { silentProgress } from "@assay/process";
import { makeSettlement } from "@assay/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { inProcess } from "../testing/in-process.ts";
import { Writer } from "../writer.ts";

const FRIDAY_MS = Date.parse("2026-11-20T12:00:30Z");

let store: Store;
let live: Live;
let nowMs: number;
let events: MarketEvent[];
const refusals = vi.fn();

const feed = (key: string, answers: Pick<Feed, "fetch"> & Partial<Pick<Feed, "backfill">>): Feed => {
  const timing = { intervalMs: 60_000, freshForMs: 180_000 };
  const who = { key, displayName: key, license: "official-open", publisher: key, origin: key, url: "", terms: "" };
  const info: Feed["info"] = { ...who, ...timing, role: "primary", required: true, moves: false };
  return { info, kind: "fx", sources: [info], baseUrl: "http://127.0.0.1:9", ...answers };
};
const bank = (answers: Pick<Feed, "fetch"> & Partial<Pick<Feed, "backfill">>): Feed => feed("ecb", answers);
const table = (source: string, more: Partial<FxObservation>): FxObservation => ({
  kind: "fx",
  source,
  role: "live",
  base: "USD",
  rates: {},
  observedAtMs: nowMs,
  freshForMs: 180_000,
  ...more,
});
const reference = (ageDays: number, usd: string): FxObservation => {
  const midnightMs = FRIDAY_MS - (FRIDAY_MS % DAY_MS) - ageDays * DAY_MS;
  return table("ecb", { role: "reference", base: "EUR", rates: { USD: usd }, observedAtMs: midnightMs, freshForMs: 5 * DAY_MS });
};
const silent = (): Promise<never> => Promise.reject(new FeedError("status", "503"));

const start = (feeds: readonly Feed[]): Writer =>
  Writer.start({
    store,
    live,
    clock: withClock(machineTime, () => nowMs),
    replay: null,
    simulated: null,
    marketHours: true,
    archives: null,
    log: { info: () => undefined, warn: () => undefined, fault: () => undefined, feed: refusals, archives: () => undefined },
    polled: feeds.map((each) => ({ feed: each, baseUrl: each.baseUrl })),
    progress: silentProgress,
    threads: inProcess,
    random: seededRandom(1),
    webhooks: { post: async () => null, catalog: DEFAULT_CATALOG },
    onStuck: () => undefined,
    holder: "one",
    leaseTtlMs: 600_000,
  });

/** The tables of rates that were published, oldest first. */
const published = (): FxObservation[] => events.flatMap((event) => (event.kind === "moment" ? event.fx : []));
const until = (holds: () => boolean | Promise<boolean>): Promise<void> =>
  vi.waitFor(async () => expect(await holds()).toBe(true), { timeout: 30_000, interval: 25 });

describe.each(testEngines)("a writer on $name", (engine) => {
  beforeAll(async () => {
    store = await engine.open();
  }, 120_000);
  beforeEach(async () => {
    nowMs = FRIDAY_MS;
    events = [];
    refusals.mockClear();
    await emptyTables(store);
    live = openMemoryLive({ clock: () => nowMs });
    await live.bus.subscribe((event) => void events.push(event));
  });
  afterEach(() => live.close());
  afterAll(() => store.close());

  it("publishes the newest reference rates of a history it fills in, even if the daily file is unavailable", async () => {
    const history = Array.from({ length: 50 }, (_, back) => reference(50 - back, "1.16"));
    const writer = start([bank({ fetch: silent, backfill: async () => history })]);
    await until(() => published().some(({ observedAtMs }) => observedAtMs === history.at(-1)?.observedAtMs));
    await until(async () => (await readFxTables(store, 0)).length === history.length);
    await writer.close();
    expect(published().map(({ observedAtMs }) => observedAtMs)).toEqual(
      history.slice(-6).map(({ observedAtMs }) => observedAtMs),
    );
  }, 60_000);

  it("checks the first inverted rate after a start against the stored reference, and refuses it", async () => {
    const first = start([bank({ fetch: async () => [reference(1, "1.16")] })]);
    await until(() => published().length === 1);
    await first.close();
    const inverted = feed("fx-feed", { fetch: async () => [table("fx-feed", { rates: { EUR: "1.16", JPY: "155" } })] });
    const second = start([inverted, bank({ fetch: silent })]);
    await until(() => published().length === 3);
    await second.close();
    expect(published()[1], "for readers that missed it").toEqual(published()[0]);
    expect(published().at(-1)?.rates).toEqual({ JPY: "155" });
    expect(refusals).toHaveBeenCalledWith(expect.objectContaining({ kind: "refused", feed: "fx-feed", rule: "off_reference" }));
  }, 60_000);

  it("fills the gap left by a history that was cut off in the middle", async () => {
    const history = Array.from({ length: 1_100 }, (_, back) => reference(1_100 - back, "1.16"));
    const backfilledFromMs: number[] = [];
    const first = start([bank({ fetch: async () => [reference(0, "1.16")], backfill: async () => history.slice(0, 1_050) })]);
    await until(async () => (await readFxTables(store, 0)).length === 1_051);
    await first.close();
    const whole = bank({
      fetch: silent,
      backfill: async (_, { fromMs }) => {
        backfilledFromMs.push(fromMs);
        return history.filter(({ observedAtMs }) => observedAtMs >= fromMs);
      },
    });
    const second = start([whole]);
    await until(async () => (await readFxTables(store, 0)).length === 1_101);
    await second.close();
    expect(backfilledFromMs).toEqual([(history[1_049]?.observedAtMs ?? 0) - 11 * DAY_MS]);
  }, 60_000);

  it("deletes what is stored for the exchange's holidays before it leads", async () => {
    const labourDay = makeSettlement({ settlementDate: "2026-09-07" });
    const before = { token: 1, holder: "before" };
    await writeMoment(store, before, { ticks: [], bars: [], fx: [], settlements: [labourDay, makeSettlement()] });
    const writer = start([]);
    await writer.ready;
    await writer.close();
    expect(await readSettlementDays(store)).toEqual(["2026-11-19"]);
  }, 60_000);
});

/** A running writer records its sources: readings of feeds and of clocked sources, and what is written of them. */
import { DEFAULT_CATALOG, SECOND_MS } from "@assay/contract";
import { readSourceRecords, type Store } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import type { Feed } from "@assay/feeds";
import { type Live, type MarketEvent, openMemoryLive } from "@assay/live";
import { machineTime, withClock } from "@assay/ports";
import { seededRandom } from "@assay/ports/virtual";
import { type ClockedSource, noCounts, type SourceRecord, type SpotObservation } from "@assay/pricing";
import { silentProgress } from "@assay/process";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { BarKeeper } from "../bars/bar-keeper.ts";
import { EventQueue } from "../moments/event-queue.ts";
import { MomentWriter } from "../moments/moment-writer.ts";
import { inProcess } from "../testing/in-process.ts";
import { gold, source } from "../testing/readings.ts";
import { Writer } from "../writer.ts";

const FRIDAY_MS = Date.parse("2026-11-20T12:00:30Z");
const log = { info: () => undefined, warn: () => undefined, fault: vi.fn(), feed: () => undefined, archives: () => undefined };

let store: Store;
let live: Live;
let nowMs = FRIDAY_MS;
beforeAll(async () => {
  store = await openEmbeddedStore();
  live = openMemoryLive({ clock: () => nowMs });
}, 60_000);
afterAll(async () => {
  await live.close();
  await store.close();
});

const polled = (fetch: Feed["fetch"]): { feed: Feed; baseUrl: string } => {
  const info: Feed["info"] = {
    ...source("polled"),
    publisher: "polled",
    origin: "polled",
    url: "",
    terms: "",
    required: false,
    moves: true,
    instruments: ["XAU-USD-SPOT", "XAG-USD-SPOT"],
  };
  const baseUrl = "http://127.0.0.1:9";
  return { feed: { info, kind: "spot", sources: [info], baseUrl, fetch }, baseUrl };
};

const clocked = (observations: readonly SpotObservation[]): ClockedSource => ({
  simulated: false,
  sources: new Map(["one", "two"].map((key) => [key, { ...source(key), required: false }])),
  *due(fromMs, toMs) {
    const atMs = FRIDAY_MS + SECOND_MS;
    if (fromMs < atMs && atMs <= toMs) yield { atMs, observations };
  },
  lastSpokeMs: () => null,
});

const until = (holds: () => boolean | Promise<boolean>): Promise<void> =>
  vi.waitFor(async () => expect(await holds()).toBe(true), { timeout: 30_000, interval: 25 });

describe("a writer", () => {
  it("lists its sources from the first second on, and counts what they deliver", async () => {
    const readings = [gold("polled", "4001.00", FRIDAY_MS), gold("polled", "-1", FRIDAY_MS)];
    const writer = Writer.start({
      store,
      live,
      clock: withClock(machineTime, () => nowMs),
      log,
      simulated: null,
      marketHours: true,
      archives: null,
      polled: [polled(async () => readings)],
      replay: clocked([
        gold("one", "4000.00", FRIDAY_MS + SECOND_MS),
        gold("two", "4002.00", FRIDAY_MS + SECOND_MS),
        gold("two", "-1", FRIDAY_MS + 2 * SECOND_MS),
      ]),
      progress: silentProgress,
      threads: inProcess,
      random: seededRandom(1),
      webhooks: { post: async () => null, catalog: DEFAULT_CATALOG },
      onStuck: () => undefined,
      holder: "one",
      leaseTtlMs: 600_000,
    });
    await writer.ready;
    nowMs += 2 * SECOND_MS;
    const stored = async () => (await readSourceRecords(store, { span: "day", fromMs: 0 })).map((each) => each.source);
    await until(async () => new Set(await stored()).size === 3);
    const days = await readSourceRecords(store, { span: "day", fromMs: 0 });
    expect(days.map(({ source: key, instrument }) => `${key} ${instrument}`)).toEqual([
      "one XAU-USD-SPOT",
      "polled XAG-USD-SPOT",
      "polled XAU-USD-SPOT",
      "two XAU-USD-SPOT",
    ]);
    expect(days.map(({ document }) => document.counts.received)).toEqual([0, 0, 0, 0]);
    const figure = (key: string, result: string) =>
      writer
        .readings()
        .find(
          ({ name, labels }) =>
            name === "assay_source_readings_total" &&
            labels?.source === key &&
            labels.instrument === "XAU-USD-SPOT" &&
            labels.result === result,
        )?.value;
    await until(() => figure("two", "refused") !== undefined && figure("polled", "refused") === 1);
    expect(["one", "polled", "two"].map((key) => [figure(key, "accepted"), figure(key, "refused")])).toEqual([
      [1, 0],
      [1, 1],
      [1, 1],
    ]);
    await writer.close();
    expect(log.fault).not.toHaveBeenCalled();
  }, 60_000);
});

describe("records of sources", () => {
  const record = (startsAtMs: number, received: number): SourceRecord => ({
    source: "a",
    instrument: "XAU-USD-SPOT",
    span: "quarter",
    startsAtMs,
    document: {
      info: { displayName: "A", origin: "a", license: "attribution", cadenceMs: 10_000 },
      counts: { ...noCounts(startsAtMs), received },
    },
  });

  it("are written with the next moment, the newest of a span alone, and not published", async () => {
    const events: MarketEvent[] = [];
    await live.bus.subscribe((event) => void events.push(event));
    const writer = { token: 1_000, holder: "one", expiresAtMs: Number.POSITIVE_INFINITY };
    const clock = () => nowMs;
    const moments = new MomentWriter({
      store,
      writer,
      eventQueue: new EventQueue(live.bus, log),
      bars: new BarKeeper("composed"),
      clock,
    });
    moments.record([record(FRIDAY_MS, 1), record(FRIDAY_MS, 2)]);
    expect(moments.size).toBe(1);
    await moments.write(nowMs);
    expect(await readSourceRecords(store, { span: "quarter", fromMs: 0 })).toEqual([record(FRIDAY_MS, 2)]);
    expect(moments.size).toBe(0);
    expect(JSON.stringify(events)).not.toContain("attribution");
  });
});

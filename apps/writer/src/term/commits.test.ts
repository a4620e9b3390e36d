/** How often what was composed is committed: once an interval, and the rest when the term ends. */
import { DEFAULT_CATALOG, MINUTE_MS, SECOND_MS } from "@assay/contract";
import { readNewestTicks, readTicksSince } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import { FEEDS_DOCUMENT_KEY, type FeedsDocument, openMemoryLive } from "@assay/live";
import { machineTime, withClock } from "@assay/ports";
import { seededRandom } from "@assay/ports/virtual";
import type { ClockedSource } from "@assay/pricing";
import { silentProgress } from "@assay/process";
import { expect, it, onTestFinished, vi } from "vitest";
import { inProcess } from "../testing/in-process.ts";
import { gold, source } from "../testing/readings.ts";
import { Writer } from "../writer.ts";

const SYMBOL = "XAU-USD-SPOT";
const START_MS = Date.parse("2026-11-20T11:55:00Z");
const EVERY_MS = 10 * SECOND_MS;

const market: ClockedSource = {
  simulated: false,
  sources: new Map([["a", { ...source("a"), required: true, instruments: [SYMBOL] }]]),
  *due(fromMs, toMs) {
    for (let atMs = START_MS; atMs <= toMs; atMs += EVERY_MS)
      if (atMs > fromMs) yield { atMs, observations: [gold("a", (4_000 + (atMs - START_MS) / 1e6).toFixed(2), atMs)] };
  },
  lastSpokeMs: (_, nowMs) => nowMs,
};

it("commits what an interval composed at once, reports on feeds meanwhile, and the rest at the end", async () => {
  let nowMs = START_MS;
  const clock = withClock(machineTime, () => nowMs);
  const store = await openEmbeddedStore();
  const live = openMemoryLive({ clock });
  onTestFinished(async () => {
    await live.close();
    await store.close();
  });
  const fault = vi.fn();
  const writer = Writer.start({
    ...{ store, live, clock, replay: market, simulated: null, polled: [], marketHours: false, archives: null },
    log: { info: () => undefined, warn: () => undefined, feed: () => undefined, archives: () => undefined, fault },
    onStuck: () => undefined,
    progress: silentProgress,
    threads: inProcess,
    random: seededRandom(1),
    webhooks: { post: async () => null, catalog: DEFAULT_CATALOG },
    holder: "one",
    leaseTtlMs: 60 * MINUTE_MS,
    commitEveryMs: MINUTE_MS,
  });
  await writer.ready;
  const reportedMs = async (): Promise<number> => {
    const text = await live.latest.get(FEEDS_DOCUMENT_KEY);
    return text === null ? 0 : (JSON.parse(text) as FeedsDocument).atMs; // the writer wrote it
  };
  const handle = async (atMs: number): Promise<void> => {
    nowMs = atMs;
    await vi.waitFor(async () => expect(await reportedMs()).toBe(atMs), { timeout: 30_000, interval: 25 });
  };
  const newestMs = async () => (await readNewestTicks(store))[0]?.computedAtMs;

  await handle(START_MS + 1);
  for (const seconds of [10, 20, 50]) await handle(START_MS + seconds * SECOND_MS);
  const committedMs = await newestMs();
  expect(committedMs ?? START_MS).toBe(START_MS);
  await handle(START_MS + MINUTE_MS);
  expect(await newestMs()).toBe(START_MS + MINUTE_MS);
  const committed = await readTicksSince(store, START_MS);
  expect(committed.filter(({ instrument }) => instrument === SYMBOL)).toHaveLength(committedMs === undefined ? 6 : 7);
  await handle(START_MS + 70 * SECOND_MS);
  expect(await newestMs()).toBe(START_MS + MINUTE_MS);
  await writer.close();
  expect(await newestMs()).toBe(START_MS + 70 * SECOND_MS);
  expect(fault).not.toHaveBeenCalled();
});

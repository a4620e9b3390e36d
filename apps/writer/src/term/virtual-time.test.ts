/** Writers as objects of one process in time that only the test moves: every run of one seed is the same. */
import { DEFAULT_CATALOG, SECOND_MS } from "@assay/contract";
import { readTicksSince, type Store } from "@assay/db";
import { emptyTables, openEmbeddedStore } from "@assay/db/testing";
import { openMemoryLive } from "@assay/live";
import { seededRandom, virtualTime } from "@assay/ports/virtual";
import type { ClockedSource } from "@assay/pricing";
import { silentProgress } from "@assay/process";
import { expect, test } from "vitest";
import { inProcess } from "../testing/in-process.ts";
import { gold, source } from "../testing/readings.ts";
import { Writer } from "../writer.ts";

const START_MS = Date.parse("2026-11-20T12:00:00Z");
const TTL_MS = 4 * SECOND_MS;
/** How long each writer leads. */
const LED_MS = 10 * SECOND_MS;

/** A price every second. */
const market: ClockedSource = {
  simulated: false,
  sources: new Map([["a", { ...source("a"), required: true, instruments: ["XAU-USD-SPOT"] }]]),
  *due(fromMs, toMs) {
    for (let atMs = START_MS; atMs <= toMs; atMs += SECOND_MS)
      if (atMs > fromMs) yield { atMs, observations: [gold("a", (4_390 + ((atMs / 100) % 23) / 4).toFixed(2), atMs)] };
  },
  lastSpokeMs: (_, nowMs) => nowMs,
};

/** Two writers, of which the one that leads is stopped. @returns what was published and logged, and when, and the ticks stored */
const trace = async (store: Store): Promise<{ readonly seen: readonly string[]; readonly stored: readonly number[] }> => {
  let asked = 0;
  const counted: Store = {
    ...store,
    run: (...question) => {
      asked += 1;
      return store.run(...question).finally(() => {
        asked -= 1;
      });
    },
  };
  const clock = virtualTime(START_MS, () => asked > 0);
  const live = openMemoryLive({ clock });
  const seen: string[] = [];
  const note = (line: string): void => void seen.push(`${clock() - START_MS} ${line}`);
  await live.bus.subscribe((event) => {
    if (event.kind === "moment")
      for (const { seq, price } of event.ticks) seen.push(`tick ${event.token} ${seq} ${price} ${clock() - START_MS}`);
  });
  const random = seededRandom(7);
  const start = (holder: string): Writer =>
    Writer.start({
      store: counted,
      live,
      clock,
      random,
      log: { info: note, warn: note, fault: (error) => note(`fault ${error}`), feed: () => undefined },
      polled: [],
      replay: market,
      simulated: null,
      marketHours: false,
      archives: null,
      progress: silentProgress,
      threads: inProcess,
      webhooks: { post: async () => null, catalog: DEFAULT_CATALOG },
      onStuck: (error) => note(`stuck ${error}`),
      holder,
      leaseTtlMs: TTL_MS,
    });
  const first = start("first");
  await clock.advance(SECOND_MS);
  const second = start("second");
  await clock.advance(LED_MS);
  await Promise.all([first.close(), clock.advance(LED_MS)]);
  await Promise.all([second.close(), clock.advance(SECOND_MS)]);
  const stored = (await readTicksSince(store, START_MS)).map(({ seq }) => seq);
  await live.close();
  return { seen, stored };
};

test("one writer after the other publishes every second in no time, and a second run is the same", async () => {
  const store = await openEmbeddedStore();
  const first = await trace(store);
  await emptyTables(store);
  expect(await trace(store)).toEqual(first);
  await store.close();
  const seqs = Array.from({ length: 1 + (SECOND_MS + 2 * LED_MS) / SECOND_MS }, (_, index) => index + 1);
  expect(first.stored).toEqual(seqs);
  const ticks = first.seen.filter((line) => line.startsWith("tick "));
  expect(ticks.map((line) => Number(line.split(" ")[2]))).toEqual(seqs);
  expect(new Set(ticks.map((line) => line.split(" ")[1]))).toEqual(new Set(["1", "2"]));
  expect(first.seen.filter((line) => /fault|stuck/.test(line))).toEqual([]);
});

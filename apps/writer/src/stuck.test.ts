/** A term that cannot end is reported to its process once, which exits. */
import { DEFAULT_CATALOG } from "@assay/contract";
import type { Store } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import { openMemoryLive } from "@assay/live";
import { machineTime, withClock } from "@assay/ports";
import { seededRandom } from "@assay/ports/virtual";
import { silentProgress } from "@assay/process";
import { expect, test, vi } from "vitest";
import { inProcess } from "./testing/in-process.ts";
import { Writer } from "./writer.ts";

test("a writer whose term does not end says so in time, and is not stopped by it for good", async () => {
  let nowMs = Date.UTC(2026, 10, 20, 12);
  const real = await openEmbeddedStore();
  let hold: Promise<void> | null = null;
  let held = 0;
  const store: Store = {
    ...real,
    run: async (...asked) => {
      if (hold) held += 1;
      await hold;
      return real.run(...asked);
    },
  };
  const live = openMemoryLive({ clock: () => nowMs });
  const onStuck = vi.fn();
  const writer = Writer.start({
    store,
    live,
    clock: withClock(machineTime, () => nowMs),
    replay: null,
    simulated: null,
    marketHours: true,
    archives: null,
    log: {
      info: () => undefined,
      warn: () => undefined,
      fault: () => undefined,
      feed: () => undefined,
      archives: () => undefined,
    },
    polled: [],
    progress: silentProgress,
    threads: inProcess,
    random: seededRandom(1),
    webhooks: { post: async () => null, catalog: DEFAULT_CATALOG },
    holder: "one",
    leaseTtlMs: 600_000,
    onStuck,
    haltWithinMs: 20,
  });
  await writer.ready;
  let release: () => void = () => undefined;
  hold = new Promise((resolve) => {
    release = resolve;
  });
  // The next moment waits for the database.
  nowMs += 5_000;
  await vi.waitFor(() => expect(held).toBe(1), 30_000);
  const closed = writer.close();
  await vi.waitFor(() => expect(onStuck).toHaveBeenCalledTimes(1), 30_000);
  release();
  await closed;
  expect(onStuck.mock.calls).toEqual([[new Error("the term did not end within 20 ms")]]);
  await live.close();
  await real.close();
}, 60_000);

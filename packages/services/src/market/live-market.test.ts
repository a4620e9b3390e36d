/** A view that follows the bus, over a real store: nothing that happens while it reads, or that it missed, is lost. */
import { setImmediate } from "node:timers/promises";
import { type Store, writeMoment } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import { type BusPort, type MarketEvent, type SubscribeOptions, silentLog } from "@assay/live";
import { fakeClock } from "@assay/ports/virtual";
import type { Tick } from "@assay/pricing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { goldTick } from "../testing/rows.ts";
import { openMarket } from "./live-market.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 14);
const GOLD = "XAU-USD-SPOT";
const tick = (seq: number): Tick => goldTick(seq, NOW_MS - 1_000 + seq);
const moment = (seq: number) => ({ kind: "moment", token: 1, atMs: NOW_MS, ticks: [tick(seq)], bars: [], fx: [] }) as const;

/** A bus that delivers to its one subscriber at once. */
class Wire implements BusPort {
  subscriber: { readonly handler: (event: MarketEvent) => void; readonly options: SubscribeOptions } | null = null;
  async publish(event: MarketEvent): Promise<void> {
    this.subscriber?.handler(event);
  }
  async subscribe(handler: (event: MarketEvent) => void, options: SubscribeOptions = {}): Promise<() => Promise<void>> {
    this.subscriber = { handler, options };
    return async () => {
      this.subscriber = null;
    };
  }
}

let store: Store;
let bus: Wire;
beforeEach(async () => {
  store = await openEmbeddedStore();
  bus = new Wire();
});
afterEach(() => store.close());

const keep = (seq: number) => writeMoment(store, { token: 1, holder: "writer" }, moment(seq));
const open = () => openMarket({ store, live: { bus }, clock: fakeClock(NOW_MS), log: silentLog, marketHours: true });

test("what is published while it is read is applied after it", async () => {
  await keep(1);
  const opening = open();
  await setImmediate();
  await bus.publish(moment(2));
  const { market, close } = await opening;
  expect(market.tickAt(GOLD, NOW_MS)?.seq).toBe(2);
  await bus.publish(moment(3));
  expect(market.tickAt(GOLD, NOW_MS)?.seq).toBe(3);
  await close();
  expect(bus.subscriber).toBeNull();
});

test("what the bus missed is read again", async () => {
  const { market, close } = await open();
  await keep(4);
  bus.subscriber?.options.onGap?.({ reason: "missed" });
  await expect.poll(() => market.tickAt(GOLD, NOW_MS)?.seq).toBe(4);
  await close();
});

test("a store that does not respond is an error, and leaves no subscription behind", async () => {
  await store.close();
  await expect(open()).rejects.toThrow();
  expect(bus.subscriber).toBeNull();
  store = await openEmbeddedStore();
});

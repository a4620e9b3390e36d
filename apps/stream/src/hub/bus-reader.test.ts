/** The reader of a bus that repeats, loses and stops, and a store that does not answer. */
import type { Store } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import { type BusPort, type Live, type MarketEvent, openMemoryLive, type SubscribeOptions } from "@assay/live";
import type { Tick } from "@assay/pricing";
import {
  type BreakableStore,
  breakableStore,
  FRIDAY_MS,
  fakeClock,
  makeDealerTick,
  makeTick,
  publishDealers,
  publishMoment,
} from "@assay/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BusReader } from "./bus-reader.ts";
import { WS } from "./codec.ts";
import type { Group, Member } from "./group.ts";
import { Hub } from "./hub.ts";

/** A bus that treats its subscriber as the test says. */
class Wire implements BusPort {
  #subscriber: { handler: (event: MarketEvent) => void; options: SubscribeOptions } | null = null;
  async publish(event: MarketEvent): Promise<void> {
    this.#subscriber?.handler(event);
  }
  async subscribe(handler: (event: MarketEvent) => void, options: SubscribeOptions = {}): Promise<() => Promise<void>> {
    this.#subscriber = { handler, options };
    return async () => {
      this.#subscriber = null;
    };
  }
  gap(): void {
    this.#subscriber?.options.onGap?.({ reason: "missed" });
  }
}

const clock = fakeClock(FRIDAY_MS);
let opened: Store;
let store: BreakableStore;
let live: Live;
let bus: Wire;
let hub: Hub;
let reader: BusReader;
let received: string[];
let warnings: string[];

/** What a client that follows gold receives. */
const listener = (): Member => {
  let text = "";
  return {
    flushed: 0,
    group: null as Group | null,
    pending: null,
    ahead: null,
    isIdle: () => true,
    onBlocked: () => undefined,
    write: (bytes) => {
      text += bytes.toString("latin1");
      for (const [frame] of text.matchAll(/\{.*?\}/g)) {
        const { type, seq, from_seq, to_seq, reason } = JSON.parse(frame);
        received.push(type === "tick" ? String(seq) : `${from_seq}-${to_seq} ${reason}`);
      }
      text = "";
    },
  };
};

const at = (seq: number): Tick => makeTick(seq, { computedAtMs: FRIDAY_MS + seq * 1_000 });
const moment = (...seqs: number[]): MarketEvent => ({
  kind: "moment",
  token: 1,
  atMs: clock(),
  ticks: seqs.map(at),
  bars: [],
  fx: [],
});
const tell = (...seqs: number[]) => bus.publish(moment(...seqs));
const keep = (...seqs: number[]) => publishMoment(opened, live, { ticks: seqs.map(at) }, clock());
/** Stores ticks without publishing them, and sets the clock to the newest. */
const storeOnly = async (...seqs: number[]) => {
  const silent = { ...live, bus: new Wire() };
  await publishMoment(opened, silent, { ticks: seqs.map(at) }, clock());
  clock.set(FRIDAY_MS + Math.max(...seqs) * 1_000);
};
const open = async () => {
  hub = new Hub(300_000, clock.turn);
  reader = await BusReader.open({
    store,
    live: { ...live, bus },
    hub,
    ringMs: 300_000,
    clock,
    log: { warn: (_fields, message) => warnings.push(message) },
    onKeyChanged: (hash) => received.push(hash),
    onMissed: () => undefined,
  });
  hub.follow(listener(), WS, new Set(["XAU-USD-SPOT"]));
};

beforeEach(async () => {
  clock.set(FRIDAY_MS);
  opened = await openTestStore();
  store = breakableStore(opened);
  live = openMemoryLive({ clock });
  bus = new Wire();
  received = [];
  warnings = [];
});
afterEach(async () => {
  await reader.close();
  await live.close();
  await opened.close();
});

describe("the feed", () => {
  test("fills the rings from the store before it serves, and passes on what the bus published meanwhile once", async () => {
    await storeOnly(1, 2, 3);
    const reading = open();
    await tell(3, 4);
    await reading;
    expect(
      hub
        .topic("XAU-USD-SPOT")
        .since(0, clock())
        .entries.map(({ seq }) => seq),
    ).toEqual([1, 2, 3, 4]);
    expect(reader.recoveries).toBe(0);
  });

  test("reports numbers that do not exist anywhere", async () => {
    await storeOnly(1);
    await open();
    await tell(5);
    await expect.poll(() => received).toEqual(["2-4 missed", "5"]);
    await tell(6);
    await expect.poll(() => received).toEqual(["2-4 missed", "5", "6"]);
  });

  test("delivers what came while the bus was silent even when nothing comes after it", async () => {
    await storeOnly(1);
    await open();
    await storeOnly(2, 3);
    bus.gap();
    await expect.poll(() => received).toEqual(["2", "3"]);
  });

  test("holds fresh ticks for a store that is down for three seconds, no longer, and reports what is missing", async () => {
    await storeOnly(1);
    await open();
    store.break();
    bus.gap();
    await tell(5);
    await expect.poll(() => received).toEqual(["2-4 missed", "5"]);
    expect(warnings).toEqual(["failed to read missed ticks from the database; retrying"]);
    store.recover();
    await storeOnly(6);
    await expect.poll(() => received, { timeout: 3_000 }).toEqual(["2-4 missed", "5", "6"]);
  });

  test("handles a key's end at once, whatever else has to wait", async () => {
    await storeOnly(1);
    await open();
    store.break();
    bus.gap();
    await bus.publish({ kind: "key-changed", keyHash: "the-key", revokedAtMs: 1 });
    expect(received).toEqual(["the-key"]);
    store.recover();
  });

  test("continues with a restarted numbering, as after a store was restored, and says so", async () => {
    await storeOnly(90, 91);
    await open();
    const restored = makeTick(3, { computedAtMs: clock() + 120_000 });
    await bus.publish({ kind: "moment", token: 1, atMs: clock(), ticks: [restored], bars: [], fx: [] });
    await expect.poll(() => received).toEqual(["3-91 reset", "3"]);
  });

  test("reads dealers' changes that were stored and never published from the store, as soon as a number skips them", async () => {
    await publishDealers(opened, { ...live, bus: new Wire() }, [makeDealerTick(1), makeDealerTick(2)], clock());
    await open();
    const topic = hub.topic("physical:AE");
    expect(topic.since(0, clock()).entries.map(({ seq }) => seq)).toEqual([1, 2]);
    await publishDealers(
      opened,
      { ...live, bus: new Wire() },
      [3, 4].map((seq) => makeDealerTick(seq)),
      clock(),
    );
    await publishDealers(opened, { ...live, bus }, [makeDealerTick(5, { observedAtMs: FRIDAY_MS - 3_600_000 })], clock());
    await expect.poll(() => topic.since(2, clock()).entries.map(({ seq }) => seq)).toEqual([3, 4, 5]);
    expect(topic.since(2, clock()).gap).toBeNull();
    expect(reader.recoveries).toBe(1);
  });

  test("does not open over a store that is down", async () => {
    store.break();
    await expect(open()).rejects.toThrow("does not answer");
    store.recover();
    await keep(1);
    await open();
    expect(hub.topic("XAU-USD-SPOT").newest?.seq).toBe(1);
  });
});

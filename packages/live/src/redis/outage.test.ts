/** The Redis engines while Redis is cut off, stalled, or has lost its data. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Log, silentLog } from "../log.ts";
import type { BusGap, Live, MarketEvent } from "../ports.ts";
import { oneWindow, settled } from "../suite/engine.ts";
import { deleteKeys, hearCommands, randomPrefix, TEST_REDIS_URL } from "../testing/index.ts";
import { openWire, type Wire } from "../testing/wire.ts";
import { openRedisLive } from "./open.ts";

const DAY = "2026-11-20";
const KEY = { keyId: "key", orgId: "org" };
const TWO = { perKey: 2, perOrg: 4 };
const MINUTE_MS = 60_000;
const SOON = { timeout: 10_000, interval: 20 };
const patience = { commandMs: 400, connectMs: 1_000, silenceMs: 1_000, pingMs: 200, backoffMs: 100 };
const replaced = (symbol: string): MarketEvent => ({ kind: "bars-replaced", symbol });

if (!TEST_REDIS_URL) process.stdout.write("redis outages: skipped, because TEST_REDIS_URL is not set\n");

describe.skipIf(!TEST_REDIS_URL)("redis engines in an outage", { meta: { needs: "TEST_REDIS_URL is not set" } }, () => {
  const redisUrl = TEST_REDIS_URL ?? "";
  let prefix: string;
  let wire: Wire;
  /** Through the proxy that is cut. */
  let far: Live;
  /** Directly on the server. */
  let near: Live;
  let logged: string[];

  const log: Log = {
    ...silentLog,
    info: (_fields, message) => logged.push(message),
    warn: (_fields, message) => logged.push(message),
    error: (_fields, message) => logged.push(message),
  };
  const open = (url: string, more: object = {}) =>
    openRedisLive({ url, prefix, clock: () => 1_000_000, logger: log, patience, ...more });
  const answers = () => vi.waitFor(() => far.latest.ping(), SOON);

  beforeEach(async () => {
    prefix = randomPrefix();
    logged = [];
    wire = await openWire(redisUrl, 6_379);
    far = await open(wire.url);
    near = await openRedisLive({ url: redisUrl, prefix, clock: () => 1_000_000 });
  });
  afterEach(async () => {
    await Promise.all([far.close(), near.close()]);
    await wire.close();
    await deleteKeys(redisUrl, prefix);
  });

  test("places of a silent process count until it has been quiet for three seconds, and are reported as quiet", async () => {
    expect((await far.places.take(KEY, TWO)).place).not.toBeNull();
    expect((await far.places.take(KEY, TWO)).place).not.toBeNull();
    await wire.cut();
    // It may have been heard in this very millisecond.
    await vi.waitFor(async () => {
      const refused = await near.places.take(KEY, TWO);
      expect(refused).toMatchObject({ place: null, open: 2 });
      expect(refused.silenceMs).toBeGreaterThan(0);
    });
    await vi.waitFor(async () => expect((await near.places.take(KEY, TWO)).place).not.toBeNull(), SOON);
    expect(await near.places.count(KEY)).toBe(1);
  });

  test("a process that is cut off counts its own streams, and is counted again when it is back", async () => {
    expect((await far.places.take(KEY, TWO)).place).not.toBeNull();
    await wire.cut();
    await vi.waitFor(() => expect(logged).toContain("redis is unavailable; retrying"), SOON);
    expect(await far.places.take(KEY, TWO)).toMatchObject({ open: 2 });
    expect(await far.places.take(KEY, TWO)).toMatchObject({ place: null, open: 2 });
    await vi.waitFor(async () => expect(await near.places.count(KEY)).toBe(0), SOON);
    await wire.recover();
    await vi.waitFor(async () => expect(await near.places.count(KEY)).toBe(2), SOON);
    expect(await near.places.take(KEY, TWO)).toMatchObject({ place: null, open: 2 });
  });

  test("places are counted again when redis has lost its data, and a clean end frees them at once", async () => {
    expect((await far.places.take(KEY, TWO)).place).not.toBeNull();
    await deleteKeys(redisUrl, prefix);
    expect(await near.places.count(KEY)).toBe(0);
    await vi.waitFor(async () => expect(await near.places.count(KEY)).toBe(1), SOON);
    await far.close();
    expect(await near.places.count(KEY)).toBe(0);
  });

  test("commands fail at once while the connection is cut, and work again after it is back", async () => {
    await wire.cut();
    await vi.waitFor(() => expect(logged).toContain("redis is unavailable; retrying"), SOON);
    const before = performance.now();
    for (let at = 0; at < 200; at++) await expect(far.latest.ping()).rejects.toThrow("Redis is unavailable");
    expect(performance.now() - before).toBeLessThan(patience.commandMs * 20);
    await expect(far.lease.acquire("a", MINUTE_MS, 0)).rejects.toThrow("Redis is unavailable");
    await expect(far.bus.publish(replaced("GC"))).rejects.toThrow("Redis is unavailable");
    await wire.recover();
    await answers();
    expect(await far.lease.acquire("a", MINUTE_MS, 0)).toMatchObject({ token: 1 });
  });

  test("an outage is logged once, and its end", async () => {
    await wire.cut();
    await expect(far.latest.ping()).rejects.toThrow();
    await vi.waitFor(() => expect(logged.length).toBeGreaterThan(0), SOON);
    for (let at = 0; at < 20; at++) await far.latest.ping().catch(() => {});
    await wire.recover();
    await answers();
    expect(logged).toEqual(["redis is unavailable; retrying", "redis is available again"]);
  });

  test("one command waits for a stalled server, the next fail at once, and an answer ends it", async () => {
    wire.stall();
    await expect(far.latest.ping()).rejects.toThrow("does not answer");
    await expect(far.latest.ping()).rejects.toThrow("Redis is unavailable");
    await wire.recover();
    await answers();
  });

  test("a server stalled for long gets a new connection", async () => {
    wire.stall();
    await expect(far.latest.ping()).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, patience.silenceMs * 2)); // silence is what is being tested
    await wire.recover();
    await answers();
  });

  test("opens without a server within the connect timeout, and works once it is there", async () => {
    await wire.cut();
    const late = await open(wire.url);
    await expect(late.latest.ping()).rejects.toThrow();
    expect(await oneWindow(late).consume("a", 1, MINUTE_MS)).toMatchObject({ allowed: true });
    await wire.recover();
    await vi.waitFor(() => late.latest.ping(), SOON);
    await late.close();
  });

  test("closes while the server is away", async () => {
    await wire.cut();
    const late = await open(wire.url);
    await late.bus.subscribe(() => {});
    await expect(late.close()).resolves.toBeUndefined();
  });

  test("limits continue in the process and do not refuse because of the outage", async () => {
    await oneWindow(near).consume("a", 2, MINUTE_MS);
    await wire.cut();
    const readings = [];
    for (let at = 0; at < 3; at++) readings.push((await oneWindow(far).consume("a", 2, MINUTE_MS)).allowed);
    expect(readings).toEqual([true, true, false]);
    expect(await oneWindow(far).peek("a", 2, MINUTE_MS)).toMatchObject({ allowed: false, remaining: 0 });
    await wire.recover();
    await answers();
    expect(await oneWindow(far).consume("a", 2, MINUTE_MS)).toMatchObject({ allowed: true, remaining: 0 });
  });

  test("counts continue from what was seen last, keep the quota, and are added to Redis once", async () => {
    await far.counters.seed("org", DAY, async () => ({ today: 1, thisMonth: 5 }));
    await far.counters.reserve("org", DAY, 9);
    await wire.cut();
    const readings = [];
    for (let at = 0; at < 4; at++) readings.push(await far.counters.reserve("org", DAY, 9));
    expect(readings.map(({ allowed, thisMonth }) => [allowed, thisMonth])).toEqual([
      [true, 7],
      [true, 8],
      [true, 9],
      [false, 9],
    ]);
    await far.counters.refund("org", DAY);
    expect(await far.counters.isSeeded("org", DAY)).toBe(true);
    expect(await far.counters.read("org", DAY)).toEqual({ today: 4, thisMonth: 8 });
    await near.counters.reserve("org", DAY, 9);
    await wire.recover();
    await answers();
    await far.counters.read("org", DAY);
    await vi.waitFor(async () => expect(await near.counters.read("org", DAY)).toEqual({ today: 5, thisMonth: 9 }), SOON);
    expect(await settled(near.counters)).toEqual([{ orgId: "org", day: DAY, calls: 4 }]);
    expect(await settled(far.counters)).toEqual([]);
  });

  test("calls with a key continue in the process, and those it counted are added to Redis once", async () => {
    const month = { orgId: "org", day: DAY, quota: 9, isMetered: true };
    const admit = async (of = month) => {
      const admitted = await far.admissions.admit([{ key: "org:org", limit: 4, windowMs: MINUTE_MS }], of);
      return { window: admitted.windows[0], usage: admitted.usage };
    };
    await near.counters.seed("org", DAY, async () => ({ today: 0, thisMonth: 6 }));
    expect(await admit()).toMatchObject({ window: { remaining: 3 }, usage: { allowed: true, thisMonth: 7 } });
    await wire.cut();
    const admitted = await Promise.all(Array.from({ length: 6 }, () => admit()));
    expect(admitted.map(({ window, usage }) => [window.allowed, usage?.allowed, usage?.thisMonth])).toEqual([
      [true, true, 8],
      [true, true, 9],
      [true, false, 9],
      [true, false, 9],
      [false, false, 9],
      [false, false, 9],
    ]);
    expect((await admit({ ...month, orgId: "unseen" })).usage).toBeNull();
    await wire.recover();
    await answers();
    await far.counters.read("org", DAY);
    await vi.waitFor(async () => expect(await near.counters.read("org", DAY)).toEqual({ today: 3, thisMonth: 9 }), SOON);
    // Redis' own window goes on where it was.
    expect((await admit()).window).toMatchObject({ allowed: true, remaining: 2 });
  });

  test("calls that wait together for a stalled server are counted in the process after one deadline", async () => {
    const consume = () => oneWindow(far).consume("a", 30, MINUTE_MS);
    // On a busy machine this one may be counted in the process.
    await oneWindow(far).consume("another", 30, MINUTE_MS);
    wire.stall();
    const first = Array.from({ length: 20 }, consume);
    await vi.waitFor(() => expect(logged).toContain("redis is unavailable; retrying"), SOON);
    const readings = await Promise.all([...first, ...Array.from({ length: 20 }, consume)]);
    expect(readings.filter(({ allowed }) => allowed)).toHaveLength(30);
    await wire.recover();
    await answers();
  });

  test("calls counted in an outage can be settled in it, and are still added to the counts after it", async () => {
    await far.counters.seed("org", DAY, async () => ({ today: 0, thisMonth: 0 }));
    await wire.cut();
    await far.counters.reserve("org", DAY, 9);
    expect(await settled(far.counters)).toEqual([{ orgId: "org", day: DAY, calls: 1 }]);
    await wire.recover();
    await answers();
    expect(await settled(far.counters)).toEqual([]);
    expect(await near.counters.read("org", DAY)).toEqual({ today: 1, thisMonth: 1 });
  });

  test("what could not be written in an outage is settled after it", async () => {
    await far.counters.reserve("org", DAY, 9);
    const failing = far.counters.settle(async () => {
      await wire.cut();
      throw new Error("the store is away too");
    });
    await expect(failing).rejects.toThrow("the store is away too");
    await wire.recover();
    await answers();
    expect(await settled(far.counters)).toEqual([{ orgId: "org", day: DAY, calls: 1 }]);
    expect(await near.counters.read("org", DAY)).toEqual({ today: 1, thisMonth: 1 });
  });

  test("a batch whose answer was lost is taken again, and only once", async () => {
    for (let at = 0; at < 3; at++) await near.counters.reserve("org", DAY, 9);
    wire.stall();
    expect(await settled(far.counters)).toEqual([]);
    await wire.recover();
    await answers();
    await near.counters.reserve("org", DAY, 9);
    expect(await settled(far.counters)).toEqual([{ orgId: "org", day: DAY, calls: 3 }]);
    expect(await settled(far.counters)).toEqual([{ orgId: "org", day: DAY, calls: 1 }]);
  });

  test("counts lost by Redis are loaded from the store again", async () => {
    await far.counters.seed("org", DAY, async () => ({ today: 0, thisMonth: 100 }));
    await deleteKeys(redisUrl, prefix);
    expect(await far.counters.reserve("org", DAY, 100)).toMatchObject({ allowed: true });
    expect(await far.counters.isSeeded("org", DAY)).toBe(false);
    await far.counters.seed("org", DAY, async () => ({ today: 0, thisMonth: 100 }));
    expect(await far.counters.reserve("org", DAY, 100)).toEqual({ allowed: false, today: 1, thisMonth: 101 });
  });

  describe("a quota that is used up when redis loses its data", () => {
    /** Calls both processes allow when the store already has this many. */
    const spendAgain = async (stored: number): Promise<number> => {
      const load = async () => ({ today: stored, thisMonth: stored });
      const spend = async ({ counters }: Live): Promise<boolean> => {
        const counted = await counters.reserveLoaded("org", DAY, 40);
        if (counted) return counted.allowed;
        await counters.seed("org", DAY, load);
        return (await counters.reserveLoaded("org", DAY, 40))?.allowed ?? false;
      };
      const both = Array.from({ length: 60 }, (_, at) => spend(at % 2 ? far : near));
      return (await Promise.all(both)).filter(Boolean).length;
    };

    beforeEach(async () => {
      await near.counters.seed("org", DAY, async () => ({ today: 0, thisMonth: 0 }));
      for (let at = 0; at < 40; at += 1) expect((await near.counters.reserveLoaded("org", DAY, 40))?.allowed).toBe(true);
      const seen = async () => expect((await far.counters.reserveLoaded("org", DAY, 40))?.allowed).toBe(false);
      await vi.waitFor(seen, SOON);
    });

    test("is not spent again, although both processes have seen it loaded", async () => {
      await settled(near.counters);
      await deleteKeys(redisUrl, prefix);
      expect(await spendAgain(40)).toBe(0);
    });

    test("is not spent again although what was counted last had not reached the store", async () => {
      await deleteKeys(redisUrl, prefix);
      expect(await spendAgain(25)).toBe(0);
      expect(await near.counters.read("org", DAY)).toEqual({ today: 40, thisMonth: 40 });
    });

    test("is not spent again by a process that saw more than the one that loads", async () => {
      await near.counters.refund("org", DAY);
      await near.counters.read("org", DAY);
      await far.counters.reserveLoaded("org", DAY, 40);
      await deleteKeys(redisUrl, prefix);
      await near.counters.seed("org", DAY, async () => ({ today: 25, thisMonth: 25 }));
      await near.counters.isSeeded("org", DAY);
      await near.counters.seed("org", DAY, async () => ({ today: 25, thisMonth: 25 }));
      expect(await near.counters.read("org", DAY)).toEqual({ today: 39, thisMonth: 39 });
      expect(await far.counters.reserveLoaded("org", DAY, 40)).toMatchObject({ allowed: false, thisMonth: 40 });
    });
  });

  test("a process whose own places redis has lost counts them before it gives another", async () => {
    expect((await far.places.take(KEY, TWO)).place).not.toBeNull();
    expect((await far.places.take(KEY, TWO)).place).not.toBeNull();
    await deleteKeys(redisUrl, prefix);
    expect(await far.places.take(KEY, TWO)).toMatchObject({ place: null, open: 2 });
  });

  test("a process whose own places redis has lost gives each of them only once, however many ask at once", async () => {
    for (let at = 0; at < 2; at += 1) expect((await far.places.take(KEY, TWO)).place).not.toBeNull();
    await deleteKeys(redisUrl, prefix);
    const readings = await Promise.all(Array.from({ length: 20 }, () => far.places.take(KEY, TWO)));
    expect(readings.filter(({ place }) => place !== null)).toEqual([]);
    expect(await near.places.count(KEY)).toBe(2);
  });

  test("what a short outage kept from redis is made up for: a place returned meanwhile is free, and one taken counts", async () => {
    const taken = [await far.places.take(KEY, TWO), await far.places.take(KEY, TWO)];
    expect(await near.places.count(KEY)).toBe(2);
    await wire.cut();
    for (const { place } of taken) if (place) await far.places.giveBack(place);
    expect(await far.places.take(KEY, TWO)).toMatchObject({ open: 1 });
    const commands = await hearCommands(redisUrl, prefix);
    await wire.recover();
    await answers();
    await vi.waitFor(async () => expect(await near.places.count(KEY)).toBe(1), SOON);
    // In between too many count, and never too few.
    const writes = () => commands.heard.flatMap((line) => /"(hset|hdel)" "\S+:org:org"/i.exec(line)?.[1]?.toLowerCase() ?? []);
    await vi.waitFor(() => expect(writes()).toEqual(["hset", "hdel", "hdel"]), SOON);
    commands.close();
    expect(await near.places.take(KEY, TWO)).toMatchObject({ open: 2 });
  });

  test("a reader that was cut off receives what it missed, in order, without a gap", async () => {
    const heard: MarketEvent[] = [];
    const gaps: BusGap[] = [];
    await far.bus.subscribe((event) => heard.push(event), { onGap: (gap) => gaps.push(gap) });
    await near.bus.publish(replaced("1"));
    await vi.waitFor(() => expect(heard).toHaveLength(1), SOON);
    await wire.cut();
    for (const symbol of ["2", "3", "4"]) await near.bus.publish(replaced(symbol));
    await wire.recover();
    await vi.waitFor(() => expect(heard).toEqual(["1", "2", "3", "4"].map(replaced)), SOON);
    expect(gaps).toEqual([]);
  });

  test("a reader that fell behind what the bus keeps gets the gap before the rest", async () => {
    const heard: (MarketEvent | BusGap)[] = [];
    await far.bus.subscribe((event) => heard.push(event), { onGap: (gap) => heard.push(gap) });
    await wire.cut();
    const short = await openRedisLive({ url: redisUrl, prefix, clock: () => 1_000_000, busLength: 100 });
    for (let at = 1; at <= 1_000; at++) await short.bus.publish(replaced(`${at}`));
    await wire.recover();
    await vi.waitFor(() => expect(heard.at(-1)).toEqual(replaced("1000")), SOON);
    expect(heard[0]).toEqual({ reason: expect.stringMatching(/missed|reset/) });
    expect(heard.length).toBeLessThan(900);
    expect(heard.filter((each) => "reason" in each)).toHaveLength(1);
    await short.close();
  });

  test("a publisher that was cut off causes a gap for readers before its next event", async () => {
    const heard: (MarketEvent | BusGap)[] = [];
    await near.bus.subscribe((event) => heard.push(event), { onGap: (gap) => heard.push(gap) });
    await far.bus.publish(replaced("1"));
    await wire.cut();
    await expect(far.bus.publish(replaced("2"))).rejects.toThrow();
    await wire.recover();
    await answers();
    await far.bus.publish(replaced("3"));
    await far.bus.publish(replaced("4"));
    await vi.waitFor(() => expect(heard).toEqual([replaced("1"), { reason: "missed" }, replaced("3"), replaced("4")]), SOON);
  });

  test("a stream that was lost is reported as a gap, and followed again", async () => {
    const heard: (MarketEvent | BusGap)[] = [];
    await near.bus.subscribe((event) => heard.push(event), { onGap: (gap) => heard.push(gap) });
    await near.bus.publish(replaced("1"));
    await vi.waitFor(() => expect(heard).toHaveLength(1), SOON);
    await deleteKeys(redisUrl, prefix);
    await near.bus.publish(replaced("2"));
    await vi.waitFor(() => expect(heard).toEqual([replaced("1"), { reason: "reset" }, replaced("2")]), SOON);
  });

  test("a stream lost while the reader was cut off is reported as a gap even before a new event", async () => {
    const heard: (MarketEvent | BusGap)[] = [];
    await far.bus.subscribe((event) => heard.push(event), { onGap: (gap) => heard.push(gap) });
    await near.bus.publish(replaced("1"));
    await vi.waitFor(() => expect(heard).toHaveLength(1), SOON);
    await wire.cut();
    await deleteKeys(redisUrl, prefix);
    await wire.recover();
    await vi.waitFor(() => expect(heard).toEqual([replaced("1"), { reason: "reset" }]), SOON);
    await near.bus.publish(replaced("2"));
    await vi.waitFor(() => expect(heard.at(-1)).toEqual(replaced("2")), SOON);
    expect(heard).toHaveLength(3);
  });

  test("a subscription made while the server is down gets a gap and then every event", async () => {
    await wire.cut();
    const heard: (MarketEvent | BusGap)[] = [];
    await far.bus.subscribe((event) => heard.push(event), { onGap: (gap) => heard.push(gap) });
    await near.bus.publish(replaced("unheard"));
    await wire.recover();
    await vi.waitFor(() => expect(heard).toEqual([{ reason: "reset" }]), SOON);
    await near.bus.publish(replaced("heard"));
    await vi.waitFor(() => expect(heard.at(-1)).toEqual(replaced("heard")), SOON);
  });
});

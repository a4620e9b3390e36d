/** The keys that the engines leave in Redis: all under one prefix, all with an expiry. */
import { createClient } from "@redis/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openLive } from "../open-live.ts";
import type { Live } from "../ports.ts";
import { oneWindow } from "../suite/engine.ts";
import { deleteKeys, keysUnder, randomPrefix, TEST_REDIS_URL } from "../testing/index.ts";
import { openRedisLive } from "./open.ts";
import { backoffMs } from "./redis-connection.ts";

const DAY = "2026-11-20";
const FORTY_DAYS_SECONDS = 40 * 86_400;

if (!TEST_REDIS_URL) process.stdout.write("redis keys: skipped, because TEST_REDIS_URL is not set\n");

describe.skipIf(!TEST_REDIS_URL)("keys in Redis", { meta: { needs: "TEST_REDIS_URL is not set" } }, () => {
  const url = TEST_REDIS_URL ?? "";
  let prefix: string;
  let live: Live;
  beforeEach(async () => {
    prefix = randomPrefix();
    live = await openRedisLive({ url, prefix, clock: () => 0 });
  });
  afterEach(async () => {
    await live.close();
    await deleteKeys(url, prefix);
  });

  const expiries = async (part: string): Promise<number[]> => {
    const admin = await createClient({ url }).connect();
    const keys = (await keysUnder(url, prefix)).filter((key) => key.includes(part));
    const found = await Promise.all(keys.map((key) => admin.ttl(key)));
    await admin.close();
    return found;
  };

  test("counts of a month expire after forty days, however they came to be", async () => {
    await live.counters.reserve("counted", DAY, 9);
    await live.counters.seed("seeded", DAY, async () => ({ today: 1, thisMonth: 1 }));
    await live.counters.reserve("seeded", DAY, 9);
    const left = await expiries("usage:2026-11:");
    expect(left).toHaveLength(2);
    for (const seconds of left) {
      expect(seconds).toBeGreaterThan(FORTY_DAYS_SECONDS - 100);
      expect(seconds).toBeLessThanOrEqual(FORTY_DAYS_SECONDS);
    }
  });

  test("windows expire by themselves, and a batch in transit within a day", async () => {
    await oneWindow(live).consume("a", 5, 60_000);
    await live.counters.reserve("org", DAY, 9);
    await live.counters.settle(async () => {
      const [batch, ...others] = await expiries("usage:deltas:");
      expect(others).toEqual([]);
      expect(batch).toBeGreaterThan(0);
      expect(batch).toBeLessThanOrEqual(86_400);
    });
    for (const seconds of await expiries("limit:")) expect(seconds).toBeLessThanOrEqual(60);
    expect((await expiries("limit:")).length).toBe(1);
  });

  test("a batch is deleted when the store has it", async () => {
    for (let round = 0; round < 3; round++) {
      await live.counters.reserve("org", DAY, 9);
      await live.counters.settle(async () => expect(await expiries("usage:deltas:")).toHaveLength(1));
      expect(await expiries("usage:deltas:")).toEqual([]);
      expect(await expiries("usage:moving")).toEqual([]);
    }
  });

  test("services of different prefixes do not share keys", async () => {
    const other = await openRedisLive({ url, prefix: `${prefix}other:`, clock: () => 0 });
    await live.lease.acquire("a", 60_000, 0);
    await live.latest.put("feeds", "1", { token: 1, atMs: 1 });
    expect(await other.lease.acquire("b", 60_000, 0)).toMatchObject({ token: 1 });
    expect(await other.latest.get("feeds")).toBeNull();
    await other.close();
  });

  test("the scripts are sent again to a server that has forgotten them", async () => {
    const admin = await createClient({ url }).connect();
    await live.counters.reserve("org", DAY, 9);
    await admin.scriptFlush();
    await admin.close();
    expect(await live.counters.reserve("org", DAY, 9)).toMatchObject({ allowed: true, thisMonth: 2 });
  });

  test("openLive uses Redis when it is given one", async () => {
    const opened = await openLive({ redisUrl: url, prefix, clock: () => 0 });
    expect(opened.kind).toBe("redis");
    await opened.close();
  });
});

test("openLive stays in the process without a Redis", async () => {
  const opened = await openLive({ clock: () => 0 });
  expect(opened.kind).toBe("memory");
  await opened.close();
});

test("the pause before connecting again grows, is bounded, and differs between processes", () => {
  const longest = (retries: number) => backoffMs(retries, 3_000, () => 1);
  const shortest = (retries: number) => backoffMs(retries, 3_000, () => 0);
  expect([0, 1, 2, 20, 1_000].map(longest)).toEqual([50, 100, 200, 3_000, 3_000]);
  expect([0, 1, 2, 20, 1_000].map(shortest)).toEqual([25, 50, 100, 1_500, 1_500]);
});

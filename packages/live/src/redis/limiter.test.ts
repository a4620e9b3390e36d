/** Windows known to be full, which are refused without asking Redis. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Live } from "../ports.ts";
import { deleteKeys, keysUnder, randomPrefix, TEST_REDIS_URL } from "../testing/redis.ts";
import { openRedisLive } from "./open.ts";

const MINUTE_MS = 60_000;

if (!TEST_REDIS_URL) process.stdout.write("full windows in redis: skipped, because TEST_REDIS_URL is not set\n");

describe.skipIf(!TEST_REDIS_URL)("a full window", { meta: { needs: "TEST_REDIS_URL is not set" } }, () => {
  const url = TEST_REDIS_URL ?? "";
  let prefix: string;
  let nowMs: number;
  let live: Live;
  beforeEach(async () => {
    prefix = randomPrefix();
    nowMs = 0;
    live = await openRedisLive({ url, prefix, clock: () => nowMs });
    for (const allowed of [true, true, false]) expect((await live.limiter.consume("a", 2, MINUTE_MS)).allowed).toBe(allowed);
    // Whoever asks Redis from now on finds an unused window.
    await deleteKeys(url, prefix);
  });
  afterEach(async () => {
    await live.close();
    await deleteKeys(url, prefix);
  });

  test("refuses without a call to Redis until it ends", async () => {
    nowMs = 20_000;
    const { allowed, remaining, resetInMs } = await live.limiter.consume("a", 2, MINUTE_MS);
    expect([allowed, remaining]).toEqual([false, 0]);
    expect(resetInMs).toBeLessThanOrEqual(40_000);
    expect(await keysUnder(url, prefix)).toEqual([]);
    nowMs = MINUTE_MS;
    expect(await live.limiter.consume("a", 2, MINUTE_MS)).toMatchObject({ allowed: true, remaining: 1 });
  });

  test("refuses a lower limit as well, and checks a higher one", async () => {
    expect((await live.limiter.consume("a", 1, MINUTE_MS)).allowed).toBe(false);
    expect(await live.limiter.consume("a", 3, MINUTE_MS)).toMatchObject({ allowed: true, remaining: 2 });
  });

  test("does not affect other keys and lengths", async () => {
    expect((await live.limiter.consume("b", 2, MINUTE_MS)).allowed).toBe(true);
    expect((await live.limiter.consume("a", 2, 2 * MINUTE_MS)).allowed).toBe(true);
  });
});

/** Counts in Redis that are none: each is removed when it is met, as if Redis had lost it, and no other call notices. */
import { createClient } from "@redis/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "../log.ts";
import type { Live, UsageDelta } from "../ports.ts";
import { oneWindow, settled } from "../suite/engine.ts";
import { deleteKeys, randomPrefix, TEST_REDIS_URL } from "../testing/index.ts";
import { openRedisLive } from "./open.ts";

const DAY = "2026-11-20";
const MINUTE_MS = 60_000;
const QUOTA = 9;

if (!TEST_REDIS_URL) process.stdout.write("unreadable counts: skipped, because TEST_REDIS_URL is not set\n");

describe.skipIf(!TEST_REDIS_URL)("a count that is unreadable", { meta: { needs: "TEST_REDIS_URL is not set" } }, () => {
  const url = TEST_REDIS_URL ?? "";
  let prefix: string;
  let live: Live;
  let lines: unknown[][];
  let tell: (command: string, key: string, ...more: string[]) => Promise<unknown>;
  let admin: { destroy(): void };

  const windowOf = (key: string) => ({ key, limit: 5, windowMs: MINUTE_MS });
  const call = async (orgId: string) => {
    const admitted = await live.admissions.admit([windowOf(orgId)], { orgId, day: DAY, quota: QUOTA, isMetered: true });
    return [admitted.windows[0].remaining, admitted.usage?.thisMonth ?? null];
  };
  const load = (orgId: string, thisMonth = 2) => live.counters.seed(orgId, DAY, async () => ({ today: 1, thisMonth }));
  const inOrder = (deltas: readonly UsageDelta[]) => deltas.map(({ orgId, calls }) => `${orgId} ${calls}`).sort();

  beforeEach(async () => {
    prefix = randomPrefix();
    lines = [];
    const note = (...line: unknown[]): void => void lines.push(line);
    const log = { ...silentLog, info: note, warn: note, error: note };
    live = await openRedisLive({ url, prefix, clock: () => 0, logger: log });
    const client = await createClient({ url }).connect();
    admin = client;
    tell = (command, key, ...more) => client.sendCommand([command, prefix + key, ...more]);
    for (const orgId of ["a", "secret", "b"]) {
      await load(orgId);
      expect(await call(orgId)).toEqual([4, 3]);
    }
  });
  afterEach(async () => {
    admin.destroy();
    await live.close();
    await deleteKeys(url, prefix);
  });

  const window = `limit:${MINUTE_MS}:secret`;
  const month = "usage:2026-11:secret";
  /** What stands there instead: commands that put it there. */
  type Instead = readonly (readonly [command: string, key: string, ...more: string[]])[];
  const text = (key: string, value: string): Instead => [["SET", key, value, "EX", "50"]];
  const list = (key: string): Instead => [
    ["DEL", key],
    ["RPUSH", key, "garbage"],
  ];
  const place = async (instead: Instead): Promise<void> => {
    for (const [command, key, ...more] of instead) await tell(command, key, ...more);
  };
  const said = (...kinds: string[]) => [[{ kinds, counts: kinds.length }, "removed unreadable counts from redis"]];

  /** The unreadable one is asked for first, last, and in between. */
  const orders = [
    ["secret", "a", "b"],
    ["a", "b", "secret"],
    ["a", "secret", "b"],
  ];

  describe.each(orders)("in a batch in the order %s, %s, %s", (...order) => {
    /** Of one call each, by its organisation. */
    const answers = async () =>
      Object.fromEntries(await Promise.all(order.map(async (orgId) => [orgId, await call(orgId)] as const)));

    test.each<[string, Instead]>([
      ["a text", text(window, "garbage")],
      ["nothing", text(window, "")],
      ["no whole number", text(window, "1.5")],
      ["no finite number", text(window, "inf")],
      ["a negative number", text(window, "-3")],
      ["a number of too many digits", text(window, "9".repeat(20))],
      ["a list", list(window)],
      ["a number without an end", [["PERSIST", window]]],
    ])("begins its window anew when it is %s", async (_what, instead) => {
      await place(instead);
      expect(await answers()).toEqual({ a: [3, 4], secret: [4, 4], b: [3, 4] });
      expect(await answers()).toEqual({ a: [2, 5], secret: [3, 5], b: [2, 5] });
      expect(await oneWindow(live).peek("secret", 5, MINUTE_MS)).toMatchObject({ remaining: 3 });
      expect(Number(await tell("PTTL", window))).toBeGreaterThan(0);
      expect(lines).toEqual(said("window"));
    });

    test.each<[string, Instead]>([
      ["a text", text(month, "garbage")],
      ["a list", list(month)],
      ["a month that is no number", [["HSET", month, "month", "garbage"]]],
      ["a day that is no number", [["HSET", month, DAY, "1.5"]]],
      ["a month of too many digits", [["HSET", month, "month", "9".repeat(20)]]],
    ])("loads its month from the store again when it is %s, and no call is lost", async (_what, instead) => {
      await place(instead);
      expect(await answers()).toEqual({ a: [3, 4], secret: [3, null], b: [3, 4] });
      expect(await live.counters.isSeeded("secret", DAY)).toBe(false);
      await load("secret");
      expect(await answers()).toEqual({ a: [2, 5], secret: [2, 4], b: [2, 5] });
      expect(inOrder(await settled(live.counters))).toEqual(["a 3", "b 3", "secret 2"]);
      expect(lines).toEqual(said("month"));
    });

    test("counts its unsettled calls from zero when they are no number, and settles all others", async () => {
      await place([["HSET", "usage:deltas", `${DAY}|secret`, "garbage"]]);
      expect(await answers()).toEqual({ a: [3, 4], secret: [3, 4], b: [3, 4] });
      expect(inOrder(await settled(live.counters))).toEqual(["a 2", "b 2", "secret 1"]);
      expect(lines).toEqual(said("unsettled calls"));
    });

    test("counts all unsettled calls from zero when they are a list; quotas do not change", async () => {
      await place(list("usage:deltas"));
      expect(await answers()).toEqual({ a: [3, 4], secret: [3, 4], b: [3, 4] });
      expect(inOrder(await settled(live.counters))).toEqual(["a 1", "b 1", "secret 1"]);
      expect(lines).toEqual(said("unsettled calls"));
    });
  });

  test("of windows counted together takes nothing from the others", async () => {
    await place(text(window, "garbage"));
    const { windows } = await live.admissions.admit([windowOf("a"), windowOf("secret"), windowOf("b")], null);
    expect(windows.map(({ remaining }) => remaining)).toEqual([3, 4, 3]);
  });

  test("in a window that is only read is no obstacle", async () => {
    await place(list(window));
    expect(await oneWindow(live).peek("secret", 5, MINUTE_MS)).toEqual({
      allowed: true,
      limit: 5,
      remaining: 5,
      resetInMs: MINUTE_MS,
    });
  });

  test("in a month is no obstacle to reading it, loading it, or taking a call back", async () => {
    const spoil = () => place(list(month));
    await spoil();
    expect(await live.counters.read("secret", DAY)).toEqual({ today: 0, thisMonth: 0 });
    await load("secret");
    expect(await live.counters.read("secret", DAY)).toEqual({ today: 2, thisMonth: 3 });
    await spoil();
    await live.counters.refund("secret", DAY);
    expect(await live.counters.isSeeded("secret", DAY)).toBe(false);
    await spoil();
    await load("secret");
    expect(await live.counters.read("secret", DAY)).toEqual({ today: 2, thisMonth: 3 });
    expect(lines).toEqual([...said("month"), ...said("month"), ...said("month")]);
  });

  test("among the unsettled calls does not keep the others from the store", async () => {
    await place([["HSET", "usage:deltas", `${DAY}|secret`, "garbage"]]);
    expect(inOrder(await settled(live.counters))).toEqual(["a 1", "b 1"]);
    expect(await settled(live.counters)).toEqual([]);
    expect(lines).toEqual(said("unsettled calls"));
  });

  test("among the settlements keeps no count from being loaded, and no call from the store", async () => {
    await place([...list("usage:moving"), ...text("usage:moved", "garbage")]);
    await load("new");
    expect(await live.counters.isSeeded("new", DAY)).toBe(true);
    await place([...list("usage:moving"), ...list("usage:moved")]);
    expect(inOrder(await settled(live.counters))).toEqual(["a 1", "b 1", "secret 1"]);
    expect(await settled(live.counters)).toEqual([]);
  });

  test("is not named in the log: who it belongs to is in its name", async () => {
    await place([...text(window, "garbage"), ...list(month)]);
    await call("secret");
    expect(JSON.stringify(lines)).not.toContain("secret");
    expect(lines).toEqual(said("window", "month"));
  });
});

/** What every engine guarantees of a call with a key: its window and its month, counted in one step. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { KeyedCall, Live } from "../ports.ts";
import type { Bench, Engine } from "./engine.ts";

const DAY = "2026-11-20";
const MINUTE_MS = 60_000;
const CALL: KeyedCall = { key: "org:a", limit: 3, windowMs: MINUTE_MS, orgId: "a", day: DAY, quota: 9, isMetered: true };

export const admissionsSuite = (engine: Engine) =>
  describe(`admissions, ${engine.name}`, () => {
    let bench: Bench;
    let live: Live;
    const load = (orgId = "a", thisMonth = 0) => live.counters.seed(orgId, DAY, async () => ({ today: 0, thisMonth }));
    beforeEach(async () => {
      bench = await engine.open();
      live = bench.live;
    });
    afterEach(() => bench.close());

    test("counts a call against its window and in its month", async () => {
      await load("a", 5);
      const { window, usage } = await live.admissions.admit(CALL);
      expect(window).toMatchObject({ allowed: true, limit: 3, remaining: 2 });
      expect(window.resetInMs).toBeGreaterThan(MINUTE_MS - 20_000);
      expect(usage).toEqual({ allowed: true, today: 1, thisMonth: 6 });
    });

    test("shares windows with the limiter and months with the counters", async () => {
      await load();
      await live.limiter.consume(CALL.key, 3, MINUTE_MS);
      await live.counters.reserve("a", DAY, 9);
      const { window, usage } = await live.admissions.admit(CALL);
      expect([window.remaining, usage?.thisMonth]).toEqual([1, 2]);
      expect(await live.limiter.peek(CALL.key, 3, MINUTE_MS)).toMatchObject({ remaining: 1 });
      expect(await live.counters.read("a", DAY)).toEqual({ today: 2, thisMonth: 2 });
    });

    test("does not count a call in the month that the window refuses, and reports the month", async () => {
      await load();
      for (let at = 0; at < 5; at += 1) await live.admissions.admit({ ...CALL, limit: 2 });
      const { window, usage } = await live.admissions.admit({ ...CALL, limit: 2 });
      expect(window).toMatchObject({ allowed: false, remaining: 0 });
      expect(usage).toEqual({ allowed: false, today: 2, thisMonth: 2 });
    });

    test("counts a call against the window that the quota refuses", async () => {
      await load("a", 9);
      const { window, usage } = await live.admissions.admit(CALL);
      expect(window).toMatchObject({ allowed: true, remaining: 2 });
      expect(usage).toEqual({ allowed: false, today: 0, thisMonth: 9 });
    });

    test("only reads the month for a call that is not metered", async () => {
      await load("a", 4);
      const { window, usage } = await live.admissions.admit({ ...CALL, isMetered: false });
      expect(window).toMatchObject({ allowed: true, remaining: 2 });
      expect(usage).toEqual({ allowed: false, today: 0, thisMonth: 4 });
    });

    test("counts nothing in a month whose counts are not loaded, metered or not", async () => {
      expect((await live.admissions.admit(CALL)).usage).toBeNull();
      expect((await live.admissions.admit({ ...CALL, isMetered: false })).usage).toBeNull();
      expect(await live.limiter.peek(CALL.key, 3, MINUTE_MS)).toMatchObject({ remaining: 1 });
      expect(await live.counters.read("a", DAY)).toEqual({ today: 0, thisMonth: 0 });
    });

    test("admits exactly the limit and exactly the quota when many processes ask at once", async () => {
      const other = await bench.another();
      for (const orgId of ["a", "b"]) await load(orgId);
      const admit = (at: number, call: Partial<KeyedCall>) => (at % 2 ? live : other).admissions.admit({ ...CALL, ...call });
      const asked = await Promise.all(
        Array.from({ length: 200 }, (_, at) =>
          Promise.all([
            admit(at, { limit: 120, quota: 1_000 }),
            admit(at, { key: "org:b", orgId: "b", limit: 1_000, quota: 70 }),
          ]),
        ),
      );
      const a = asked.map(([each]) => each);
      const b = asked.map(([, each]) => each);
      expect(a.filter(({ window }) => window.allowed)).toHaveLength(120);
      expect(a.filter(({ usage }) => usage?.allowed)).toHaveLength(120);
      expect(b.filter(({ window }) => window.allowed)).toHaveLength(200);
      expect(b.filter(({ usage }) => usage?.allowed)).toHaveLength(70);
      // Each call has a number of its own.
      const numbers = b.flatMap(({ usage }) => (usage?.allowed ? [usage.thisMonth] : [])).sort((x, y) => x - y);
      expect(numbers).toEqual(Array.from({ length: 70 }, (_, at) => at + 1));
      const places = b.map(({ window }) => window.remaining).sort((x, y) => y - x);
      expect(places).toEqual(Array.from({ length: 200 }, (_, at) => 999 - at));
    });

    test("refuses a window that is not whole seconds", async () => {
      await expect(live.admissions.admit({ ...CALL, windowMs: 1_500 })).rejects.toThrow(RangeError);
    });
  });

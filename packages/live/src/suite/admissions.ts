/** What every engine guarantees of windows, of months, and of a call that is counted in both. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CallMonth, CallWindow, Live } from "../ports.ts";
import { type Bench, type Engine, oneWindow } from "./engine.ts";

const DAY = "2026-11-20";
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const CALL: CallWindow & CallMonth = {
  key: "org:a",
  limit: 3,
  windowMs: MINUTE_MS,
  orgId: "a",
  day: DAY,
  quota: 9,
  isMetered: true,
};
const MINUTE: CallWindow = { key: "minute:ip", limit: 3, windowMs: MINUTE_MS };
const HOUR: CallWindow = { key: "hour:ip", limit: 5, windowMs: HOUR_MS };

export const admissionsSuite = (engine: Engine) =>
  describe(`admissions, ${engine.name}`, () => {
    let bench: Bench;
    let live: Live;
    const load = (orgId = "a", thisMonth = 0) => live.counters.seed(orgId, DAY, async () => ({ today: 0, thisMonth }));
    const admit = async (call = CALL, { admissions } = live) => {
      const { windows, usage } = await admissions.admit([call], call);
      return { window: windows[0], usage };
    };
    /** A call without a key: how the minute and the hour stand after it. */
    const admitBoth = async (minute = MINUTE, hour = HOUR) => {
      const { windows, usage } = await live.admissions.admit([minute, hour], null);
      expect(usage).toBeNull();
      return windows.map(({ allowed, remaining }) => [allowed, remaining]);
    };
    beforeEach(async () => {
      bench = await engine.open();
      live = bench.live;
    });
    afterEach(() => bench.close());

    test("counts a call against its window and in its month", async () => {
      await load("a", 5);
      const { window, usage } = await admit(CALL);
      expect(window).toMatchObject({ allowed: true, limit: 3, remaining: 2 });
      expect(window.resetInMs).toBeGreaterThan(MINUTE_MS - 20_000);
      expect(usage).toEqual({ allowed: true, today: 1, thisMonth: 6 });
    });

    test("shares windows with calls that have no month, and months with the counters", async () => {
      await load();
      await oneWindow(live).consume(CALL.key, 3, MINUTE_MS);
      await live.counters.reserve("a", DAY, 9);
      const { window, usage } = await admit(CALL);
      expect([window.remaining, usage?.thisMonth]).toEqual([1, 2]);
      expect(await oneWindow(live).peek(CALL.key, 3, MINUTE_MS)).toMatchObject({ remaining: 1 });
      expect(await live.counters.read("a", DAY)).toEqual({ today: 2, thisMonth: 2 });
    });

    test("does not count a call in the month that the window refuses, and reports the month", async () => {
      await load();
      for (let at = 0; at < 5; at += 1) await admit({ ...CALL, limit: 2 });
      const { window, usage } = await admit({ ...CALL, limit: 2 });
      expect(window).toMatchObject({ allowed: false, remaining: 0 });
      expect(usage).toEqual({ allowed: false, today: 2, thisMonth: 2 });
    });

    test("counts a call against the window that the quota refuses", async () => {
      await load("a", 9);
      const { window, usage } = await admit(CALL);
      expect(window).toMatchObject({ allowed: true, remaining: 2 });
      expect(usage).toEqual({ allowed: false, today: 0, thisMonth: 9 });
    });

    test("only reads the month for a call that is not metered", async () => {
      await load("a", 4);
      const { window, usage } = await admit({ ...CALL, isMetered: false });
      expect(window).toMatchObject({ allowed: true, remaining: 2 });
      expect(usage).toEqual({ allowed: false, today: 0, thisMonth: 4 });
    });

    test("counts nothing in a month whose counts are not loaded, metered or not", async () => {
      expect((await admit(CALL)).usage).toBeNull();
      expect((await admit({ ...CALL, isMetered: false })).usage).toBeNull();
      expect(await oneWindow(live).peek(CALL.key, 3, MINUTE_MS)).toMatchObject({ remaining: 1 });
      expect(await live.counters.read("a", DAY)).toEqual({ today: 0, thisMonth: 0 });
    });

    test("admits exactly the limit and exactly the quota when many processes ask at once", async () => {
      const other = await bench.another();
      for (const orgId of ["a", "b"]) await load(orgId);
      const admitIn = (at: number, call: Partial<typeof CALL>) => admit({ ...CALL, ...call }, at % 2 ? live : other);
      const asked = await Promise.all(
        Array.from({ length: 200 }, (_, at) =>
          Promise.all([
            admitIn(at, { limit: 120, quota: 1_000 }),
            admitIn(at, { key: "org:b", orgId: "b", limit: 1_000, quota: 70 }),
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

    test("counts a call against all of its windows, each with its own limit and end", async () => {
      expect(await admitBoth()).toEqual([
        [true, 2],
        [true, 4],
      ]);
      const { windows } = await live.admissions.admit([MINUTE, HOUR], null);
      expect(windows.map(({ limit, remaining }) => [limit, remaining])).toEqual([
        [3, 1],
        [5, 3],
      ]);
      expect(windows[0].resetInMs).toBeLessThanOrEqual(MINUTE_MS);
      expect(windows[1].resetInMs).toBeGreaterThan(HOUR_MS - MINUTE_MS);
    });

    test("counts a call against none of its windows when one is full, whichever it is", async () => {
      for (let at = 0; at < 3; at += 1) await admitBoth();
      expect(await admitBoth()).toEqual([
        [false, 0],
        [true, 2],
      ]);
      await bench.advance(MINUTE_MS + 1_000);
      for (let at = 0; at < 2; at += 1) await admitBoth();
      for (let at = 0; at < 2; at += 1) {
        expect(await admitBoth()).toEqual([
          [true, 1],
          [false, 0],
        ]);
      }
      // What was refused began no window.
      expect((await live.admissions.admit([{ ...MINUTE, key: "new" }, HOUR], null)).windows[0].resetInMs).toBe(MINUTE_MS);
      expect(await oneWindow(live).peek("new", 3, MINUTE_MS)).toMatchObject({ remaining: 3, resetInMs: MINUTE_MS });
    });

    test("counts neither windows nor month of a metered call when one of its windows is full", async () => {
      await load();
      for (let at = 0; at < 5; at += 1) await admitBoth({ ...MINUTE, limit: 9 });
      const { windows, usage } = await live.admissions.admit([CALL, HOUR], CALL);
      expect(windows.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
        [true, 3],
        [false, 0],
      ]);
      expect(usage).toEqual({ allowed: false, today: 0, thisMonth: 0 });
    });

    test("admits exactly the smallest room of all windows when many processes ask at once", async () => {
      const other = await bench.another();
      const windows = [
        { ...MINUTE, limit: 60 },
        { ...HOUR, limit: 45 },
      ] as const;
      const asked = await Promise.all(
        Array.from({ length: 200 }, (_, at) => (at % 2 ? live : other).admissions.admit(windows, null)),
      );
      const admitted = asked.filter(({ windows: all }) => all.every(({ allowed }) => allowed));
      expect(admitted).toHaveLength(45);
      expect(await oneWindow(live).peek("minute:ip", 60, MINUTE_MS)).toMatchObject({ remaining: 15 });
      expect(await oneWindow(live).peek("hour:ip", 45, HOUR_MS)).toMatchObject({ remaining: 0 });
    });

    test("refuses a window that is not whole seconds", async () => {
      await expect(admit({ ...CALL, windowMs: 1_500 })).rejects.toThrow(RangeError);
    });
  });

export const windowsSuite = (engine: Engine) =>
  describe(`windows, ${engine.name}`, () => {
    let bench: Bench;
    let limiter: ReturnType<typeof oneWindow>;
    beforeEach(async () => {
      bench = await engine.open();
      limiter = oneWindow(bench.live);
    });
    afterEach(() => bench.close());

    test("lets the limit through, counting down, and refuses the next", async () => {
      const readings = [];
      for (let at = 0; at < 4; at++) readings.push(await limiter.consume("a", 3, MINUTE_MS));
      expect(readings.map(({ allowed, limit, remaining }) => [allowed, limit, remaining])).toEqual([
        [true, 3, 2],
        [true, 3, 1],
        [true, 3, 0],
        [false, 3, 0],
      ]);
      for (const { resetInMs } of readings) {
        expect(resetInMs).toBeGreaterThan(MINUTE_MS - 20_000);
        expect(resetInMs).toBeLessThanOrEqual(MINUTE_MS);
      }
    });

    test("lets exactly the limit through when all come at once", async () => {
      const other = oneWindow(await bench.another());
      const readings = await Promise.all(
        Array.from({ length: 60 }, (_, at) => (at % 2 ? limiter : other).consume("a", 25, MINUTE_MS)),
      );
      expect(readings.filter(({ allowed }) => allowed)).toHaveLength(25);
    });

    test("restarts when the window is over", async () => {
      await limiter.consume("a", 1, MINUTE_MS);
      expect((await limiter.consume("a", 1, MINUTE_MS)).allowed).toBe(false);
      await bench.advance(MINUTE_MS + 1_000);
      expect(await limiter.consume("a", 1, MINUTE_MS)).toMatchObject({ allowed: true, remaining: 0 });
    });

    test("does not prolong a window by requests in it", async () => {
      await limiter.consume("a", 5, MINUTE_MS);
      await bench.advance(40_000);
      const { resetInMs } = await limiter.consume("a", 5, MINUTE_MS);
      expect(resetInMs).toBeLessThanOrEqual(20_000);
    });

    test("does not count a refused request: a raised limit finds the room that was refused", async () => {
      for (let at = 0; at < 10; at++) await limiter.consume("a", 2, MINUTE_MS);
      expect(await limiter.consume("a", 5, MINUTE_MS)).toMatchObject({ allowed: true, remaining: 2 });
    });

    test("keeps keys and lengths of window apart", async () => {
      await limiter.consume("a", 1, MINUTE_MS);
      expect((await limiter.consume("a", 1, MINUTE_MS)).allowed).toBe(false);
      expect((await limiter.consume("b", 1, MINUTE_MS)).allowed).toBe(true);
      expect(await limiter.consume("a", 1, HOUR_MS)).toMatchObject({ allowed: true });
    });

    test("peeks without counting, and says whether a request would pass", async () => {
      expect(await limiter.peek("a", 2, MINUTE_MS)).toEqual({ allowed: true, limit: 2, remaining: 2, resetInMs: MINUTE_MS });
      await limiter.consume("a", 2, MINUTE_MS);
      for (let at = 0; at < 3; at++) expect(await limiter.peek("a", 2, MINUTE_MS)).toMatchObject({ allowed: true, remaining: 1 });
      await limiter.consume("a", 2, MINUTE_MS);
      expect(await limiter.peek("a", 2, MINUTE_MS)).toMatchObject({ allowed: false, remaining: 0 });
    });

    test("refuses everything at a limit of zero", async () => {
      const refused = await limiter.consume("a", 0, MINUTE_MS);
      expect(refused).toMatchObject({ allowed: false, remaining: 0 });
      expect(refused.resetInMs).toBeGreaterThan(0);
    });

    test("refuses a window that is not whole seconds", async () => {
      await expect(limiter.consume("a", 1, 1_500)).rejects.toThrow(RangeError);
      await expect(limiter.peek("a", 1, 0)).rejects.toThrow(RangeError);
    });
  });

/** What every set of counters guarantees. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CountersPort } from "../ports.ts";
import { type Bench, type Engine, settled } from "./engine.ts";

const DAY = "2026-11-20";

export const countersSuite = (engine: Engine) =>
  describe(`counters, ${engine.name}`, () => {
    let bench: Bench;
    let counters: CountersPort;
    beforeEach(async () => {
      bench = await engine.open();
      counters = bench.live.counters;
    });
    afterEach(() => bench.close());

    test("counts until the quota is used up, and not beyond", async () => {
      const readings = [];
      for (let at = 0; at < 3; at++) readings.push(await counters.reserve("org", DAY, 2));
      expect(readings).toEqual([
        { allowed: true, today: 1, thisMonth: 1 },
        { allowed: true, today: 2, thisMonth: 2 },
        { allowed: false, today: 2, thisMonth: 2 },
      ]);
    });

    test("lets exactly the quota through when many processes ask at once", async () => {
      const other = (await bench.another()).counters;
      const readings = await Promise.all(
        Array.from({ length: 200 }, (_, at) => (at % 2 ? counters : other).reserve("org", DAY, 120)),
      );
      expect(readings.filter(({ allowed }) => allowed)).toHaveLength(120);
      expect(await counters.read("org", DAY)).toEqual({ today: 120, thisMonth: 120 });
    });

    test("counts days apart within a month, and months apart", async () => {
      await counters.reserve("org", "2026-11-20", 9);
      await counters.reserve("org", "2026-11-21", 9);
      expect(await counters.reserve("org", "2026-12-01", 9)).toEqual({ allowed: true, today: 1, thisMonth: 1 });
      expect(await counters.read("org", "2026-11-21")).toEqual({ today: 1, thisMonth: 2 });
      expect(await counters.read("org", "2026-11-22")).toEqual({ today: 0, thisMonth: 2 });
    });

    test("gives a refunded call back to the quota, and never more than was counted", async () => {
      await counters.reserve("org", DAY, 1);
      await counters.refund("org", DAY);
      await counters.refund("org", DAY);
      expect(await counters.read("org", DAY)).toEqual({ today: 0, thisMonth: 0 });
      expect((await counters.reserve("org", DAY, 1)).allowed).toBe(true);
      expect((await counters.reserve("org", DAY, 1)).allowed).toBe(false);
    });

    test("continues from stored counts once they are loaded", async () => {
      expect(await counters.isSeeded("org", DAY)).toBe(false);
      await counters.seed("org", DAY, async () => ({ today: 3, thisMonth: 8 }));
      expect(await counters.isSeeded("org", DAY)).toBe(true);
      expect(await counters.isSeeded("other", DAY)).toBe(false);
      expect(await counters.isSeeded("org", "2026-12-01")).toBe(false);
      expect(await counters.reserve("org", DAY, 10)).toEqual({ allowed: true, today: 4, thisMonth: 9 });
    });

    test("counts nothing without loaded counts where they are required, and exactly the quota with them", async () => {
      expect(await counters.reserveLoaded("org", DAY, 50)).toBeNull();
      expect(await counters.read("org", DAY)).toEqual({ today: 0, thisMonth: 0 });
      await counters.seed("org", DAY, async () => ({ today: 3, thisMonth: 8 }));
      const other = (await bench.another()).counters;
      const readings = await Promise.all(
        Array.from({ length: 100 }, (_, at) => (at % 2 ? counters : other).reserveLoaded("org", DAY, 50)),
      );
      expect(readings.filter((reading) => reading?.allowed)).toHaveLength(42);
      expect(await counters.reserveLoaded("org", "2026-12-01", 50)).toBeNull();
    });

    test("loads stored counts once, however many load them", async () => {
      const other = (await bench.another()).counters;
      await Promise.all(
        [counters, other, counters].map((each) => each.seed("org", DAY, async () => ({ today: 3, thisMonth: 8 }))),
      );
      await counters.reserve("org", DAY, 100);
      await other.seed("org", DAY, async () => ({ today: 3, thisMonth: 8 }));
      expect(await other.read("org", DAY)).toEqual({ today: 4, thisMonth: 9 });
      expect(await other.isSeeded("org", DAY)).toBe(true);
    });

    test("adds what was counted before the stored counts arrived, less what they hold already", async () => {
      await counters.reserve("org", DAY, 9);
      await counters.reserve("org", DAY, 9);
      expect(await settled(counters)).toEqual([{ orgId: "org", day: DAY, calls: 2 }]);
      await counters.reserve("org", DAY, 9);
      await counters.reserve("org", "2026-11-19", 9);
      await counters.seed("org", DAY, async () => ({ today: 2, thisMonth: 5 }));
      expect(await counters.read("org", DAY)).toEqual({ today: 3, thisMonth: 7 });
    });

    test("returns what was counted since the last settlement, once", async () => {
      await counters.seed("org", DAY, async () => ({ today: 3, thisMonth: 8 }));
      await counters.reserve("org", DAY, 100);
      await counters.reserve("org", DAY, 100);
      await counters.refund("org", DAY);
      await counters.reserve("a|b", "2026-11-21", 100);
      const drained = [...(await settled(counters))].sort((a, b) => a.day.localeCompare(b.day));
      expect(drained).toEqual([
        { orgId: "org", day: DAY, calls: 1 },
        { orgId: "a|b", day: "2026-11-21", calls: 1 },
      ]);
      expect(await settled(counters)).toEqual([]);
      expect(await counters.read("org", DAY)).toEqual({ today: 4, thisMonth: 9 });
    });

    test("returns each call once when many settle at once", async () => {
      const other = (await bench.another()).counters;
      for (let at = 0; at < 30; at++) await counters.reserve(`org${at % 3}`, DAY, 100);
      const drains = await Promise.all([settled(counters), settled(other), settled(counters), settled(other)]);
      expect(drains.flat().reduce((sum, { calls }) => sum + calls, 0)).toBe(30);
    });

    test("returns again what could not be written, with what came since", async () => {
      await counters.reserve("org", DAY, 100);
      const failing = counters.settle(async () => {
        await counters.reserve("org", DAY, 100);
        throw new Error("the store is full");
      });
      await expect(failing).rejects.toThrow("the store is full");
      expect(await settled(counters)).toEqual([{ orgId: "org", day: DAY, calls: 2 }]);
      expect(await counters.read("org", DAY)).toEqual({ today: 2, thisMonth: 2 });
    });

    test("requests no write when nothing was counted", async () => {
      let writes = 0;
      await counters.settle(async () => {
        writes += 1;
      });
      expect(writes).toBe(0);
    });

    test("loads every call once while a settlement is in transit", async () => {
      const other = (await bench.another()).counters;
      let stored = 0;
      let arrive = () => {};
      const arrives = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      await counters.reserve("org", DAY, 9);
      const settling = counters.settle(async ([delta]) => {
        await arrives;
        stored += delta?.calls ?? 0;
      });
      const seeding = other.seed("org", DAY, async () => ({ today: stored, thisMonth: stored }));
      for (let turn = 0; turn < 100; turn += 1) await nextTurn();
      arrive();
      await Promise.all([settling, seeding]);
      expect(await other.read("org", DAY)).toEqual({ today: 1, thisMonth: 1 });
    });

    test("loads every call once when a settlement begins and ends while the store is read", async () => {
      let stored = 0;
      let reads = 0;
      await counters.reserve("org", DAY, 9);
      await counters.seed("org", DAY, async () => {
        const read = stored;
        reads += 1;
        if (reads === 1)
          await counters.settle(async ([delta]) => {
            stored += delta?.calls ?? 0;
          });
        return { today: read, thisMonth: read };
      });
      expect(reads).toBe(2);
      expect(await counters.read("org", DAY)).toEqual({ today: 1, thisMonth: 1 });
    });

    test("loads nothing when the store cannot be read", async () => {
      const failing = counters.seed("org", DAY, async () => {
        throw new Error("the store is away");
      });
      await expect(failing).rejects.toThrow("the store is away");
      expect(await counters.isSeeded("org", DAY)).toBe(false);
    });

    test("owes the store a negative figure for a call refunded after it was settled", async () => {
      await counters.reserve("org", DAY, 100);
      await settled(counters);
      await counters.refund("org", DAY);
      expect(await settled(counters)).toEqual([{ orgId: "org", day: DAY, calls: -1 }]);
    });

    test("owes nothing for a call refunded before it was settled", async () => {
      await counters.reserve("org", DAY, 100);
      await counters.refund("org", DAY);
      expect(await settled(counters)).toEqual([]);
    });
  });

/** What every engine guarantees of a window. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Bench, Engine } from "./engine.ts";
import { oneWindow } from "./one-window.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

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

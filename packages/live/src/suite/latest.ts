/** What every store of latest documents guarantees. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LatestPort } from "../ports.ts";
import type { Bench, Engine } from "./engine.ts";

export const latestSuite = (engine: Engine) =>
  describe(`latest, ${engine.name}`, () => {
    let bench: Bench;
    let latest: LatestPort;
    beforeEach(async () => {
      bench = await engine.open();
      latest = bench.live.latest;
    });
    afterEach(() => bench.close());

    test("is null for a key that was never put", async () => {
      expect(await latest.get("feeds")).toBeNull();
    });

    test("shows a put value to every process", async () => {
      const value = '{"ok":true,"note":"Zürich ☀"}';
      expect(await latest.put("feeds", value, { token: 1, atMs: 10 })).toBe(true);
      expect(await (await bench.another()).latest.get("feeds")).toBe(value);
    });

    test.each([
      { name: "a later instant of the same token replaces", order: { token: 2, atMs: 101 }, put: true },
      { name: "the same instant replaces", order: { token: 2, atMs: 100 }, put: true },
      { name: "an earlier instant is ignored", order: { token: 2, atMs: 99 }, put: false },
      { name: "an older token is ignored, however late", order: { token: 1, atMs: 1e13 }, put: false },
      { name: "a newer token replaces, though its clock is behind", order: { token: 3, atMs: 1 }, put: true },
      { name: "order is by number, not by digits", order: { token: 10, atMs: 5 }, put: true },
    ])("$name", async ({ order, put }) => {
      await latest.put("feeds", "first", { token: 2, atMs: 100 });
      expect(await latest.put("feeds", "second", order)).toBe(put);
      expect(await latest.get("feeds")).toBe(put ? "second" : "first");
    });

    test("keeps keys apart", async () => {
      await latest.put("a", "1", { token: 5, atMs: 5 });
      expect(await latest.put("b", "2", { token: 1, atMs: 1 })).toBe(true);
      expect(await latest.get("a")).toBe("1");
    });

    test("keeps the newest of many put at once", async () => {
      const orders = Array.from({ length: 50 }, (_, at) => ({ token: (at * 7) % 5, atMs: (at * 13) % 50 }));
      await Promise.all(orders.map((order) => latest.put("feeds", JSON.stringify(order), order)));
      const newest = orders.reduce((best, order) =>
        order.token > best.token || (order.token === best.token && order.atMs >= best.atMs) ? order : best,
      );
      expect(await latest.get("feeds")).toBe(JSON.stringify(newest));
    });

    test("answers a ping", async () => {
      await expect(latest.ping()).resolves.toBeUndefined();
    });
  });

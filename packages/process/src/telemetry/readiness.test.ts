import { describe, expect, test } from "vitest";
import { Readiness } from "./readiness.ts";

describe("readiness", () => {
  test("waits for every check, and then stays, whatever fails later", async () => {
    let hasPrice = false;
    let isBusUp = true;
    const readiness = new Readiness(["migrated", "bus", "price"], () => false);
    expect(await readiness.read()).toEqual({
      ready: false,
      checks: { migrated: false, bus: false, price: false, serving: true },
    });
    readiness.check("migrated", () => true);
    readiness.check("bus", () => (isBusUp ? true : Promise.reject(new Error("Redis is unavailable"))));
    readiness.check("price", () => hasPrice);
    expect((await readiness.read()).checks).toEqual({ migrated: true, bus: true, price: false, serving: true });
    hasPrice = true;
    isBusUp = false;
    expect((await readiness.read()).ready).toBe(true);
    hasPrice = false;
    expect((await readiness.read()).ready).toBe(true);
  });

  test("ends when the process is draining", async () => {
    let isEnding = false;
    const readiness = new Readiness([], () => isEnding);
    expect((await readiness.read()).ready).toBe(true);
    isEnding = true;
    expect(await readiness.read()).toEqual({ ready: false, checks: { serving: false } });
  });
});

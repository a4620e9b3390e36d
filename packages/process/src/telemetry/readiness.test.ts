/** When a process is ready, and how it says so. */
import { silentLog } from "@assay/live";
import { machineTime } from "@assay/ports";
import { describe, expect, test } from "vitest";
import { announceReady, Readiness } from "./readiness.ts";

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

test("`ready` is printed when every check is met, and not before; the log names what is waited for", async () => {
  const readiness = new Readiness(["bus", "price"], () => false);
  readiness.check("bus", () => true);
  const events: unknown[] = [];
  let looks = 0;
  await announceReady(readiness, "http://127.0.0.1:8080", {
    log: { ...silentLog, warn: (fields, message) => void events.push({ fields, message }) },
    clock: {
      sleep: async () => {
        expect(events.filter((event) => typeof event === "string")).toEqual([]);
        looks += 1;
        if (looks === 3) readiness.check("price", () => true);
      },
    },
    print: (line) => void events.push(line),
  });
  expect(looks).toBe(3);
  expect(events).toEqual([
    { fields: { service: "http://127.0.0.1:8080", waitsFor: ["price"] }, message: "started; not ready yet" },
    "ready http://127.0.0.1:8080\n",
  ]);
});

test("a process that is ready at once says nothing else", async () => {
  const lines: string[] = [];
  const log = { ...silentLog, warn: (_fields: object, message: string) => void lines.push(message) };
  await announceReady(new Readiness([], () => false), "writer one", {
    log,
    clock: machineTime,
    print: (line) => void lines.push(line),
  });
  expect(lines).toEqual(["ready writer one\n"]);
});

/** Bounds that only the in-memory engines have. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { silentLog } from "../log.ts";
import type { MarketEvent } from "../ports.ts";
import { MemoryBus } from "./bus.ts";
import { MemoryCounters } from "./counters.ts";
import { MemoryLimiter } from "./limiter.ts";

const replaced = (symbol: string): MarketEvent => ({ kind: "bars-replaced", symbol });

afterEach(() => vi.useRealTimers());

describe("the bus in memory", () => {
  test("has notified every subscriber when publish returns", async () => {
    const bus = new MemoryBus(silentLog);
    const heard: MarketEvent[] = [];
    await bus.subscribe((event) => heard.push(event));
    const published = bus.publish(replaced("GC"));
    expect(heard).toHaveLength(1);
    await published;
  });

  test("refuses what a subscriber publishes without end, and reports the gap", async () => {
    const bus = new MemoryBus(silentLog);
    const refused: unknown[] = [];
    const heard: string[] = [];
    await bus.subscribe((event) => void bus.publish(event).catch((error: unknown) => refused.push(error)), {
      onGap: ({ reason }) => heard.push(reason),
    });
    await bus.publish(replaced("GC"));
    await vi.waitFor(() => expect(refused).toHaveLength(1), { timeout: 5_000 });
    expect(heard).toEqual(["missed"]);
  });

  test("receives nothing after it was closed", async () => {
    const bus = new MemoryBus(silentLog);
    const heard: MarketEvent[] = [];
    await bus.subscribe((event) => heard.push(event));
    bus.close();
    await bus.publish(replaced("GC"));
    expect(heard).toEqual([]);
  });
});

describe("the limiter in memory", () => {
  test("forgets the oldest windows beyond its bound, and no younger one", async () => {
    const limiter = new MemoryLimiter(3);
    for (const key of ["a", "b", "c", "d"]) await limiter.consume(key, 1, 60_000);
    expect((await limiter.peek("a", 1, 60_000)).allowed).toBe(true);
    for (const key of ["b", "c", "d"]) expect((await limiter.peek(key, 1, 60_000)).allowed).toBe(false);
  });

  test("treats a restarted window as new", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    const limiter = new MemoryLimiter(2);
    await limiter.consume("a", 1, 1_000);
    await limiter.consume("b", 1, 60_000);
    vi.advanceTimersByTime(1_500);
    await limiter.consume("a", 1, 60_000);
    await limiter.consume("c", 1, 60_000);
    expect((await limiter.peek("a", 1, 60_000)).allowed).toBe(false);
    expect((await limiter.peek("b", 1, 60_000)).allowed).toBe(true);
  });
});

describe("the limiter's clock", () => {
  test("ends no window late when it is set back", async () => {
    let nowMs = 1_000_000;
    const limiter = new MemoryLimiter(3, () => nowMs);
    await limiter.consume("a", 1, 60_000);
    expect((await limiter.consume("a", 1, 60_000)).allowed).toBe(false);
    nowMs -= 3_600_000;
    expect(await limiter.consume("a", 1, 60_000)).toEqual({ allowed: true, limit: 1, remaining: 0, resetInMs: 60_000 });
  });
});

describe("the counters in memory", () => {
  test("keep two months, and what is unsettled of every month", () => {
    const counters = new MemoryCounters();
    for (const day of ["2026-09-30", "2026-10-31", "2026-11-01"]) counters.reserve("org", day, 9);
    expect(counters.read("org", "2026-09-30")).toEqual({ today: 0, thisMonth: 0 });
    expect(counters.read("org", "2026-10-31")).toEqual({ today: 1, thisMonth: 1 });
    expect(counters.drain().map(({ day }) => day)).toEqual(["2026-09-30", "2026-10-31", "2026-11-01"]);
  });

  test("take back a call whose month has ended meanwhile", () => {
    const counters = new MemoryCounters();
    counters.reserve("org", "2026-10-31", 9);
    counters.reserve("org", "2026-11-01", 9);
    counters.refund("org", "2026-10-31");
    expect(counters.read("org", "2026-10-31").thisMonth).toBe(0);
  });
});

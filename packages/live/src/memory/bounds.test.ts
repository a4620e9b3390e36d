/** Bounds that only the in-memory engines have. */
import { fakeClock } from "@assay/ports/virtual";
import { describe, expect, test, vi } from "vitest";
import { silentLog } from "../log.ts";
import type { MarketEvent } from "../ports.ts";
import { MemoryLimiter } from "./admissions.ts";
import { MemoryBus } from "./bus.ts";
import { MemoryCounters } from "./counters.ts";

const replaced = (symbol: string): MarketEvent => ({ kind: "bars-replaced", symbol });

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
  test("forgets the oldest windows beyond its bound, and no younger one", () => {
    const limiter = new MemoryLimiter(3, fakeClock(0));
    for (const key of ["a", "b", "c", "d"]) limiter.count([{ key, limit: 1, windowMs: 60_000 }]);
    expect(limiter.read({ key: "a", limit: 1, windowMs: 60_000 }).allowed).toBe(true);
    for (const key of ["b", "c", "d"]) expect(limiter.read({ key, limit: 1, windowMs: 60_000 }).allowed).toBe(false);
  });

  test("treats a restarted window as new", () => {
    const clock = fakeClock(0);
    const limiter = new MemoryLimiter(2, clock);
    limiter.count([{ key: "a", limit: 1, windowMs: 1_000 }]);
    limiter.count([{ key: "b", limit: 1, windowMs: 60_000 }]);
    clock.advance(1_500);
    limiter.count([{ key: "a", limit: 1, windowMs: 60_000 }]);
    limiter.count([{ key: "c", limit: 1, windowMs: 60_000 }]);
    expect(limiter.read({ key: "a", limit: 1, windowMs: 60_000 }).allowed).toBe(false);
    expect(limiter.read({ key: "b", limit: 1, windowMs: 60_000 }).allowed).toBe(true);
  });
});

describe("the limiter's clock", () => {
  test("ends no window late when it is set back", () => {
    let nowMs = 1_000_000;
    const limiter = new MemoryLimiter(3, () => nowMs);
    limiter.count([{ key: "a", limit: 1, windowMs: 60_000 }]);
    expect(limiter.count([{ key: "a", limit: 1, windowMs: 60_000 }])[0]?.allowed).toBe(false);
    nowMs -= 3_600_000;
    expect(limiter.count([{ key: "a", limit: 1, windowMs: 60_000 }])).toEqual([
      { allowed: true, limit: 1, remaining: 0, resetInMs: 60_000 },
    ]);
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

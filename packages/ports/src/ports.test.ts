import { describe, expect, it, test } from "vitest";
import { openClock } from "./machine.ts";
import { seededRandom, virtualTime } from "./virtual.ts";

const START_MS = Date.parse("2026-11-20T12:00:00Z");

describe("virtual time", () => {
  it("runs timers when they are due, in order, each at its own instant", async () => {
    const time = virtualTime(START_MS);
    const ran: string[] = [];
    const note = (name: string) => (): void => void ran.push(`${name} ${time() - START_MS}`);
    time.after(30, note("late"));
    time.every(10, note("again"));
    time.after(10, note("once"));
    time.after(10, note("cancelled"))();
    expect(time.pending()).toEqual([10, 10, 30]);
    await time.advance(29);
    expect(ran).toEqual(["again 10", "once 10", "again 20"]);
    await time.advance(1);
    expect(ran.slice(3)).toEqual(["late 30", "again 30"]);
  });

  it("moves on with work that waits several times", async () => {
    const time = virtualTime(START_MS);
    const work = (async () => {
      for (let waits = 0; waits < 3; waits += 1) await time.sleep(20);
      return time();
    })();
    await time.advance(60);
    expect(await work).toBe(START_MS + 60);
  });

  it("ends a sleep as soon as its signal aborts", async () => {
    const time = virtualTime(START_MS);
    const ending = new AbortController();
    const asleep = time.sleep(1_000, ending.signal);
    ending.abort();
    await asleep;
    await time.sleep(1_000, ending.signal);
    expect(time.pending()).toEqual([]);
  });

  it("keeps its timers and its elapsed time when the clock is set", async () => {
    const time = virtualTime(START_MS);
    time.after(10, () => undefined);
    time.set(START_MS - 60_000);
    expect([time() - START_MS, time.elapsed(), time.pending()]).toEqual([-60_000, 0, [10]]);
    await time.advance(5);
    expect([time() - START_MS, time.elapsed()]).toEqual([-59_995, 5]);
  });
});

test("a clock is the machine's unless it is shifted, and its timers are in any case", () => {
  const machine = virtualTime(1_000);
  expect(openClock(0, machine)()).toBe(1_000);
  expect(openClock(-1_500, machine)()).toBe(-500);
  const ahead = openClock(500, machine);
  expect(ahead()).toBe(1_500);
  ahead.after(20, () => undefined);
  expect(machine.pending()).toEqual([20]);
});

describe("seeded randomness", () => {
  it("is the same for the same seed, and another for another", () => {
    const drawn = (seed: number): unknown[] => {
      const random = seededRandom(seed);
      return [random(), random.int(62), random.bytes(16).toString("hex"), random.uuid()];
    };
    expect(drawn(7)).toEqual(drawn(7));
    expect(new Set([...drawn(7), ...drawn(8)]).size).toBe(8);
    expect(seededRandom(1).uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("covers its range", () => {
    const random = seededRandom(1);
    const drawn = Array.from({ length: 1_000 }, () => random.int(4));
    const counts = [0, 1, 2, 3].map((face) => drawn.filter((each) => each === face).length);
    expect(counts.reduce((sum, each) => sum + each)).toBe(1_000);
    expect(Math.min(...counts)).toBeGreaterThan(200);
  });
});

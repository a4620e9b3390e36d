/** Time that only a test moves, and randomness that is the same in every run. */
import { setImmediate } from "node:timers/promises";
import { machineTime } from "./machine.ts";
import { everyBy, type Random, sleepBy, type Time, withClock } from "./ports.ts";

/** A clock that a test sets, while timers run by the machine: for what waits for sockets and processes. */
export interface FakeClock extends Time {
  advance(ms: number): void;
  /** Sets the time, backwards too. */
  set(ms: number): void;
}

/** @param startMs its initial time, epoch milliseconds */
export const fakeClock = (startMs: number): FakeClock => {
  let nowMs = startMs;
  return Object.assign(
    withClock(machineTime, () => nowMs),
    {
      advance: (ms: number): void => {
        nowMs += ms;
      },
      set: (ms: number): void => {
        nowMs = ms;
      },
    },
  );
};

/** Time in which nothing happens by itself: a clock, and timers that run when it is advanced. */
export interface VirtualTime extends Time {
  /** Runs what becomes due, in order, and lets everything settle before and after each. */
  advance(ms: number): Promise<void>;
  /** Sets the clock, backwards too, as an operator may; timers do not notice. */
  set(ms: number): void;
  /** Delays of the pending timers, soonest first. */
  pending(): readonly number[];
  /** How many timers have run. */
  ran(): number;
}

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** Turns without work until everything counts as settled: an answer may take a few to reach who asked. */
const IDLE_TURNS = 3;

/**
 * @param startMs the initial time of the clock, epoch milliseconds
 * @param isBusy whether something outside of these timers is under way, such as a query: time then waits for it
 */
export const virtualTime = (startMs: number, isBusy: () => boolean = () => false): VirtualTime => {
  let elapsedMs = 0;
  let aheadMs = startMs;
  let ran = 0;
  const timers = new Set<Timer>();
  const settle = async (): Promise<void> => {
    for (let idle = 0; idle < IDLE_TURNS; idle = isBusy() ? 0 : idle + 1) await setImmediate();
  };
  // Of those due together, the one that was set first: a set keeps its order, and so does a sort.
  const inOrder = (): Timer[] => [...timers].sort((a, b) => a.atMs - b.atMs);

  const after: Time["after"] = (ms, run) => {
    // Whole milliseconds, as the machine's are.
    const timer = { atMs: elapsedMs + Math.max(0, Math.trunc(ms)), run };
    timers.add(timer);
    return () => timers.delete(timer);
  };

  const clock = (): number => elapsedMs + aheadMs;
  return Object.assign(clock, {
    elapsed: () => elapsedMs,
    after,
    every: everyBy(after),
    sleep: sleepBy(after),
    turn: () => setImmediate(),
    advance: async (ms: number): Promise<void> => {
      const untilMs = elapsedMs + ms;
      await settle();
      for (let [next] = inOrder(); next && next.atMs <= untilMs; [next] = inOrder()) {
        timers.delete(next);
        elapsedMs = next.atMs;
        ran += 1;
        next.run();
        await settle();
      }
      elapsedMs = untilMs;
    },
    set: (ms: number): void => {
      aheadMs = ms - elapsedMs;
    },
    ran: () => ran,
    pending: () => inOrder().map(({ atMs }) => atMs - elapsedMs),
  });
};

/** The version and variant of a random UUID, as RFC 9562 has them. */
const asUuid = (bytes: Buffer): string => {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

/** The same dice for the same seed (mulberry32). Anybody can foresee them. */
export const seededRandom = (seed: number): Random => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (bound: number): number => Math.floor(next() * bound);
  const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => int(256)));
  return Object.assign(next, { int, bytes, uuid: () => asUuid(bytes(16)) });
};

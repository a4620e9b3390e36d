/** The machine's own time and randomness. */
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Random, sleepBy, type Time, withClock } from "./ports.ts";

const after: Time["after"] = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

export const machineTime: Time = Object.assign(() => Date.now(), {
  elapsed: () => performance.now(),
  after,
  every: (ms: number, run: () => void) => {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
  sleep: sleepBy(after),
  turn: () => setImmediate(),
});

/**
 * The time that everything in a process is passed.
 * @param offsetMs `CLOCK_OFFSET_MS`: how far it runs ahead of the machine's clock, for rehearsals
 */
export const openClock = (offsetMs: number, machine: Time = machineTime): Time =>
  offsetMs === 0 ? machine : withClock(machine, () => machine() + offsetMs);

export const machineRandom: Random = Object.assign(() => Math.random(), {
  int: (bound: number) => randomInt(bound),
  bytes: (count: number) => randomBytes(count),
  uuid: () => randomUUID(),
});

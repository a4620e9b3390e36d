/** Any sequence of commands has the same results on the in-memory engine and on Redis. */
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { CallWindow, CountersPort, LeaseToken, LimitReading, Live, UsageDelta } from "./ports.ts";
import { type Bench, ENGINES, oneWindow, START_MS, settled } from "./suite/engine.ts";

/** Times in whole minutes and durations at half minutes, so that a few milliseconds of server time never decide a result. */
const STEP_MS = 60_000;

type LeaseCommand =
  | { readonly does: "acquire"; readonly holder: string; readonly steps: number; readonly floor: number }
  | { readonly does: "renew" | "release"; readonly which: number; readonly steps: number }
  | { readonly does: "current" }
  | { readonly does: "advance"; readonly steps: number };

const holder = fc.constantFrom("a", "b", "c:1");
const steps = fc.integer({ min: 0, max: 4 });
const leaseCommand: fc.Arbitrary<LeaseCommand> = fc.oneof(
  fc.record({ does: fc.constant("acquire" as const), holder, steps, floor: fc.integer({ min: 0, max: 6 }) }),
  fc.record({ does: fc.constantFrom("renew" as const, "release" as const), which: fc.nat(3), steps }),
  fc.record({ does: fc.constant("current" as const) }),
  fc.record({ does: fc.constant("advance" as const), steps }),
);

const ttl = (count: number): number => count * STEP_MS + STEP_MS / 2;
const named = (token: LeaseToken | null) =>
  token && { holder: token.holder, token: token.token, expires: Math.floor((token.expiresAtMs - START_MS) / STEP_MS) };

const runLease = async (bench: Bench, commands: readonly LeaseCommand[]): Promise<unknown[]> => {
  const { lease } = bench.live;
  const given: LeaseToken[] = [];
  const answers: unknown[] = [];
  for (const command of commands) {
    if (command.does === "advance") await bench.advance(command.steps * STEP_MS);
    else if (command.does === "current") answers.push(named(await lease.current()));
    else if (command.does === "acquire") {
      const token = await lease.acquire(command.holder, ttl(command.steps), command.floor);
      if (token) given.push(token);
      answers.push(named(token));
    } else {
      const held = given.at(-1 - command.which);
      if (!held) continue;
      answers.push(command.does === "renew" ? named(await lease.renew(held, ttl(command.steps))) : await lease.release(held));
    }
  }
  return answers;
};

type PutCommand = { readonly key: string; readonly value: string; readonly token: number; readonly atMs: number };
const putCommand: fc.Arbitrary<PutCommand> = fc.record({
  key: fc.constantFrom("feeds", "a:b"),
  value: fc.string({ unit: "grapheme", maxLength: 6 }),
  token: fc.integer({ min: 0, max: 12 }),
  atMs: fc.integer({ min: START_MS, max: START_MS + 3 }),
});

const runLatest = async ({ live }: Bench, commands: readonly PutCommand[]): Promise<unknown[]> => {
  const answers: unknown[] = [];
  for (const { key, value, token, atMs } of commands) {
    answers.push(await live.latest.put(key, value, { token, atMs }), await live.latest.get(key));
  }
  return answers;
};

type CountVerb = "reserve" | "refund" | "read" | "isSeeded" | "seed";
type CountCommand =
  | { readonly does: CountVerb; readonly org: string; readonly day: string; readonly figure: number }
  | { readonly does: "settle" }
  | { readonly does: "fail to settle" };

const org = fc.constantFrom("org", "o|2", "ü");
const day = fc.constantFrom("2026-11-30", "2026-11-29", "2026-12-01");
const figure = fc.integer({ min: 0, max: 6 });
const count = <V extends CountVerb>(does: V) => fc.record({ does: fc.constant(does), org, day, figure });
const countCommand: fc.Arbitrary<CountCommand> = fc.oneof(
  { weight: 5, arbitrary: count("reserve") },
  ...(["refund", "read", "isSeeded", "seed"] as const).map((does) => ({ weight: 1, arbitrary: count(does) })),
  ...(["settle", "fail to settle"] as const).map((does) => ({ weight: 1, arbitrary: fc.record({ does: fc.constant(does) }) })),
);

const inOrder = (deltas: readonly UsageDelta[]) =>
  [...deltas].sort((a, b) => (`${a.day}${a.orgId}` < `${b.day}${b.orgId}` ? -1 : 1));

const failToSettle = async (counters: CountersPort): Promise<void> => {
  try {
    await counters.settle(async () => {
      throw new Error("the store is full");
    });
  } catch {
    // What was handed out is kept for comparison.
  }
};

const runCounters = async ({ live }: Bench, commands: readonly CountCommand[]): Promise<unknown[]> => {
  const { counters } = live;
  const answers: unknown[] = [];
  for (const command of commands) {
    if (command.does === "settle") answers.push(inOrder(await settled(counters)));
    else if (command.does === "fail to settle") await failToSettle(counters);
    else {
      const { does, org: orgId, day: onDay, figure: amount } = command;
      if (does === "reserve") answers.push(await counters.reserve(orgId, onDay, amount));
      if (does === "refund") await counters.refund(orgId, onDay);
      if (does === "read") answers.push(await counters.read(orgId, onDay));
      if (does === "isSeeded") answers.push(await counters.isSeeded(orgId, onDay));
      if (does === "seed") await counters.seed(orgId, onDay, async () => ({ today: amount, thisMonth: amount + 1 }));
    }
  }
  return answers;
};

type LimitCommand = {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly peek: boolean;
  readonly steps: number;
};
const limitCommand: fc.Arbitrary<LimitCommand> = fc.record({
  key: fc.constantFrom("a", "b"),
  limit: fc.integer({ min: 1, max: 4 }),
  windowMs: fc.constantFrom(STEP_MS + STEP_MS / 2, 3 * STEP_MS + STEP_MS / 2),
  peek: fc.boolean(),
  steps: fc.constantFrom(0, 0, 0, 1, 2),
});

const runLimiter = async (bench: Bench, commands: readonly LimitCommand[]): Promise<unknown[]> => {
  const answers: unknown[] = [];
  for (const { key, limit, windowMs, peek, steps: count } of commands) {
    if (count > 0) await bench.advance(count * STEP_MS);
    const { consume, peek: read } = oneWindow(bench.live);
    const reading = peek ? await read(key, limit, windowMs) : await consume(key, limit, windowMs);
    answers.push({ ...reading, resetInMs: Math.floor(reading.resetInMs / STEP_MS) });
  }
  return answers;
};

type CallCommand = {
  readonly does: "reserve" | "reserveLoaded" | "read" | "isSeeded" | "admit" | "admit with a key";
  readonly windows: readonly CallWindow[];
  readonly org: string;
  readonly day: string;
  readonly quota: number;
  readonly isMetered: boolean;
};
/** Calls that come at once, after so many steps. */
type Turn = { readonly steps: number; readonly calls: readonly CallCommand[] };
const callWindow: fc.Arbitrary<CallWindow> = fc.record({
  key: fc.constantFrom("a", "b"),
  limit: fc.integer({ min: 0, max: 6 }),
  windowMs: fc.constantFrom(STEP_MS + STEP_MS / 2, 3 * STEP_MS + STEP_MS / 2),
});
const callCommand: fc.Arbitrary<CallCommand> = fc.record({
  does: fc.constantFrom(
    ...(["reserve", "reserveLoaded", "read", "isSeeded"] as const),
    ...(["admit", "admit", "admit with a key", "admit with a key"] as const),
  ),
  // One, or several in any order.
  windows: fc.uniqueArray(callWindow, {
    minLength: 1,
    maxLength: 3,
    selector: ({ key, windowMs }) => `${windowMs}:${key}`,
  }),
  org,
  day,
  quota: fc.integer({ min: 0, max: 8 }),
  isMetered: fc.boolean(),
});
/** Equal calls are what batches merge, so most of a turn's calls are. */
const turn: fc.Arbitrary<Turn> = fc.record({
  steps: fc.constantFrom(0, 0, 1, 2),
  calls: fc
    .array(fc.tuple(callCommand, fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 6, size: "max" })
    .chain((parts) => {
      const calls = parts.flatMap(([call, times]) => Array.from({ length: times }, () => call));
      return fc.oneof(fc.constant(calls), fc.shuffledSubarray(calls, { minLength: calls.length }));
    }),
});

const doCall = async ({ live }: Bench, { does, windows, org: orgId, day: onDay, quota, isMetered }: CallCommand) => {
  if (does === "reserve" || does === "reserveLoaded") return live.counters[does](orgId, onDay, quota);
  if (does === "read" || does === "isSeeded") return live.counters[does](orgId, onDay);
  const month = does === "admit" ? null : { orgId, day: onDay, quota, isMetered };
  const { windows: readings, usage } = await live.admissions.admit(windows, month);
  const coarse = (reading: LimitReading) => ({ ...reading, resetInMs: Math.floor(reading.resetInMs / STEP_MS) });
  return { windows: readings.map(coarse), usage };
};

/** The calls of a turn come at once on Redis, and one by one in memory. */
const runTurns = async (bench: Bench, turns: readonly Turn[]): Promise<unknown[]> => {
  const { live } = bench;
  await live.counters.seed("org", "2026-11-30", async () => ({ today: 1, thisMonth: 2 }));
  const answers: unknown[] = [];
  for (const { steps: count, calls } of turns) {
    if (count > 0) await bench.advance(count * STEP_MS);
    if (live.kind === "redis") answers.push(...(await Promise.all(calls.map((call) => doCall(bench, call)))));
    else for (const call of calls) answers.push(await doCall(bench, call));
  }
  answers.push(inOrder(await settled(live.counters)));
  return answers;
};

/** Runs the same commands on a fresh engine of every kind. */
const onEvery = async <C>(run: (bench: Bench, commands: readonly C[]) => Promise<unknown[]>, commands: readonly C[]) => {
  const answers: unknown[][] = [];
  for (const engine of ENGINES) {
    const bench = await engine.open();
    try {
      answers.push(await run(bench, commands));
    } finally {
      await bench.close();
    }
  }
  return answers;
};

const sameOnEvery = <C>(
  command: fc.Arbitrary<C>,
  run: (bench: Bench, commands: readonly C[]) => Promise<unknown[]>,
  maxLength = 40,
) =>
  fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength, size: "max" }), async (commands) => {
      const [memory, redis] = await onEvery(run, commands);
      expect(redis).toEqual(memory);
    }),
    { numRuns: 40 },
  );

if (ENGINES.length < 2) process.stdout.write("memory = redis: skipped, because TEST_REDIS_URL is not set\n");

describe.skipIf(ENGINES.length < 2)(
  "any sequence of commands means the same in memory and on Redis",
  { meta: { needs: "TEST_REDIS_URL is not set" } },
  () => {
    test("lease", () => sameOnEvery(leaseCommand, runLease));
    test("latest", () => sameOnEvery(putCommand, runLatest));
    test("counters", () => sameOnEvery(countCommand, runCounters));
    test("windows", () => sameOnEvery(limitCommand, runLimiter));
    test("calls that come at once on Redis, in any grouping, and one by one in memory", () => sameOnEvery(turn, runTurns, 8));
  },
);

describe("in any sequence of commands", () => {
  const inMemory = async (check: (live: Live, bench: Bench) => Promise<void>) => {
    const bench = await ENGINES[0]?.open();
    if (!bench) throw new Error("there is always an engine in memory");
    try {
      await check(bench.live, bench);
    } finally {
      await bench.close();
    }
  };

  test("lease tokens rise with every grant", () =>
    fc.assert(
      fc.asyncProperty(fc.array(leaseCommand, { maxLength: 60, size: "max" }), (commands) =>
        inMemory(async ({ lease }, bench) => {
          const tokens: number[] = [];
          const grant = vi.spyOn(lease, "acquire");
          await runLease(bench, commands);
          for (const { value } of grant.mock.settledResults) if (value) tokens.push(value.token);
          expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => a - b));
        }),
      ),
    ));

  test("settled and unsettled calls add up to what was counted", () =>
    fc.assert(
      fc.asyncProperty(fc.array(countCommand, { maxLength: 60, size: "max" }), (commands) =>
        inMemory(async ({ counters }, bench) => {
          const settle = counters.settle.bind(counters);
          const written: UsageDelta[] = [];
          vi.spyOn(counters, "settle").mockImplementation((write) =>
            settle(async (deltas) => {
              await write(deltas);
              written.push(...deltas);
            }),
          );
          await runCounters(
            bench,
            commands.filter(({ does }) => does !== "seed"),
          );
          await settled(counters);
          for (const orgId of ["org", "o|2", "ü"]) {
            const counted =
              (await counters.read(orgId, "2026-11-30")).thisMonth + (await counters.read(orgId, "2026-12-01")).thisMonth;
            const sum = written.filter((delta) => delta.orgId === orgId).reduce((total, { calls }) => total + calls, 0);
            expect(sum).toBe(counted);
          }
        }),
      ),
    ));
});

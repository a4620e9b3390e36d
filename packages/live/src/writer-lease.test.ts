/** The writer's state machine: every event in every state, and many writers against one lease. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LeaseToken } from "./ports.ts";
import { WritersModel } from "./suite/writers-model.ts";
import {
  type LeaseTiming,
  marginMs,
  mayWrite,
  renewIntervalMs,
  retryIntervalMs,
  startFollowing,
  transition,
  type WriterEvent,
  type WriterState,
  wakeAtMs,
} from "./writer-lease.ts";

const timing: LeaseTiming = { ttlMs: 9_000 };
const NOW_MS = 100_000;
const held: LeaseToken = { holder: "a", token: 5, expiresAtMs: NOW_MS + 6_000 };
const extended: LeaseToken = { ...held, expiresAtMs: NOW_MS + 9_000 };
const LATE_MS = held.expiresAtMs - marginMs(timing);

const STATES = {
  follower: { name: "follower", retryAtMs: NOW_MS },
  acquiring: { name: "acquiring" },
  claiming: { name: "claiming", held },
  leader: { name: "leader", held, renewAtMs: NOW_MS },
  renewing: { name: "renewing", held },
  lost: { name: "lost", held },
  leaving: { name: "leaving" },
  stopping: { name: "stopping", held },
  releasing: { name: "releasing", held },
  stopped: { name: "stopped" },
} as const satisfies Record<WriterState["name"], WriterState>;

const EVENTS = {
  tick: { name: "tick" },
  acquired: { name: "acquired", held },
  refused: { name: "refused" },
  unreachable: { name: "unreachable" },
  claimed: { name: "claimed", token: 5 },
  claimRefused: { name: "claimRefused", token: 5 },
  claimFailed: { name: "claimFailed", token: 5 },
  renewed: { name: "renewed", held: extended },
  notRenewed: { name: "notRenewed", token: 5 },
  renewFailed: { name: "renewFailed", token: 5 },
  writeRefused: { name: "writeRefused", token: 5 },
  halted: { name: "halted" },
  released: { name: "released", token: 5 },
  stop: { name: "stop" },
} as const satisfies Record<WriterEvent["name"], WriterEvent>;

/** The next state and the actions; null where the event has no effect. */
type Expected = readonly [state: WriterState["name"], ...actions: string[]] | null;
type Row = Record<WriterEvent["name"], Expected>;

/** An event has no effect unless a row says so. */
const NOTHING: Row = {
  tick: null,
  acquired: null,
  refused: null,
  unreachable: null,
  claimed: null,
  claimRefused: null,
  claimFailed: null,
  renewed: null,
  notRenewed: null,
  renewFailed: null,
  writeRefused: null,
  halted: null,
  released: null,
  stop: null,
};

const TABLE: Record<WriterState["name"], Row> = {
  follower: { ...NOTHING, tick: ["acquiring", "acquire"], stop: ["stopped"] },
  acquiring: {
    ...NOTHING,
    acquired: ["claiming", "claim"],
    refused: ["follower"],
    unreachable: ["follower"],
    stop: ["leaving"],
  },
  claiming: {
    ...NOTHING,
    claimed: ["leader", "startWriting"],
    claimRefused: ["follower", "release"],
    claimFailed: ["follower", "release"],
    stop: ["releasing", "release"],
  },
  leader: { ...NOTHING, tick: ["renewing", "renew"], writeRefused: ["lost", "stopWriting"], stop: ["stopping", "stopWriting"] },
  renewing: {
    ...NOTHING,
    renewed: ["leader"],
    notRenewed: ["lost", "stopWriting"],
    renewFailed: ["leader"],
    writeRefused: ["lost", "stopWriting"],
    stop: ["stopping", "stopWriting"],
  },
  lost: { ...NOTHING, halted: ["follower"], stop: ["stopping"] },
  leaving: { ...NOTHING, acquired: ["releasing", "release"], refused: ["stopped"], unreachable: ["stopped"] },
  stopping: { ...NOTHING, halted: ["releasing", "release"] },
  releasing: { ...NOTHING, released: ["stopped"] },
  stopped: NOTHING,
};

/** A lease too old to write under is lost on any event, unless that event extends it. */
const LOST: Expected = ["lost", "stopWriting"];
const ALL_LOST: Row = {
  tick: LOST,
  acquired: LOST,
  refused: LOST,
  unreachable: LOST,
  claimed: LOST,
  claimRefused: LOST,
  claimFailed: LOST,
  renewed: LOST,
  notRenewed: LOST,
  renewFailed: LOST,
  writeRefused: LOST,
  halted: LOST,
  released: LOST,
  stop: ["stopping", "stopWriting"],
};
const TABLE_WHEN_OVER: Record<WriterState["name"], Row> = {
  ...TABLE,
  acquiring: { ...TABLE.acquiring, acquired: ["follower", "release"] },
  claiming: { ...TABLE.claiming, tick: ["follower", "release"], claimed: ["follower", "release"] },
  leader: ALL_LOST,
  renewing: { ...ALL_LOST, renewed: ["leader"] },
};

const stateNames = Object.keys(STATES) as WriterState["name"][]; // the keys of the literal above
const eventNames = Object.keys(EVENTS) as WriterEvent["name"][]; // the keys of the literal above
const cells = (table: (state: WriterState["name"], event: WriterEvent["name"]) => Expected) =>
  stateNames.flatMap((state) => eventNames.map((event) => ({ state, event, expected: table(state, event) })));
const outcome = (state: WriterState, event: WriterEvent, nowMs: number): Expected => {
  const next = transition(state, event, nowMs, timing);
  const changed = next.state !== state || next.actions.length > 0;
  return changed ? [next.state.name, ...next.actions.map(({ name }) => name)] : null;
};
const tokenOf = (event: WriterEvent): number | null =>
  event.name === "renewed" ? event.held.token : "token" in event ? event.token : null;
const aboutFormerToken = (event: WriterEvent): WriterEvent =>
  event.name === "renewed" ? { ...event, held: { ...event.held, token: 4 } } : "token" in event ? { ...event, token: 4 } : event;

describe("every event in every state", () => {
  test.each(cells((state, event) => TABLE[state][event]))("$state, $event → $expected", ({ state, event, expected }) => {
    expect(outcome(STATES[state], EVENTS[event], NOW_MS)).toEqual(expected);
  });

  test.each(cells((state, event) => TABLE_WHEN_OVER[state][event]))(
    "$state, $event → $expected, when the lease is over",
    ({ state, event, expected }) => {
      expect(outcome(STATES[state], EVENTS[event], LATE_MS)).toEqual(expected);
    },
  );

  test.each(cells(() => null).filter(({ event }) => tokenOf(EVENTS[event]) !== null))(
    "$state, $event about a former token → nothing",
    ({ state, event }) => {
      expect(outcome(STATES[state], aboutFormerToken(EVENTS[event]), NOW_MS)).toBeNull();
    },
  );
});

describe("a writer", () => {
  test("asks at once when it starts, and again after a pause", () => {
    const asked = transition(startFollowing(NOW_MS), { name: "tick" }, NOW_MS, timing);
    expect(asked.actions).toEqual([{ name: "acquire" }]);
    const refused = transition(asked.state, { name: "refused" }, NOW_MS, timing);
    expect(wakeAtMs(refused.state, timing)).toBe(NOW_MS + retryIntervalMs(timing));
    expect(transition(refused.state, { name: "tick" }, NOW_MS, timing).actions).toEqual([]);
  });

  test("renews a third into its lease, counted from when it asked", () => {
    const { state } = transition(STATES.claiming, EVENTS.claimed, NOW_MS, timing);
    expect(wakeAtMs(state, timing)).toBe(held.expiresAtMs - timing.ttlMs + renewIntervalMs(timing));
  });

  test("writes under the extended lease after a renewal, and tries again soon after one that failed", () => {
    const renewed = transition(STATES.renewing, EVENTS.renewed, NOW_MS, timing).state;
    expect(mayWrite(renewed, LATE_MS, timing)).toBe(true);
    const failed = transition(STATES.renewing, EVENTS.renewFailed, NOW_MS, timing).state;
    expect(wakeAtMs(failed, timing)).toBe(NOW_MS + retryIntervalMs(timing));
    expect(mayWrite(failed, LATE_MS, timing)).toBe(false);
  });

  test("may write only as a leader, and only before its lease is nearly over", () => {
    for (const name of stateNames) {
      const leads = name === "leader" || name === "renewing";
      expect(mayWrite(STATES[name], LATE_MS - 1, timing)).toBe(leads);
      expect(mayWrite(STATES[name], LATE_MS, timing)).toBe(false);
    }
  });

  test("is never due before a tick it just had", () => {
    for (const name of stateNames) {
      const { state } = transition(STATES[name], EVENTS.tick, NOW_MS, timing);
      expect(wakeAtMs(state, timing) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(NOW_MS);
    }
  });
});

describe("many writers against one lease", () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ does: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 3_000 }) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        does: fc.constant("run" as const),
        ms: fc.integer({ min: 20, max: 150 }),
        times: fc.integer({ min: 1, max: 60 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("cut" as const), writer: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("cutStore" as const), writer: fc.nat(2) }) },
    { weight: 12, arbitrary: fc.record({ does: fc.constant("move" as const), which: fc.nat(7) }) },
    { weight: 4, arbitrary: fc.record({ does: fc.constant("write" as const), writer: fc.nat(2) }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("fail" as const), which: fc.nat(7) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("restart" as const), writer: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("stop" as const), writer: fc.nat(2) }) },
  );
  const lossyStep = fc.oneof(
    { weight: 20, arbitrary: step },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("loseLease" as const) }) },
  );
  const rates = fc.tuple(...([0, 1, 2] as const).map(() => fc.double({ min: 0.96, max: 1.04, noNaN: true })));

  const offsets = fc.tuple(...([0, 1, 2] as const).map(() => fc.integer({ min: -60_000, max: 60_000 })));

  /** Time passes, and whoever leads writes. */
  const work = (model: WritersModel, forMs: number, stepMs: number): void => {
    for (const untilMs = model.nowMs + forMs; model.nowMs < untilMs; ) {
      model.runFor(stepMs);
      for (const writer of [0, 1, 2]) model.take({ does: "write", writer });
    }
  };

  const rises = (tokens: readonly number[]) => tokens.every((token, at) => at === 0 || token > (tokens[at - 1] ?? 0));
  const neverFalls = (tokens: readonly number[]) => tokens.every((token, at) => at === 0 || token >= (tokens[at - 1] ?? 0));

  test("no two believe that they may write at the same time, with clocks up to 4 % off, and tokens rise", () => {
    let leaders = 0;
    fc.assert(
      fc.property(rates, fc.array(step, { maxLength: 120, size: "max" }), (clocks, steps) => {
        const model = new WritersModel(clocks, timing);
        const check = () => {
          if (model.writing().length > 1) throw new Error(`two write at once: ${model.writing()}`);
        };
        for (const each of steps) {
          model.take(each, check);
          check();
        }
        expect(rises(model.started)).toBe(true);
        leaders += model.started.length;
      }),
      { numRuns: 300 },
    );
    expect(leaders).toBeGreaterThan(300);
  });

  test("the store never goes back to an older token, even when the lease server loses its data", () =>
    fc.assert(
      fc.property(rates, fc.array(lossyStep, { maxLength: 120, size: "max" }), (clocks, steps) => {
        const model = new WritersModel(clocks, timing);
        for (const each of steps) model.take(each);
        expect(neverFalls(model.claimed)).toBe(true);
        expect(neverFalls(model.written)).toBe(true);
        expect(model.writtenUnderSharedToken).toBe(false);
      }),
      { numRuns: 300 },
    ));

  test("after a leader dies another leads within two lease times", () =>
    fc.assert(
      fc.property(
        rates,
        fc.array(step, { maxLength: 100, size: "max" }),
        fc.integer({ min: 1, max: 200 }),
        (clocks, steps, answerMs) => {
          const model = new WritersModel(clocks, timing);
          for (const each of steps) if (each.does !== "stop") model.take(each);
          model.joinAll();
          const until = model.nowMs + 2 * timing.ttlMs;
          for (const leader of model.writing()) model.kill(leader);
          while (model.nowMs < until && model.writing().length === 0) model.runFor(answerMs);
          expect(model.writing()).toHaveLength(1);
        },
      ),
    ));

  test("time never goes back, with clocks up to a minute ahead or behind", () => {
    let handedBack = 0;
    fc.assert(
      fc.property(rates, offsets, fc.array(lossyStep, { maxLength: 120, size: "max" }), (clocks, offsetsMs, steps) => {
        const model = new WritersModel(clocks, timing, offsetsMs);
        for (const each of steps) model.take(each);
        model.joinAll();
        // Whoever leads in the end dies, and what its clock was ahead passes.
        for (const leader of model.writing()) model.kill(leader);
        work(model, 130_000, 100);
        expect(neverFalls(model.instants)).toBe(true);
        if (new Set(model.written).size > 1) handedBack += 1;
      }),
      { numRuns: 60 },
    );
    expect(handedBack).toBeGreaterThan(10);
  });

  test("a leader cut off from the store hands over to a standby that reaches it, and keeps the lease when none does", () =>
    fc.assert(
      fc.property(rates, offsets, fc.integer({ min: 20, max: 200 }), fc.boolean(), (clocks, offsetsMs, stepMs, cutsAll) => {
        const model = new WritersModel(clocks, timing, offsetsMs);
        work(model, timing.ttlMs, stepMs);
        const [leader] = model.writing();
        if (leader === undefined) throw new Error("nobody leads");
        const token = model.written.at(-1) ?? 0;
        for (const writer of cutsAll ? [0, 1, 2] : [leader]) model.take({ does: "cutStore", writer });
        // A lease of failures, the rest of the lease, and the time to ask for it.
        work(model, 2.5 * timing.ttlMs, stepMs);
        if (cutsAll) expect(model.writing()).toEqual([leader]);
        else {
          expect(model.writing()).toHaveLength(1);
          expect(model.writing()).not.toEqual([leader]);
        }
        model.joinAll();
        work(model, 130_000, 100);
        if (cutsAll) expect(new Set(model.written)).toEqual(new Set([token]));
        else expect(model.written.at(-1)).toBeGreaterThan(token);
        expect(neverFalls(model.instants)).toBe(true);
      }),
    ));

  test("a writer that is stopped ends, whatever it was doing", () =>
    fc.assert(
      fc.property(rates, fc.array(step, { maxLength: 100, size: "max" }), (clocks, steps) => {
        const model = new WritersModel(clocks, timing);
        for (const each of steps) model.take(each);
        model.joinAll();
        for (const writer of [0, 1, 2]) model.take({ does: "stop", writer });
        for (let round = 0; round < 20; round++) model.runFor(10);
        expect(model.names()).toEqual(["stopped", "stopped", "stopped"]);
      }),
    ));
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  backoffMs,
  type ConnectionEvent,
  type ConnectionRules,
  type ConnectionState,
  deadlineOf,
  type Loss,
  transition,
} from "./connection-states.ts";

const NOW = 100_000;
const RULES: ConnectionRules = { connectWithinMs: 30_000, maxReconnects: 5 };
const HALF = 0.5;
const loss: Loss = { reason: "gone", close: 1006, waitMs: null };
const error = new Error("refused");

type StateName = ConnectionState["name"];
type EventName = ConnectionEvent["name"] | "time, at its deadline";

const states: Readonly<Record<StateName, ConnectionState>> = {
  idle: { name: "idle" },
  connecting: { name: "connecting", failures: 2, byMs: NOW + 30_000 },
  open: { name: "open", failures: 2, sinceMs: NOW - 60_000, heartbeatMs: 15_000, silentByMs: NOW + 30_000 },
  waiting: { name: "waiting", failures: 3, untilMs: NOW + 4_000 },
  ended: { name: "ended" },
};
const events: Readonly<Record<EventName, ConnectionEvent>> = {
  start: { name: "start" },
  opened: { name: "opened", heartbeatMs: 10_000 },
  heard: { name: "heard" },
  lost: { name: "lost", loss },
  over: { name: "over" },
  refused: { name: "refused", error },
  time: { name: "time" },
  "time, at its deadline": { name: "time" },
  stop: { name: "stop" },
};

/** The next state, and the actions in order; null for no change. */
type Expected = readonly [StateName, string] | null;
const STOPPED: Expected = ["ended", "close"];

/** The table of transitions (docs/specs/stream-client.md). */
const TABLE: Readonly<Record<StateName, Readonly<Record<EventName, Expected>>>> = {
  idle: {
    start: ["connecting", "connect"],
    opened: null,
    heard: null,
    lost: null,
    over: null,
    refused: null,
    time: null,
    "time, at its deadline": null,
    stop: STOPPED,
  },
  connecting: {
    start: null,
    opened: ["open", ""],
    heard: null,
    lost: ["waiting", "drop reportWait"],
    over: ["waiting", "drop reportWait"],
    refused: ["ended", "drop fail"],
    time: null,
    "time, at its deadline": ["waiting", "drop reportWait"],
    stop: STOPPED,
  },
  open: {
    start: null,
    opened: null,
    heard: ["open", ""],
    lost: ["waiting", "drop reportWait"],
    over: ["waiting", "drop"],
    refused: ["ended", "drop fail"],
    time: null,
    "time, at its deadline": ["waiting", "drop reportWait"],
    stop: STOPPED,
  },
  waiting: {
    start: null,
    opened: null,
    heard: null,
    lost: null,
    over: null,
    refused: null,
    time: null,
    "time, at its deadline": ["connecting", "connect"],
    stop: STOPPED,
  },
  ended: {
    start: null,
    opened: null,
    heard: null,
    lost: null,
    over: null,
    refused: null,
    time: null,
    "time, at its deadline": null,
    stop: null,
  },
};

const cells = Object.entries(TABLE).flatMap(([state, row]) =>
  Object.entries(row).map(([event, expected]) => [state as StateName, event as EventName, expected] as const),
);

test("a clean end is not a failure, and an end right after the beginning is one", () => {
  const { state } = transition(states.open, events.over, NOW, HALF, RULES);
  expect(state).toEqual({ name: "waiting", failures: 0, untilMs: NOW + 500 });
  const young: ConnectionState = {
    name: "open",
    failures: 2,
    sinceMs: NOW - 4_999,
    heartbeatMs: 15_000,
    silentByMs: NOW + 30_000,
  };
  expect(transition(young, events.over, NOW, HALF, RULES).state).toMatchObject({ name: "waiting", failures: 3 });
});

describe("every event in every state", () => {
  test.each(cells)("%s, %s", (stateName, eventName, expected) => {
    const state = states[stateName];
    const nowMs = eventName === "time, at its deadline" ? (deadlineOf(state) ?? NOW) : NOW;
    const step = transition(state, events[eventName], nowMs, HALF, RULES);
    const did = step.actions.map(({ name }) => name).join(" ");
    if (expected === null) expect(step).toEqual({ state, actions: [] });
    else expect([step.state.name, did]).toEqual(expected);
  });
});

describe("a connection", () => {
  test("is dead when it was silent for two and a half heartbeats; anything that arrives counts as a sign of life", () => {
    const opened = transition(states.connecting, events.opened, NOW, HALF, RULES).state;
    expect(deadlineOf(opened)).toBe(NOW + 25_000);
    const heard = transition(opened, events.heard, NOW + 20_000, HALF, RULES).state;
    expect(deadlineOf(heard)).toBe(NOW + 45_000);
    expect(transition(heard, events.time, NOW + 44_999, HALF, RULES).state).toEqual(heard);
    expect(transition(heard, events.time, NOW + 45_000, HALF, RULES).actions).toContainEqual(
      expect.objectContaining({ loss: { reason: "silent for 2.5 heartbeats", close: null, waitMs: null } }),
    );
  });

  test("gets another heartbeat when the process itself stood still", () => {
    const late = transition(states.open, events.time, NOW + 90_000, HALF, RULES);
    expect(late).toEqual({ state: { ...states.open, silentByMs: NOW + 105_000 }, actions: [] });
    expect(transition(late.state, events.time, NOW + 105_000, HALF, RULES).state.name).toBe("waiting");
  });

  test("that lasted five seconds was a good one: its failure counts as the first", () => {
    const opened = transition(states.connecting, events.opened, NOW, HALF, RULES).state;
    expect(transition(opened, events.lost, NOW + 4_999, HALF, RULES).state).toMatchObject({ failures: 3 });
    expect(transition(opened, events.lost, NOW + 5_000, HALF, RULES).state).toMatchObject({ failures: 1 });
  });

  test("is given up after maxReconnects failures in a row, with the last reason", () => {
    const rules = { ...RULES, maxReconnects: 2 };
    const { state, actions } = transition(states.connecting, events.lost, NOW, HALF, rules);
    expect(state.name).toBe("ended");
    expect(actions).toEqual([{ name: "drop" }, { name: "giveUp", failures: 3, loss }]);
  });
});

describe("the wait before another attempt", () => {
  test("is anything up to a ceiling that doubles from half a second to half a minute", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 5_000].map((failures) => backoffMs(failures, 1, null))).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
        const waitMs = backoffMs(failures, random, null);
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThanOrEqual(30_000);
        expect(backoffMs(failures, 0, null)).toBe(0);
      }),
    );
  });

  test("is never shorter than the service requests", () => {
    expect(backoffMs(1, 0, 7_000)).toBe(7_000);
    expect(backoffMs(1, 0.5, 7_000)).toBe(7_250);
  });
});

describe("whatever happens to a connection", () => {
  const anyEvent = fc.constantFrom(...Object.values(events));
  const life = fc.array(fc.tuple(anyEvent, fc.integer({ min: 0, max: 60_000 }), fc.double({ min: 0, max: 0.999, noNaN: true })));

  test("there is at most one, the old one is left before another is opened, and the end is final", () => {
    fc.assert(
      fc.property(life, (steps) => {
        let state: ConnectionState = { name: "idle" };
        let nowMs = 0;
        let isWired = false;
        let isOver = false;
        for (const [event, passMs, random] of steps) {
          nowMs += passMs;
          const step = transition(state, event, nowMs, random, RULES);
          if (isOver) expect(step).toEqual({ state, actions: [] });
          for (const { name } of step.actions) {
            if (name === "connect") {
              expect(isWired).toBe(false);
              isWired = true;
            }
            if (name === "drop" || name === "close") isWired = false;
          }
          state = step.state;
          isOver = state.name === "ended";
          expect(isWired).toBe(state.name === "connecting" || state.name === "open");
          const deadline = deadlineOf(state);
          // Only the first and the last state may last without limit.
          expect(deadline === null).toBe(state.name === "idle" || isOver);
        }
      }),
    );
  });
});

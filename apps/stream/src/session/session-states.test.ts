/** The session's state machine: every event in every state, and whole sessions. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dueAtMs, greet, type SessionEvent, type SessionState, type SessionTiming, transition } from "./session-states.ts";

const timing: SessionTiming = {
  authWithinMs: 10_000,
  heartbeatMs: 15_000,
  pingMs: 20_000,
  pongWithinMs: 10_000,
  maxLagMs: 30_000,
  sseLifetimeMs: 1_800_000,
  closeWithinMs: 5_000,
};
const NOW_MS = 1_000_000;
const quiet = { heartbeatAtMs: NOW_MS + 1, pingAtMs: NOW_MS + 1, pongByMs: null, endsAtMs: Number.POSITIVE_INFINITY };

const STATES = {
  greeting: { name: "greeting", authByMs: NOW_MS + 1 },
  admitting: { name: "admitting" },
  open: { name: "open", ...quiet },
  behind: { name: "behind", sinceMs: NOW_MS, ...quiet },
  closing: { name: "closing", byMs: NOW_MS + 1 },
  closed: { name: "closed" },
} as const satisfies Record<SessionState["name"], SessionState>;

/** The same states, at their deadlines. */
const DUE = {
  greeting: { name: "greeting", authByMs: NOW_MS },
  admitting: { name: "admitting" },
  open: { ...STATES.open, heartbeatAtMs: NOW_MS, pingAtMs: NOW_MS },
  behind: { name: "behind", sinceMs: NOW_MS - 30_000, ...quiet },
  closing: { name: "closing", byMs: NOW_MS },
  closed: { name: "closed" },
} as const satisfies Record<SessionState["name"], SessionState>;

const EVENTS = {
  time: { name: "time" },
  auth: { name: "auth" },
  subscribe: { name: "subscribe" },
  unsubscribe: { name: "unsubscribe" },
  ping: { name: "ping" },
  invalid: { name: "invalid" },
  badFrame: { name: "badFrame" },
  flood: { name: "flood" },
  pong: { name: "pong" },
  admitted: { name: "admitted" },
  refused: { name: "refused", code: "plan_gated" },
  blocked: { name: "blocked" },
  unblocked: { name: "unblocked" },
  overflow: { name: "overflow" },
  revoked: { name: "revoked" },
  gated: { name: "gated" },
  drain: { name: "drain" },
  hangup: { name: "hangup" },
} as const satisfies Record<SessionEvent["name"], SessionEvent>;

/** The next state and the actions, with their codes; null where the event changes nothing. */
type Expected = readonly [state: SessionState["name"], ...actions: string[]] | null;
type Row = Record<SessionEvent["name"], Expected>;

const closing = (code: string): Expected => ["closing", `close ${code}`];
const leaving = (code: string): Expected => ["closing", "leave", `close ${code}`];

const SERVING: Row = {
  time: null,
  auth: ["open", "complain already_authenticated"],
  subscribe: ["open", "answer"],
  unsubscribe: ["open", "answer"],
  ping: ["open", "answer"],
  invalid: ["open", "complain validation_error"],
  badFrame: leaving("bad_frame"),
  flood: leaving("too_many_frames"),
  pong: null,
  admitted: null,
  refused: null,
  blocked: ["behind"],
  unblocked: null,
  overflow: leaving("slow_consumer"),
  revoked: leaving("unauthenticated"),
  gated: leaving("plan_gated"),
  drain: leaving("server_draining"),
  hangup: ["closed", "leave"],
};

const TABLE: Record<SessionState["name"], Row> = {
  greeting: {
    time: null,
    auth: ["admitting", "admit"],
    subscribe: closing("unauthenticated"),
    unsubscribe: closing("unauthenticated"),
    ping: closing("unauthenticated"),
    invalid: closing("unauthenticated"),
    badFrame: closing("bad_frame"),
    flood: closing("too_many_frames"),
    pong: null,
    admitted: null,
    refused: null,
    blocked: null,
    unblocked: null,
    overflow: closing("slow_consumer"),
    revoked: closing("unauthenticated"),
    gated: closing("plan_gated"),
    drain: closing("server_draining"),
    hangup: ["closed"],
  },
  admitting: {
    time: null,
    auth: ["admitting", "keep"],
    subscribe: ["admitting", "keep"],
    unsubscribe: ["admitting", "keep"],
    ping: ["admitting", "keep"],
    invalid: ["admitting", "keep"],
    badFrame: closing("bad_frame"),
    flood: closing("too_many_frames"),
    pong: null,
    admitted: ["open", "welcome"],
    refused: closing("plan_gated"),
    blocked: null,
    unblocked: null,
    overflow: closing("slow_consumer"),
    revoked: closing("unauthenticated"),
    gated: closing("plan_gated"),
    drain: closing("server_draining"),
    hangup: ["closed"],
  },
  open: SERVING,
  behind: {
    ...SERVING,
    auth: ["behind", "complain already_authenticated"],
    subscribe: ["behind", "answer"],
    unsubscribe: ["behind", "answer"],
    ping: ["behind", "answer"],
    invalid: ["behind", "complain validation_error"],
    blocked: null,
    unblocked: ["open", "catchUp"],
  },
  closing: {
    time: null,
    auth: null,
    subscribe: null,
    unsubscribe: null,
    ping: null,
    invalid: null,
    badFrame: null,
    flood: null,
    pong: null,
    admitted: ["closing", "giveBack"],
    refused: null,
    blocked: null,
    unblocked: null,
    overflow: null,
    revoked: null,
    gated: null,
    drain: null,
    hangup: ["closed"],
  },
  closed: {
    time: null,
    auth: null,
    subscribe: null,
    unsubscribe: null,
    ping: null,
    invalid: null,
    badFrame: null,
    flood: null,
    pong: null,
    admitted: ["closed", "giveBack"],
    refused: null,
    blocked: null,
    unblocked: null,
    overflow: null,
    revoked: null,
    gated: null,
    drain: null,
    hangup: null,
  },
};

const ON_TIME: Record<SessionState["name"], Expected> = {
  greeting: closing("auth_timeout"),
  admitting: null,
  open: ["open", "heartbeat", "pingPeer"],
  behind: leaving("slow_consumer"),
  closing: ["closed", "terminate"],
  closed: null,
};

const stateNames = Object.keys(STATES) as SessionState["name"][]; // the keys of the literal above
const eventNames = Object.keys(EVENTS) as SessionEvent["name"][]; // the keys of the literal above
const cells = stateNames.flatMap((state) => eventNames.map((event) => ({ state, event, expected: TABLE[state][event] })));
const outcome = (state: SessionState, event: SessionEvent, nowMs = NOW_MS): Expected => {
  const next = transition(state, event, nowMs, timing);
  const actions = next.actions.map((action) => ("code" in action ? `${action.name} ${action.code}` : action.name));
  return next.state !== state || actions.length > 0 ? [next.state.name, ...actions] : null;
};

describe("every event in every state", () => {
  test.each(cells)("$state, $event → $expected", ({ state, event, expected }) => {
    expect(outcome(STATES[state], EVENTS[event])).toEqual(expected);
  });

  test.each(stateNames)("%s, when its time is up", (state) => {
    expect(outcome(DUE[state], EVENTS.time)).toEqual(ON_TIME[state]);
  });

  test.each(["open", "behind"] as const)("%s, when no pong came, drops the socket", (name) => {
    const state = { ...STATES[name], pongByMs: NOW_MS };
    expect(outcome(state, EVENTS.time)).toEqual(["closed", "leave", "terminate"]);
    expect(outcome(state, EVENTS.pong)).toEqual([name]);
  });

  test.each(["open", "behind"] as const)("%s, at the end of its lifetime, ends cleanly", (name) => {
    const state = { ...STATES[name], endsAtMs: NOW_MS };
    expect(outcome(state, EVENTS.time, NOW_MS - 1)).toBeNull();
    expect(outcome(state, EVENTS.time)).toEqual(["closing", "leave", "finish"]);
  });
});

describe("the instant a session is due", () => {
  const instants = fc.tuple(fc.nat(1e7), fc.nat(999_999)).map(([ms, millionths]) => ms + millionths / 1e6);
  const pulse = {
    heartbeatAtMs: instants,
    pingAtMs: instants,
    pongByMs: fc.option(instants),
    endsAtMs: fc.oneof(instants, fc.constant(Number.POSITIVE_INFINITY)),
  };
  const anyState: fc.Arbitrary<SessionState> = fc.oneof(
    fc.record({ name: fc.constant("greeting"), authByMs: instants }),
    fc.record({ name: fc.constant("open"), ...pulse }),
    fc.record({ name: fc.constant("behind"), sinceMs: instants, ...pulse }),
    fc.record({ name: fc.constant("closing"), byMs: instants }),
  );

  test("is when time first changes something, to the last digit", () => {
    fc.assert(
      fc.property(anyState, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (state, share) => {
        const dueMs = dueAtMs(state, timing);
        expect(outcome(state, EVENTS.time, dueMs)).not.toBeNull();
        const before = dueMs * share;
        if (before < dueMs) expect(outcome(state, EVENTS.time, before)).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(["admitting", "closed"] as const)("never comes while %s", (name) => {
    expect(dueAtMs(STATES[name], timing)).toBe(Number.POSITIVE_INFINITY);
    expect(outcome(STATES[name], EVENTS.time, Number.MAX_SAFE_INTEGER)).toBeNull();
  });
});

describe("a session", () => {
  test("pings once and waits for the pong before it pings again", () => {
    const first = transition(DUE.open, EVENTS.time, NOW_MS, timing).state;
    expect(first).toMatchObject({ pongByMs: NOW_MS + 10_000, pingAtMs: NOW_MS + 20_000, heartbeatAtMs: NOW_MS + 15_000 });
    expect(outcome(first, EVENTS.time, NOW_MS + 9_999)).toBeNull();
    const answered = transition(first, EVENTS.pong, NOW_MS + 9_999, timing).state;
    expect(outcome(answered, EVENTS.time, NOW_MS + 10_000)).toBeNull();
    expect(outcome(answered, EVENTS.time, NOW_MS + 20_000)).toEqual(["open", "heartbeat", "pingPeer"]);
  });

  test("keeps its pace when a step comes late, and skips what it slept through", () => {
    const late = transition(DUE.open, EVENTS.time, NOW_MS + 240, timing).state;
    expect(late).toMatchObject({ heartbeatAtMs: NOW_MS + 15_000, pingAtMs: NOW_MS + 20_000, pongByMs: NOW_MS + 10_240 });
    const woken = transition(DUE.open, EVENTS.time, NOW_MS + 50_000, timing).state;
    expect(woken).toMatchObject({ heartbeatAtMs: NOW_MS + 60_000, pingAtMs: NOW_MS + 60_000 });
  });

  test("counts how long it is behind from the first thing that had to wait", () => {
    const behind = transition(STATES.open, EVENTS.blocked, NOW_MS, timing).state;
    const later = transition(behind, EVENTS.blocked, NOW_MS + 20_000, timing).state;
    expect(later).toBe(behind);
  });
});

/** What a client, a socket and the service may do to a session, in any order. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ name: fc.constantFrom(...eventNames), waitMs: fc.constant(0) }) },
  { weight: 4, arbitrary: fc.record({ name: fc.constant("time" as const), waitMs: fc.integer({ min: 1, max: 16_000 }) }) },
  { weight: 4, arbitrary: fc.record({ name: fc.constantFrom("auth", "admitted", "subscribe", "pong"), waitMs: fc.constant(0) }) },
);

type Step = { readonly name: SessionEvent["name"]; readonly waitMs: number };
const ADMISSION: readonly Step[] = [
  { name: "auth", waitMs: 0 },
  { name: "admitted", waitMs: 0 },
];
/** A sequence of steps; half of them start with a valid key, as few would reach one by chance. */
const life = fc
  .tuple(fc.boolean(), fc.array(step, { maxLength: 60 }))
  .map(([isServed, steps]): readonly Step[] => (isServed ? [...ADMISSION, ...steps] : steps));

describe("whole lives", () => {
  /** Plays steps against the machine; `admit` is answered at most once, as by the driver. */
  const live = (steps: readonly Step[]) => {
    let state = greet(0, timing);
    let nowMs = 0;
    let asked = 0;
    let lastBeatMs = Number.NaN;
    let behindSinceMs = Number.NaN;
    const seen = { welcomes: 0, places: 0, given: 0, closes: 0, frames: [] as string[], widest: 0 };
    const play = (event: SessionEvent): void => {
      if (event.name === "admitted" || event.name === "refused") {
        if (asked === 0) return;
        asked -= 1;
        if (event.name === "admitted") seen.places += 1;
      }
      const before = state.name;
      const next = transition(state, event, nowMs, timing);
      state = next.state;
      if (state.name === "behind" && before === "open") behindSinceMs = nowMs;
      for (const action of next.actions) {
        seen.frames.push(action.name);
        if (action.name === "admit") asked += 1;
        if (action.name === "welcome") {
          seen.welcomes += 1;
          lastBeatMs = nowMs;
        }
        if (action.name === "leave" || action.name === "giveBack") seen.given += 1;
        if (action.name === "close" || action.name === "terminate") seen.closes += 1;
        if (action.name === "heartbeat") lastBeatMs = nowMs;
      }
      if (state.name === "behind") expect(nowMs - behindSinceMs).toBeLessThan(timing.maxLagMs + 1);
      if (state.name === "open" || state.name === "behind") expect(nowMs - lastBeatMs).toBeLessThanOrEqual(timing.heartbeatMs);
    };
    for (const { name, waitMs } of steps) {
      // Time advances in small steps, as in the service.
      const untilMs = nowMs + waitMs;
      while (nowMs < untilMs) {
        nowMs = Math.min(untilMs, nowMs + 250);
        play(EVENTS.time);
      }
      play(EVENTS[name]);
    }
    /** Leaves the session alone for a minute, with a silent client. */
    const abandon = () => {
      play(EVENTS.refused);
      for (const untilMs = nowMs + 61_000; nowMs < untilMs; ) {
        nowMs += 250;
        play(EVENTS.time);
      }
    };
    return { seen, abandon, state: () => state };
  };

  test("send at most one welcome, nothing before it, and nothing after a close", () => {
    fc.assert(
      fc.property(life, (steps) => {
        const { frames, welcomes } = live(steps).seen;
        expect(welcomes).toBeLessThanOrEqual(1);
        const sent = frames.filter((name) =>
          ["welcome", "answer", "complain", "heartbeat", "pingPeer", "catchUp"].includes(name),
        );
        if (sent.length > 0) expect(sent[0]).toBe("welcome");
        const closedAt = frames.indexOf("close");
        const after = closedAt === -1 ? [] : frames.slice(closedAt + 1);
        expect(after.filter((name) => name !== "terminate" && name !== "giveBack")).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("end within a minute of silence, and give every place back exactly once", () => {
    let served = 0;
    fc.assert(
      fc.property(life, (steps) => {
        const session = live(steps);
        session.abandon();
        expect(session.state().name).toBe("closed");
        expect(session.seen.given).toBe(session.seen.places);
        expect(session.seen.closes).toBeLessThanOrEqual(2);
        served += session.seen.welcomes;
      }),
      { numRuns: 500 },
    );
    expect(served, "sessions that were served").toBeGreaterThan(100);
  });
});

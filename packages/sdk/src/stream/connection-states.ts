/** The state machine of one connection, as a pure function: an event in, the next state and actions out. */

/** Missed heartbeats after which a connection is dead. */
const SILENT_HEARTBEATS = 2.5;
/** A connection that lasted this long was good: the failure count restarts after it. */
const STABLE_AFTER_MS = 5_000;
/** How soon the service allows a client to reconnect after it closed a feed cleanly. */
const RESUME_WITHIN_MS = 1_000;
/** A timer this late means the process was suspended, not that the service was silent. */
const STALLED_MS = 1_000;
const FIRST_CEILING_MS = 500;
const LAST_CEILING_MS = 30_000;

/** Why a connection ended. */
export interface Loss {
  /** In words. */
  readonly reason: string;
  /** The WebSocket close code; null when there was none. */
  readonly close: number | null;
  /** How long the service asks to wait, in milliseconds; null when it does not say. */
  readonly waitMs: number | null;
}

/** The state of a connection. `failures` counts those in a row; times are of the monotonic clock, in milliseconds. */
export type ConnectionState =
  | { readonly name: "idle" }
  | { readonly name: "connecting"; readonly failures: number; readonly byMs: number }
  | {
      readonly name: "open";
      readonly failures: number;
      readonly sinceMs: number;
      readonly heartbeatMs: number;
      readonly silentByMs: number;
    }
  | { readonly name: "waiting"; readonly failures: number; readonly untilMs: number }
  | { readonly name: "ended" };

/** The events of a connection. */
export type ConnectionEvent =
  /** The reader started to read. */
  | { readonly name: "start" }
  /** The service accepted the key and the names. */
  | { readonly name: "opened"; readonly heartbeatMs: number }
  /** Anything received from the service. */
  | { readonly name: "heard" }
  /** It broke, or could not be established. */
  | { readonly name: "lost"; readonly loss: Loss }
  /** The service closed it cleanly and expects a reconnect: not a failure. */
  | { readonly name: "over" }
  /** It ended in a way that another attempt would repeat. */
  | { readonly name: "refused"; readonly error: Error }
  /** Time has passed. */
  | { readonly name: "time" }
  /** The reader stopped. */
  | { readonly name: "stop" };

/** The actions. */
export type ConnectionAction =
  | { readonly name: "connect"; readonly attempt: number }
  /** Drop the connection without a close handshake. */
  | { readonly name: "drop" }
  /** Close the connection cleanly. */
  | { readonly name: "close" }
  | { readonly name: "reportWait"; readonly attempt: number; readonly delayMs: number; readonly loss: Loss }
  | { readonly name: "giveUp"; readonly failures: number; readonly loss: Loss }
  | { readonly name: "fail"; readonly error: Error };

/** What the outcome depends on besides state and event. */
export interface ConnectionRules {
  /** The time limit for connecting, in milliseconds. */
  readonly connectWithinMs: number;
  /** How many failures in a row are retried. */
  readonly maxReconnects: number;
}

/** The next state, and the actions. */
export interface Step {
  readonly state: ConnectionState;
  readonly actions: readonly ConnectionAction[];
}

const ENDED: ConnectionState = { name: "ended" };
const stay = (state: ConnectionState): Step => ({ state, actions: [] });

const connect = (failures: number, nowMs: number, { connectWithinMs }: ConnectionRules): Step => ({
  state: { name: "connecting", failures, byMs: nowMs + connectWithinMs },
  actions: [{ name: "connect", attempt: failures }],
});

/**
 * How long to wait before another attempt: exponential backoff with full jitter, and at least what the service asks for.
 * @param failures in a row, from 1 up
 * @param random from 0 up to 1
 * @returns milliseconds
 */
export const backoffMs = (failures: number, random: number, askedMs: number | null): number =>
  Math.round((askedMs ?? 0) + random * Math.min(LAST_CEILING_MS, FIRST_CEILING_MS * 2 ** Math.min(failures - 1, 16)));

const afterLoss = (earlier: number, loss: Loss, nowMs: number, random: number, rules: ConnectionRules): Step => {
  const failures = earlier + 1;
  if (failures > rules.maxReconnects) return { state: ENDED, actions: [{ name: "drop" }, { name: "giveUp", failures, loss }] };
  const delayMs = backoffMs(failures, random, loss.waitMs);
  return {
    state: { name: "waiting", failures, untilMs: nowMs + delayMs },
    actions: [{ name: "drop" }, { name: "reportWait", attempt: failures, delayMs, loss }],
  };
};

const silence = (reason: string): Loss => ({ reason, close: null, waitMs: null });

const OVER: Loss = silence("the feed ended");

/**
 * The transition for an event.
 * @param nowMs the monotonic clock, in milliseconds
 * @param random from 0 up to 1
 */
export const transition = (
  state: ConnectionState,
  event: ConnectionEvent,
  nowMs: number,
  random: number,
  rules: ConnectionRules,
): Step => {
  if (state.name === "ended") return stay(state);
  if (event.name === "stop") return { state: ENDED, actions: [{ name: "close" }] };
  if (event.name === "start") return state.name === "idle" ? connect(0, nowMs, rules) : stay(state);

  if (state.name === "waiting")
    return event.name === "time" && nowMs >= state.untilMs ? connect(state.failures, nowMs, rules) : stay(state);
  if (state.name === "idle") return stay(state);

  if (event.name === "refused") return { state: ENDED, actions: [{ name: "drop" }, { name: "fail", error: event.error }] };
  if (state.name === "connecting") {
    if (event.name === "over") return afterLoss(state.failures, OVER, nowMs, random, rules);
    if (event.name === "lost") return afterLoss(state.failures, event.loss, nowMs, random, rules);
    if (event.name === "opened") {
      const { heartbeatMs } = event;
      const silentByMs = nowMs + SILENT_HEARTBEATS * heartbeatMs;
      return stay({ name: "open", failures: state.failures, sinceMs: nowMs, heartbeatMs, silentByMs });
    }
    const isLate = event.name === "time" && nowMs >= state.byMs;
    return isLate ? afterLoss(state.failures, silence("no connection in time"), nowMs, random, rules) : stay(state);
  }

  const failures = nowMs - state.sinceMs >= STABLE_AFTER_MS ? 0 : state.failures;
  if (event.name === "lost") return afterLoss(failures, event.loss, nowMs, random, rules);
  if (event.name === "over") {
    // A connection that ends right after it starts counts as failed, even if it was closed cleanly.
    if (nowMs - state.sinceMs < STABLE_AFTER_MS) return afterLoss(failures, OVER, nowMs, random, rules);
    return { state: { name: "waiting", failures: 0, untilMs: nowMs + random * RESUME_WITHIN_MS }, actions: [{ name: "drop" }] };
  }
  if (event.name === "heard") return stay({ ...state, silentByMs: nowMs + SILENT_HEARTBEATS * state.heartbeatMs });
  if (event.name !== "time" || nowMs < state.silentByMs) return stay(state);
  // Data received while the process was suspended has not been read yet.
  if (nowMs - state.silentByMs > STALLED_MS) return stay({ ...state, silentByMs: nowMs + state.heartbeatMs });
  return afterLoss(failures, silence(`silent for ${SILENT_HEARTBEATS} heartbeats`), nowMs, random, rules);
};

/** When a state needs the next `time` event, in milliseconds of the monotonic clock; null for never. */
export const deadlineOf = (state: ConnectionState): number | null => {
  if (state.name === "connecting") return state.byMs;
  if (state.name === "open") return state.silentByMs;
  return state.name === "waiting" ? state.untilMs : null;
};

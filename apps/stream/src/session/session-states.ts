/**
 * One session, over WebSocket or SSE, as a pure state machine: its states, and the actions for each event.
 * @see docs/specs/stream-session.md
 */
import type { StreamCloseCode } from "@assay/contract";

export interface SessionTiming {
  readonly authWithinMs: number;
  readonly heartbeatMs: number;
  readonly pingMs: number;
  readonly pongWithinMs: number;
  readonly maxLagMs: number;
  /** The lifetime of a server-sent events feed, before jitter. */
  readonly sseLifetimeMs: number;
  /** How long a closed socket may take to confirm the close. */
  readonly closeWithinMs: number;
}

/** When a session next sends a heartbeat, and until when a ping must be answered. */
interface Pulse {
  readonly heartbeatAtMs: number;
  readonly pingAtMs: number;
  /** Null while no ping is unanswered. */
  readonly pongByMs: number | null;
  /** When it is closed cleanly so that the client reconnects; infinite over WebSocket, where pings detect dead clients. */
  readonly endsAtMs: number;
}

export type SessionState =
  /** Waits for the key. */
  | { readonly name: "greeting"; readonly authByMs: number }
  /** The key and a place among its streams were requested. */
  | { readonly name: "admitting" }
  /** Open. */
  | ({ readonly name: "open" } & Pulse)
  /** Open, with a full socket: only the newest entry of each name is kept. */
  | ({ readonly name: "behind"; readonly sinceMs: number } & Pulse)
  /** The error and the close frame are being sent. */
  | { readonly name: "closing"; readonly byMs: number }
  | { readonly name: "closed" };

export type SessionEvent =
  | { readonly name: "time" }
  /** Client frames: each action, a known action with invalid fields, an unknown one, and one over the rate limit. */
  | { readonly name: "auth" }
  | { readonly name: "subscribe" }
  | { readonly name: "unsubscribe" }
  | { readonly name: "ping" }
  | { readonly name: "invalid" }
  | { readonly name: "badFrame" }
  | { readonly name: "flood" }
  /** A protocol pong. */
  | { readonly name: "pong" }
  /** Results of `admit`: the key is valid and has a place; or not. */
  | { readonly name: "admitted" }
  | { readonly name: "refused"; readonly code: StreamCloseCode }
  /** Something had to be sent while the socket was full; it has drained; more is queued in it than allowed. */
  | { readonly name: "blocked" }
  | { readonly name: "unblocked" }
  | { readonly name: "overflow" }
  /** The key no longer authenticates. */
  | { readonly name: "revoked" }
  /** The key's tier no longer includes the stream. */
  | { readonly name: "gated" }
  /** The process is shutting down. */
  | { readonly name: "drain" }
  /** The socket is closed. */
  | { readonly name: "hangup" };

export type SessionAction =
  /** Verify the key and acquire a place; the result is `admitted` or `refused`. */
  | { readonly name: "admit" }
  /** Queue the frame until the session is open. */
  | { readonly name: "keep" }
  /** Send the welcome, then execute the queued frames. */
  | { readonly name: "welcome" }
  /** Execute the frame. */
  | { readonly name: "answer" }
  /** Report that the frame is invalid, and continue. */
  | { readonly name: "complain"; readonly code: "validation_error" | "already_authenticated" }
  | { readonly name: "heartbeat" }
  /** Send a protocol ping. */
  | { readonly name: "pingPeer" }
  /** Send what is pending: for each name its gap, if any, and its newest entry. */
  | { readonly name: "catchUp" }
  /** Unfollow everything, and release the place. */
  | { readonly name: "leave" }
  /** Release a place that arrived too late. */
  | { readonly name: "giveBack" }
  /** Send the error frame of a code, then its close frame. */
  | { readonly name: "close"; readonly code: StreamCloseCode }
  /** Close it cleanly: the client should reconnect and resume. */
  | { readonly name: "finish" }
  /** Drop the socket. */
  | { readonly name: "terminate" };

export interface SessionStep {
  readonly state: SessionState;
  readonly actions: readonly SessionAction[];
}

const NOTHING: readonly SessionAction[] = [];
const CLOSED: SessionState = { name: "closed" };
const ANSWER: readonly SessionAction[] = [{ name: "answer" }];
const KEEP: readonly SessionAction[] = [{ name: "keep" }];

const to = (state: SessionState, ...actions: readonly SessionAction[]): SessionStep => ({
  state,
  actions: actions.length === 0 ? NOTHING : actions,
});

/** A session whose handshake has just completed. */
export const greet = (nowMs: number, timing: SessionTiming): SessionState => ({
  name: "greeting",
  authByMs: nowMs + timing.authWithinMs,
});

/**
 * The next instant at which time affects a session: an earlier tick changes nothing.
 * @returns on the clock passed to the state; infinite when only events can change it
 */
export const dueAtMs = (state: SessionState, { maxLagMs }: SessionTiming): number => {
  switch (state.name) {
    case "greeting":
      return state.authByMs;
    case "open":
      return Math.min(state.heartbeatAtMs, state.pongByMs ?? state.pingAtMs, state.endsAtMs);
    case "behind":
      return Math.min(state.heartbeatAtMs, state.pongByMs ?? state.pingAtMs, state.endsAtMs, state.sinceMs + maxLagMs);
    case "closing":
      return state.byMs;
    case "admitting":
    case "closed":
      return Number.POSITIVE_INFINITY;
  }
};

/** Faults and ends that close a session in any state, by error code. */
const CLOSING: Partial<Record<SessionEvent["name"], StreamCloseCode>> = {
  badFrame: "bad_frame",
  flood: "too_many_frames",
  overflow: "slow_consumer",
  revoked: "unauthenticated",
  gated: "plan_gated",
  drain: "server_draining",
};

/** The next of a series of instants after one that has passed; those missed during a suspension are skipped. */
const following = (atMs: number, everyMs: number, nowMs: number): number => nowMs + everyMs - ((nowMs - atMs) % everyMs);

const passTime = (state: Extract<SessionState, Pulse>, nowMs: number, timing: SessionTiming): SessionStep => {
  const { heartbeatMs, pingMs, pongWithinMs, closeWithinMs } = timing;
  if (state.pongByMs !== null && nowMs >= state.pongByMs) return to(CLOSED, { name: "leave" }, { name: "terminate" });
  if (nowMs >= state.endsAtMs) return to({ name: "closing", byMs: nowMs + closeWithinMs }, { name: "leave" }, { name: "finish" });
  if (state.name === "behind" && nowMs >= state.sinceMs + timing.maxLagMs) {
    return to({ name: "closing", byMs: nowMs + closeWithinMs }, { name: "leave" }, { name: "close", code: "slow_consumer" });
  }
  const beats = nowMs >= state.heartbeatAtMs;
  const pings = state.pongByMs === null && nowMs >= state.pingAtMs;
  if (!beats && !pings) return { state, actions: NOTHING };
  const next = {
    ...state,
    ...(beats && { heartbeatAtMs: following(state.heartbeatAtMs, heartbeatMs, nowMs) }),
    ...(pings && { pingAtMs: following(state.pingAtMs, pingMs, nowMs), pongByMs: nowMs + pongWithinMs }),
  };
  return to(next, ...(beats ? [{ name: "heartbeat" } as const] : []), ...(pings ? [{ name: "pingPeer" } as const] : []));
};

/**
 * The transition for an event.
 * @param nowMs a monotonic clock
 * @returns the next state, and the actions, in order; an event the state does not expect changes nothing
 */
export const transition = (state: SessionState, event: SessionEvent, nowMs: number, timing: SessionTiming): SessionStep => {
  const closing = (): SessionState => ({ name: "closing", byMs: nowMs + timing.closeWithinMs });
  const closes = CLOSING[event.name];

  switch (state.name) {
    case "greeting":
      if (event.name === "hangup") return to(CLOSED);
      if (closes) return to(closing(), { name: "close", code: closes });
      if (event.name === "auth") return to({ name: "admitting" }, { name: "admit" });
      if (event.name === "subscribe" || event.name === "unsubscribe" || event.name === "ping" || event.name === "invalid") {
        return to(closing(), { name: "close", code: "unauthenticated" });
      }
      if (event.name === "time" && nowMs >= state.authByMs) return to(closing(), { name: "close", code: "auth_timeout" });
      return { state, actions: NOTHING };

    case "admitting":
      if (event.name === "hangup") return to(CLOSED);
      if (closes) return to(closing(), { name: "close", code: closes });
      if (event.name === "refused") return to(closing(), { name: "close", code: event.code });
      if (event.name === "admitted") {
        const pings = { pingAtMs: nowMs + timing.pingMs, pongByMs: null, endsAtMs: Number.POSITIVE_INFINITY };
        return to({ name: "open", heartbeatAtMs: nowMs + timing.heartbeatMs, ...pings }, { name: "welcome" });
      }
      if (event.name === "time" || event.name === "pong" || event.name === "blocked" || event.name === "unblocked") {
        return { state, actions: NOTHING };
      }
      return { state, actions: KEEP };

    case "open":
    case "behind":
      if (event.name === "hangup") return to(CLOSED, { name: "leave" });
      if (closes) return to(closing(), { name: "leave" }, { name: "close", code: closes });
      if (event.name === "time") return passTime(state, nowMs, timing);
      if (event.name === "subscribe" || event.name === "unsubscribe" || event.name === "ping") return { state, actions: ANSWER };
      if (event.name === "auth") return to(state, { name: "complain", code: "already_authenticated" });
      if (event.name === "invalid") return to(state, { name: "complain", code: "validation_error" });
      if (event.name === "pong" && state.pongByMs !== null) return to({ ...state, pongByMs: null });
      if (event.name === "blocked" && state.name === "open") return to({ ...state, name: "behind", sinceMs: nowMs });
      if (event.name === "unblocked" && state.name === "behind") {
        const { heartbeatAtMs, pingAtMs, pongByMs, endsAtMs } = state;
        return to({ name: "open", heartbeatAtMs, pingAtMs, pongByMs, endsAtMs }, { name: "catchUp" });
      }
      return { state, actions: NOTHING };

    case "closing":
      if (event.name === "admitted") return to(state, { name: "giveBack" });
      if (event.name === "hangup") return to(CLOSED);
      if (event.name === "time" && nowMs >= state.byMs) return to(CLOSED, { name: "terminate" });
      return { state, actions: NOTHING };

    case "closed":
      return event.name === "admitted" ? to(state, { name: "giveBack" }) : { state, actions: NOTHING };
  }
};

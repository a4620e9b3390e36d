/**
 * One WebSocket session as a pure state machine: where it stands, and what is to be done when something happens to it.
 * @see docs/specs/stream-session.md
 */
import type { StreamCloseCode } from "@assay/contract";

/** The times a session lives by, in milliseconds. */
export interface SessionTiming {
  readonly authWithinMs: number;
  readonly heartbeatMs: number;
  readonly pingMs: number;
  readonly pongWithinMs: number;
  readonly maxLagMs: number;
  /** How long a feed of server-sent events lives, give or take its jitter. */
  readonly sseLifetimeMs: number;
  /** How long a closed socket may take to say that it is closed. */
  readonly closeWithinMs: number;
}

/** When a session next speaks of itself, and until when it has to be answered. */
interface Pulse {
  readonly heartbeatAtMs: number;
  readonly pingAtMs: number;
  /** Null while no ping is under way. */
  readonly pongByMs: number | null;
  /** When it is ended in good order, for the client to come back; infinite over WebSocket, where pings show who is there. */
  readonly endsAtMs: number;
}

/** Where a session stands. */
export type SessionState =
  /** Waits for the key. */
  | { readonly name: "greeting"; readonly authByMs: number }
  /** The key and a place among the key's streams were asked for. */
  | { readonly name: "admitting" }
  /** Serves. */
  | ({ readonly name: "open" } & Pulse)
  /** Serves a client whose socket is backed up: of each name only the newest is kept. */
  | ({ readonly name: "behind"; readonly sinceMs: number } & Pulse)
  /** The error and the close frame are on their way. */
  | { readonly name: "closing"; readonly byMs: number }
  | { readonly name: "closed" };

/** What happens to a session. */
export type SessionEvent =
  /** Time has passed. */
  | { readonly name: "tick" }
  /** Frames of the client: each action, one of a known action with wrong fields, one that is none, and one too many. */
  | { readonly name: "auth" }
  | { readonly name: "subscribe" }
  | { readonly name: "unsubscribe" }
  | { readonly name: "ping" }
  | { readonly name: "invalid" }
  | { readonly name: "badFrame" }
  | { readonly name: "flood" }
  /** The pong of the protocol. */
  | { readonly name: "pong" }
  /** Answers to `admit`: the key is good and has a place; or not. */
  | { readonly name: "admitted" }
  | { readonly name: "refused"; readonly code: StreamCloseCode }
  /** Something was to be sent while the socket was backed up; it is empty again; more waits in it than may. */
  | { readonly name: "blocked" }
  | { readonly name: "unblocked" }
  | { readonly name: "overflow" }
  /** The key does not authenticate any more. */
  | { readonly name: "revoked" }
  /** The process is to end. */
  | { readonly name: "drain" }
  /** The socket is gone. */
  | { readonly name: "hangup" };

/** What is to be done. */
export type SessionAction =
  /** Verify the key and take a place; the answer is `admitted` or `refused`. */
  | { readonly name: "admit" }
  /** Keep the frame until the session is open. */
  | { readonly name: "keep" }
  /** Send the welcome, then carry out the frames that were kept. */
  | { readonly name: "welcome" }
  /** Carry the frame out. */
  | { readonly name: "answer" }
  /** Say that the frame is wrong, and go on. */
  | { readonly name: "complain"; readonly code: "validation_error" | "already_authenticated" }
  | { readonly name: "heartbeat" }
  /** Send a ping of the protocol. */
  | { readonly name: "pingPeer" }
  /** Send what is pending: of each name a gap where something was left out, and its newest. */
  | { readonly name: "catchUp" }
  /** Follow nothing any more, and give the place back. */
  | { readonly name: "leave" }
  /** Give back a place that came too late. */
  | { readonly name: "giveBack" }
  /** Send the error frame of a code, then its close frame. */
  | { readonly name: "close"; readonly code: StreamCloseCode }
  /** End it in good order: the client is to come back and resume. */
  | { readonly name: "finish" }
  /** Drop the socket. */
  | { readonly name: "terminate" };

/** Where a transition leads. */
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

/** A session whose handshake has just been done. */
export const greet = (nowMs: number, timing: SessionTiming): SessionState => ({
  name: "greeting",
  authByMs: nowMs + timing.authWithinMs,
});

/**
 * When time next means something to a session: a tick before that changes nothing.
 * @returns of the clock the state was told; infinite when only events can move it
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

/** Faults and ends that close a session wherever it stands, by their error code. */
const CLOSING: Partial<Record<SessionEvent["name"], StreamCloseCode>> = {
  badFrame: "bad_frame",
  flood: "too_many_frames",
  overflow: "slow_consumer",
  revoked: "unauthenticated",
  drain: "server_draining",
};

/** The next of a row of instants, after one that has come; those that were slept through are left out. */
const following = (atMs: number, everyMs: number, nowMs: number): number => nowMs + everyMs - ((nowMs - atMs) % everyMs);

/** What time alone does to an open session. */
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
 * What an event means to a session.
 * @param nowMs a clock that never goes back
 * @returns the next state, and what to do, in order; an event a state does not wait for changes nothing
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
      if (event.name === "tick" && nowMs >= state.authByMs) return to(closing(), { name: "close", code: "auth_timeout" });
      return { state, actions: NOTHING };

    case "admitting":
      if (event.name === "hangup") return to(CLOSED);
      if (closes) return to(closing(), { name: "close", code: closes });
      if (event.name === "refused") return to(closing(), { name: "close", code: event.code });
      if (event.name === "admitted") {
        const pings = { pingAtMs: nowMs + timing.pingMs, pongByMs: null, endsAtMs: Number.POSITIVE_INFINITY };
        return to({ name: "open", heartbeatAtMs: nowMs + timing.heartbeatMs, ...pings }, { name: "welcome" });
      }
      if (event.name === "tick" || event.name === "pong" || event.name === "blocked" || event.name === "unblocked") {
        return { state, actions: NOTHING };
      }
      return { state, actions: KEEP };

    case "open":
    case "behind":
      if (event.name === "hangup") return to(CLOSED, { name: "leave" });
      if (closes) return to(closing(), { name: "leave" }, { name: "close", code: closes });
      if (event.name === "tick") return passTime(state, nowMs, timing);
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
      if (event.name === "tick" && nowMs >= state.byMs) return to(CLOSED, { name: "terminate" });
      return { state, actions: NOTHING };

    case "closed":
      return event.name === "admitted" ? to(state, { name: "giveBack" }) : { state, actions: NOTHING };
  }
};

/**
 * The writer's side of the lease, as a pure state machine: its state, and what to do next. And the id that a writer has in public.
 * @see docs/specs/writer-lease.md
 */
import { hash } from "node:crypto";
import type { LeaseToken } from "./ports.ts";

/** How long a lease lasts. All other times derive from it. */
export interface LeaseTiming {
  readonly ttlMs: number;
}

export type WriterState =
  /** Another process holds the lease, or acquiring it failed; retries at `retryAtMs`. */
  | { readonly name: "follower"; readonly retryAtMs: number }
  /** Waiting for the answer to `acquire`. */
  | { readonly name: "acquiring" }
  /** Holds the lease and has asked the store to refuse older tokens. */
  | { readonly name: "claiming"; readonly held: LeaseToken }
  /** Writing. */
  | { readonly name: "leader"; readonly held: LeaseToken; readonly renewAtMs: number }
  /** Writing, and waiting for the answer to `renew`. */
  | { readonly name: "renewing"; readonly held: LeaseToken }
  /** Stopped writing because the lease is lost; waiting for the write in progress. */
  | { readonly name: "lost"; readonly held: LeaseToken }
  /** Asked to stop while acquiring; waiting for the answer. */
  | { readonly name: "leaving" }
  /** Asked to stop while writing; waiting for the write in progress. */
  | { readonly name: "stopping"; readonly held: LeaseToken }
  /** Releasing the lease. */
  | { readonly name: "releasing"; readonly held: LeaseToken }
  | { readonly name: "stopped" };

/** Events. Answers carry the token they refer to; an answer for a former token has no effect. */
export type WriterEvent =
  /** Time has passed; due at `wakeAtMs`. */
  | { readonly name: "tick" }
  /** Answers to `acquire`: granted, held by another, or no answer. */
  | { readonly name: "acquired"; readonly held: LeaseToken }
  | { readonly name: "refused" }
  | { readonly name: "unreachable" }
  /** Answers to `claim`: accepted, refused because a newer token exists, or no answer. */
  | { readonly name: "claimed"; readonly token: number }
  | { readonly name: "claimRefused"; readonly token: number }
  | { readonly name: "claimFailed"; readonly token: number }
  /** Answers to `renew`: extended, lost, or no answer. */
  | { readonly name: "renewed"; readonly held: LeaseToken }
  | { readonly name: "notRenewed"; readonly token: number }
  | { readonly name: "renewFailed"; readonly token: number }
  /** The store refused a write because it has seen a newer token. */
  | { readonly name: "writeRefused"; readonly token: number }
  /** After `stopWriting`: no write is in progress any more. */
  | { readonly name: "halted" }
  /** After `release`, whether or not it succeeded: an unreleased lease expires. */
  | { readonly name: "released"; readonly token: number }
  /** The process is shutting down. */
  | { readonly name: "stop" };

export type WriterAction =
  /** Read the highest token the store has seen, and request the lease above it. */
  | { readonly name: "acquire" }
  /** Have the store refuse every older token. */
  | { readonly name: "claim"; readonly held: LeaseToken }
  | { readonly name: "startWriting"; readonly held: LeaseToken }
  | { readonly name: "renew"; readonly held: LeaseToken }
  /** Start no more writes, and send `halted` when none is in progress. */
  | { readonly name: "stopWriting" }
  | { readonly name: "release"; readonly held: LeaseToken };

interface Transition {
  readonly state: WriterState;
  readonly actions: readonly WriterAction[];
}

/** How often a holder renews its lease: three attempts fit into its lifetime. */
export const renewIntervalMs = ({ ttlMs }: LeaseTiming): number => ttlMs / 3;

/** How long to wait after a failure, and between requests for a lease another process holds. */
export const retryIntervalMs = ({ ttlMs }: LeaseTiming): number => ttlMs / 10;

/** A holder stops writing this long before its lease expires, in case its clock is slower than the server's. */
export const marginMs = ({ ttlMs }: LeaseTiming): number => ttlMs / 10;

/** Until when a holder may write. */
const writableUntilMs = (held: LeaseToken, timing: LeaseTiming): number => held.expiresAtMs - marginMs(timing);

/** A writer that has just started: acquires immediately. */
export const startFollowing = (nowMs: number): WriterState => ({ name: "follower", retryAtMs: nowMs });

/** Whether a write may start now. Check before each one: a process can be frozen between two ticks. */
export const mayWrite = (state: WriterState, nowMs: number, timing: LeaseTiming): boolean =>
  (state.name === "leader" || state.name === "renewing") && nowMs < writableUntilMs(state.held, timing);

/** When the next tick is due; null when only an answer can cause a change. */
export const wakeAtMs = (state: WriterState, timing: LeaseTiming): number | null => {
  switch (state.name) {
    case "follower":
      return state.retryAtMs;
    case "leader":
      return Math.min(state.renewAtMs, writableUntilMs(state.held, timing));
    case "claiming":
    case "renewing":
      return writableUntilMs(state.held, timing);
    default:
      return null;
  }
};

/** The token an answer refers to; null for events without one. */
const tokenOf = (event: WriterEvent): number | null =>
  "token" in event ? event.token : event.name === "renewed" ? event.held.token : null;

const to = (state: WriterState, ...actions: readonly WriterAction[]): Transition => ({ state, actions });
const release = (held: LeaseToken): WriterAction => ({ name: "release", held });
const STOP_WRITING: WriterAction = { name: "stopWriting" };

/** `transition` for a writer that may write. */
const leading = (
  state: Extract<WriterState, { name: "leader" | "renewing" }>,
  event: WriterEvent,
  nowMs: number,
  timing: LeaseTiming,
): Transition => {
  const { held } = state;
  const isOver = (of: LeaseToken): boolean => nowMs >= writableUntilMs(of, timing);
  const leader = (of: LeaseToken, inMs: number): Transition => to({ name: "leader", held: of, renewAtMs: nowMs + inMs });
  const lost = (of: LeaseToken): Transition => to({ name: "lost", held: of }, STOP_WRITING);
  if (event.name === "stop") return to({ name: "stopping", held }, STOP_WRITING);
  if (event.name === "writeRefused") return lost(held);
  if (state.name === "leader") {
    if (isOver(held)) return lost(held);
    if (event.name === "tick" && nowMs >= state.renewAtMs) return to({ name: "renewing", held }, { name: "renew", held });
    return to(state);
  }
  const extended = event.name === "renewed" ? event.held : held;
  if (event.name === "notRenewed" || isOver(extended)) return lost(extended);
  if (event.name === "renewed") return leader(extended, renewIntervalMs(timing));
  if (event.name === "renewFailed") return leader(held, retryIntervalMs(timing));
  return to(state);
};

/**
 * Applies an event to a writer's state.
 * @param nowMs the writer's clock
 * @returns the next state and the actions, in order; an event the state does not expect has no effect
 */
export const transition = (state: WriterState, event: WriterEvent, nowMs: number, timing: LeaseTiming): Transition => {
  const later = (): WriterState => ({ name: "follower", retryAtMs: nowMs + retryIntervalMs(timing) });
  const isOver = (held: LeaseToken): boolean => nowMs >= writableUntilMs(held, timing);
  const token = tokenOf(event);
  if ("held" in state && token !== null && token !== state.held.token) return to(state);

  switch (state.name) {
    case "follower":
      if (event.name === "stop") return to({ name: "stopped" });
      if (event.name === "tick" && nowMs >= state.retryAtMs) return to({ name: "acquiring" }, { name: "acquire" });
      return to(state);

    case "acquiring":
      if (event.name === "stop") return to({ name: "leaving" });
      if (event.name === "refused" || event.name === "unreachable") return to(later());
      if (event.name !== "acquired") return to(state);
      if (isOver(event.held)) return to(later(), release(event.held));
      return to({ name: "claiming", held: event.held }, { name: "claim", held: event.held });

    case "claiming": {
      const { held } = state;
      if (event.name === "stop") return to({ name: "releasing", held }, release(held));
      if (event.name === "claimRefused" || event.name === "claimFailed") return to(later(), release(held));
      if ((event.name === "tick" || event.name === "claimed") && isOver(held)) return to(later(), release(held));
      if (event.name !== "claimed") return to(state);
      // The first renewal is due one interval after the lease was requested, not after the store answered.
      const renewAtMs = held.expiresAtMs - timing.ttlMs + renewIntervalMs(timing);
      return to({ name: "leader", held, renewAtMs }, { name: "startWriting", held });
    }

    case "leader":
    case "renewing":
      return leading(state, event, nowMs, timing);

    case "lost":
      if (event.name === "stop") return to({ name: "stopping", held: state.held });
      if (event.name === "halted") return to(later());
      return to(state);

    case "leaving":
      if (event.name === "acquired") return to({ name: "releasing", held: event.held }, release(event.held));
      if (event.name === "refused" || event.name === "unreachable") return to({ name: "stopped" });
      return to(state);

    case "stopping":
      if (event.name === "halted") return to({ name: "releasing", held: state.held }, release(state.held));
      return to(state);

    case "releasing":
      return event.name === "released" ? to({ name: "stopped" }) : to(state);

    case "stopped":
      return to(state);
  }
};

/**
 * A writer's id in the log, in `/v1/status` and in the metrics: the first 12 hexadecimal digits of its name's SHA-256. The name may be
 * that of a machine, which is not public.
 * @param name `WRITER_ID`
 */
export const holderId = (name: string): string => hash("sha256", name).slice(0, 12);

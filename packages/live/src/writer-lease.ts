/**
 * The writer's part in the lease, as a pure state machine: what it believes, and what it is to do next.
 * @see docs/specs/writer-lease.md
 */
import type { LeaseToken } from "./ports.ts";

/** How long a lease lasts. Everything else follows from it. */
export interface LeaseTiming {
  readonly ttlMs: number;
}

/** What a writer believes. */
export type WriterState =
  /** Another holds the lease, or it could not be had; asks again at `retryAtMs`. */
  | { readonly name: "follower"; readonly retryAtMs: number }
  /** Has asked for the lease. */
  | { readonly name: "acquiring" }
  /** Holds the lease, and has asked the store to refuse every older token. */
  | { readonly name: "claiming"; readonly held: LeaseToken }
  /** Writes. */
  | { readonly name: "leader"; readonly held: LeaseToken; readonly renewAtMs: number }
  /** Writes, and has asked to extend the lease. */
  | { readonly name: "renewing"; readonly held: LeaseToken }
  /** Writes no more, because the lease is gone; waits for the write under way to end. */
  | { readonly name: "lost"; readonly held: LeaseToken }
  /** Was told to stop while a lease was asked for; waits for the answer. */
  | { readonly name: "leaving" }
  /** Was told to stop while it wrote; waits for the write under way to end. */
  | { readonly name: "stopping"; readonly held: LeaseToken }
  /** Gives the lease up. */
  | { readonly name: "releasing"; readonly held: LeaseToken }
  | { readonly name: "stopped" };

/** What happens to a writer. Answers name the token they are about; one about a former token changes nothing. */
export type WriterEvent =
  /** Time has passed; due whenever `wakeAtMs` says. */
  | { readonly name: "tick" }
  /** Answers to `acquire`: the lease, another holds it, or no answer. */
  | { readonly name: "acquired"; readonly held: LeaseToken }
  | { readonly name: "refused" }
  | { readonly name: "unreachable" }
  /** Answers to `claim`: the store took the token, it knows a newer one, or no answer. */
  | { readonly name: "claimed"; readonly token: number }
  | { readonly name: "claimRefused"; readonly token: number }
  | { readonly name: "claimFailed"; readonly token: number }
  /** Answers to `renew`: extended, it is lost, or no answer. */
  | { readonly name: "renewed"; readonly held: LeaseToken }
  | { readonly name: "notRenewed"; readonly token: number }
  | { readonly name: "renewFailed"; readonly token: number }
  /** The store refused a write, because it has seen a newer token. */
  | { readonly name: "writeRefused"; readonly token: number }
  /** After `stopWriting`: no write is under way any more. */
  | { readonly name: "halted" }
  /** After `release`, however it went: a lease that is not given up expires. */
  | { readonly name: "released"; readonly token: number }
  /** The process is to end. */
  | { readonly name: "stop" };

/** What a writer is to do. */
export type WriterAction =
  /** Read the highest token the store has seen, and ask for the lease above it. */
  | { readonly name: "acquire" }
  /** Have the store refuse every older token. */
  | { readonly name: "claim"; readonly held: LeaseToken }
  | { readonly name: "startWriting"; readonly held: LeaseToken }
  | { readonly name: "renew"; readonly held: LeaseToken }
  /** Begin no write any more, and say `halted` when none is under way. */
  | { readonly name: "stopWriting" }
  | { readonly name: "release"; readonly held: LeaseToken };

/** Where a transition leads. */
export interface Transition {
  readonly state: WriterState;
  readonly actions: readonly WriterAction[];
}

/** How often a holder extends its lease: three attempts fit into its life. */
export const renewIntervalMs = ({ ttlMs }: LeaseTiming): number => ttlMs / 3;

/** How long to wait after a failure, and between two questions for a lease another holds. */
export const retryIntervalMs = ({ ttlMs }: LeaseTiming): number => ttlMs / 10;

/** A holder stops writing this long before its lease runs out, in case its clock is slower than the server's. */
export const marginMs = ({ ttlMs }: LeaseTiming): number => ttlMs / 10;

/** Until when a holder may write. */
export const writableUntilMs = (held: LeaseToken, timing: LeaseTiming): number => held.expiresAtMs - marginMs(timing);

/** A writer that has just started: it asks at once. */
export const startFollowing = (nowMs: number): WriterState => ({ name: "follower", retryAtMs: nowMs });

/** Whether a write may begin now. To be asked before each one: a process can be frozen between two ticks. */
export const mayWrite = (state: WriterState, nowMs: number, timing: LeaseTiming): boolean =>
  (state.name === "leader" || state.name === "renewing") && nowMs < writableUntilMs(state.held, timing);

/** When the next tick is due; null when only an answer can change anything. */
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

/** The token an answer is about; null for events that are about none. */
const tokenOf = (event: WriterEvent): number | null =>
  "token" in event ? event.token : event.name === "renewed" ? event.held.token : null;

const to = (state: WriterState, ...actions: readonly WriterAction[]): Transition => ({ state, actions });
const release = (held: LeaseToken): WriterAction => ({ name: "release", held });
const STOP_WRITING: WriterAction = { name: "stopWriting" };

/**
 * What an event means to a writer.
 * @param nowMs the writer's clock
 * @returns the next state, and what to do, in order; an event a state does not wait for changes nothing
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
      // The first renewal is due an interval after the lease was asked for, not after the store has answered.
      const renewAtMs = held.expiresAtMs - timing.ttlMs + renewIntervalMs(timing);
      return to({ name: "leader", held, renewAtMs }, { name: "startWriting", held });
    }

    case "leader":
    case "renewing": {
      const { held } = state;
      if (event.name === "stop") return to({ name: "stopping", held }, STOP_WRITING);
      if (event.name === "writeRefused") return to({ name: "lost", held }, STOP_WRITING);
      if (state.name === "renewing") {
        const extended = event.name === "renewed" ? event.held : held;
        if (event.name === "notRenewed" || isOver(extended)) return to({ name: "lost", held: extended }, STOP_WRITING);
        if (event.name === "renewed") {
          return to({ name: "leader", held: extended, renewAtMs: nowMs + renewIntervalMs(timing) });
        }
        if (event.name === "renewFailed") return to({ name: "leader", held, renewAtMs: nowMs + retryIntervalMs(timing) });
        return to(state);
      }
      if (isOver(held)) return to({ name: "lost", held }, STOP_WRITING);
      if (event.name === "tick" && nowMs >= state.renewAtMs) {
        return to({ name: "renewing", held }, { name: "renew", held });
      }
      return to(state);
    }

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

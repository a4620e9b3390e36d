/** One connection: its state machine, its timer, and the current link. */
import { type Clock, realClock } from "../core/runtime.ts";
import type { ServerFrame } from "../generated/stream.ts";
import {
  type ConnectionAction,
  type ConnectionEvent,
  type ConnectionRules,
  type ConnectionState,
  deadlineOf,
  type Loss,
  transition,
} from "./connection-states.ts";
import { StreamLostError } from "./errors.ts";
import type { Link, Opened, OpenLink } from "./link.ts";

/** Clock, randomness and timers. */
export interface StreamClock extends Pick<Clock, "nowMs" | "random"> {
  /** A monotonic clock in milliseconds: deadlines do not depend on the wall clock. */
  readonly elapsedMs: () => number;
  /** Calls back once; returns a function that cancels it. */
  readonly after: (waitMs: number, call: () => void) => () => void;
}

/** The real implementation. A followed stream keeps its process alive, so its timers do too. */
export const realStreamClock: StreamClock = {
  nowMs: realClock.nowMs,
  random: realClock.random,
  elapsedMs: () => performance.now(),
  after: (waitMs, call) => {
    const timer = setTimeout(call, waitMs);
    return () => clearTimeout(timer);
  },
};

/** The owner of a connection. */
export interface ConnectionOwner {
  connecting(attempt: number): void;
  opened(opened: Opened): void;
  frame(frame: ServerFrame): void;
  waiting(attempt: number, delayMs: number, loss: Loss): void;
  /** Called when it ended for good. */
  failed(error: Error): void;
}

/** Above this a timer fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** A connection that reconnects until it is stopped or refused. */
export class Connection {
  readonly #open: OpenLink;
  readonly #owner: ConnectionOwner;
  readonly #rules: ConnectionRules;
  readonly #clock: StreamClock;
  #state: ConnectionState = { name: "idle" };
  #link: Link | null = null;
  #timer: { readonly atMs: number; readonly cancel: () => void } | null = null;

  /**
   * @param open opens a link
   * @param owner receives its events
   */
  constructor(open: OpenLink, owner: ConnectionOwner, rules: ConnectionRules, clock: StreamClock) {
    this.#open = open;
    this.#owner = owner;
    this.#rules = rules;
    this.#clock = clock;
  }

  /** Starts it; calling it twice has no effect. */
  start(): void {
    this.#step({ name: "start" });
  }

  /** Closes it cleanly, for good. */
  stop(): void {
    this.#step({ name: "stop" });
  }

  /** The followed names have changed. */
  follow(): void {
    this.#link?.follow();
  }

  #step(event: ConnectionEvent): void {
    const { elapsedMs, random } = this.#clock;
    const { state, actions } = transition(this.#state, event, elapsedMs(), random(), this.#rules);
    this.#state = state;
    for (const action of actions) this.#do(action);
    this.#watch();
  }

  #do(action: ConnectionAction): void {
    switch (action.name) {
      case "connect":
        this.#owner.connecting(action.attempt);
        this.#connect();
        break;
      case "drop":
        this.#leave((link) => link.drop());
        break;
      case "close":
        this.#leave((link) => link.close());
        break;
      case "reportWait":
        this.#owner.waiting(action.attempt, action.delayMs, action.loss);
        break;
      case "giveUp":
        this.#owner.failed(
          new StreamLostError(`Lost the connection ${action.failures} times in a row; last reason: ${action.loss.reason}`),
        );
        break;
      case "fail":
        this.#owner.failed(action.error);
        break;
    }
  }

  #connect(): void {
    const isCurrent = (): boolean => this.#link === link;
    const link: Link = this.#open({
      opened: (opened) => {
        if (!isCurrent()) return;
        this.#step({ name: "opened", heartbeatMs: opened.heartbeatMs });
        this.#owner.opened(opened);
      },
      frame: (frame) => {
        if (!isCurrent()) return;
        this.#step({ name: "heard" });
        this.#owner.frame(frame);
      },
      ended: (ending) => {
        if (isCurrent()) this.#step(ending);
      },
    });
    this.#link = link;
  }

  #leave(how: (link: Link) => void): void {
    const link = this.#link;
    this.#link = null;
    if (link !== null) how(link);
  }

  /** Uses a single timer, which may fire early but never late: frames do not reset it. */
  #watch(): void {
    const atMs = deadlineOf(this.#state);
    if (atMs !== null && this.#timer !== null && this.#timer.atMs <= atMs) return;
    this.#timer?.cancel();
    this.#timer = null;
    if (atMs === null || atMs === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.min(Math.max(0, Math.ceil(atMs - this.#clock.elapsedMs())), LONGEST_TIMER_MS);
    const cancel = this.#clock.after(waitMs, () => {
      this.#timer = null;
      this.#step({ name: "time" });
    });
    this.#timer = { atMs, cancel };
  }
}

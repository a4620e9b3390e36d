/** The common part of both kinds of stream: a member of the hub, and a driver of the session's state machine. */
import { formatClockReading, STREAM_CLOSES, type StreamCloseCode, type StreamName, type TierName } from "@assay/contract";
import type { Log, StreamPlace } from "@assay/live";
import type { Time } from "@assay/ports";
import { type CallerKey, keyEnd } from "@assay/services";
import type { Codec } from "../hub/codec.ts";
import type { Ahead, Group, Member, Pending } from "../hub/group.ts";
import type { Hub } from "../hub/hub.ts";
import type { KeyWatch, WatchedKey } from "./key-watch.ts";
import type { Places } from "./places.ts";
import {
  dueAtMs,
  type SessionAction,
  type SessionEvent,
  type SessionState,
  type SessionTiming,
  transition,
} from "./session-states.ts";
import type { RefusalLog, StreamCounts } from "./stream-reports.ts";
import type { Calendar, Sweepable } from "./sweeper.ts";

/** A heartbeat this recent is reused for all who are due. */
const SHARED_HEARTBEAT_MS = 100;

/** What all connections of a process share. */
export interface StreamDeps {
  readonly hub: Hub;
  readonly places: Places;
  readonly keys: KeyWatch<StreamConnection>;
  readonly counts: StreamCounts;
  readonly log: Log;
  readonly refusals: RefusalLog;
  /** Assay's clock, as sent to clients. Deadlines are by what has elapsed: they do not depend on it. */
  readonly clock: Time;
  readonly timing: SessionTiming;
  readonly maxBufferBytes: number;
  readonly isMarketOpen: (atMs: number) => boolean;
  /** A random number from 0 to 1, for jitter. */
  readonly random: () => number;
  readonly connections: Set<StreamConnection>;
  readonly calendar: Calendar<StreamConnection>;
  /** Those whose sockets have not drained, checked by every sweep. */
  readonly backedUp: Set<StreamConnection>;
}

/** A connection's socket, as far as its session uses it. */
interface StreamSocket {
  /** Bytes that it has not sent yet. */
  readonly writableLength: number;
  write(bytes: Buffer): void;
  destroy(): void;
}

/** What a connection holds once it is admitted. */
interface Admitted {
  readonly place: StreamPlace;
  /** Null for a caller without a key. */
  readonly key: WatchedKey<StreamConnection> | null;
}

export interface Held {
  readonly place: StreamPlace;
  /** Null for a caller without a key. */
  readonly key: Pick<CallerKey, "hash" | "revokedAtMs" | "expiresAtMs"> | null;
}

export abstract class StreamConnection implements Member, Sweepable {
  dueMs: number;
  page: number | null = null;
  flushed = 0;
  group: Group | null = null;
  pending: Map<StreamName, Pending> | null = null;
  ahead: Map<StreamName, Ahead> | null = null;
  readonly id: string;
  protected readonly deps: StreamDeps;
  protected readonly codec: Codec;
  readonly #socket: StreamSocket;
  #admitted: Admitted | null = null;
  #state: SessionState;
  #closedWith: StreamCloseCode | "terminated" | "lifetime" | null = null;
  #hasServed = false;

  constructor(deps: StreamDeps, codec: Codec, socket: StreamSocket, id: string, state: SessionState) {
    this.deps = deps;
    this.codec = codec;
    this.#socket = socket;
    this.id = id;
    this.#state = state;
    this.dueMs = dueAtMs(state, deps.timing);
    deps.connections.add(this);
    deps.calendar.note(this);
    deps.counts.opened(codec.kind);
  }

  get stateName(): SessionState["name"] {
    return this.#state.name;
  }

  /** Whether a protocol ping is unanswered. */
  get awaitsPong(): boolean {
    return "pongByMs" in this.#state && this.#state.pongByMs !== null;
  }

  isIdle(): boolean {
    return this.#socket.writableLength === 0;
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
    this.noteWritten();
  }

  onBlocked(): void {
    this.deps.backedUp.add(this);
    this.step({ name: "blocked" });
  }

  /** Applies an event, and carries out the resulting actions. */
  step(event: SessionEvent): void {
    const before = this.#state;
    if (before.name === "open") this.#hasServed = true;
    const { state, actions } = transition(before, event, this.deps.clock.elapsed(), this.deps.timing);
    if (state !== before) {
      this.#state = state;
      this.dueMs = dueAtMs(state, this.deps.timing);
    }
    this.deps.calendar.note(this);
    for (const action of actions) this.#do(action);
    if (state.name === "closed" && before.name !== "closed") this.#end();
  }

  /** Checks how much its socket still holds. */
  relieve(): void {
    if (this.#socket.writableLength > this.deps.maxBufferBytes) this.step({ name: "overflow" });
    else if (this.isIdle()) {
      this.deps.backedUp.delete(this);
      this.step({ name: "unblocked" });
    }
  }

  /** Drops the socket without a close handshake. */
  abandon(): void {
    this.#socket.destroy();
    this.step({ name: "hangup" });
  }

  /**
   * Writes what names begin with, at most half of what may be buffered.
   * @param names each with the last number the client has, if any
   * @param before written first
   */
  protected begin(names: Iterable<readonly [StreamName, number | undefined]>, before: readonly Buffer[] = []): void {
    const { hub, clock, maxBufferBytes } = this.deps;
    const parts = [...before];
    let maxBytes = maxBufferBytes / 2 - this.#socket.writableLength;
    for (const [name, seq] of names) {
      const bytes = Buffer.concat(hub.begin(this, this.codec, name, { seq, nowMs: clock(), maxBytes }));
      maxBytes -= bytes.length;
      parts.push(bytes);
    }
    const all = Buffer.concat(parts);
    if (all.length > 0) this.write(all);
  }

  /** Gives it what it holds until it leaves: its place, and the key whose end closes it. */
  protected hold({ place, key }: Held): void {
    this.#admitted = { place, key: key && this.deps.keys.enter(this, key.hash, keyEnd(key)) };
  }

  /** Has the socket watched when it has not drained. To be called when others have written to it. */
  protected noteWritten(): void {
    if (!this.isIdle()) this.deps.backedUp.add(this);
  }

  abstract isIncludedIn(tier: TierName): boolean;

  protected closeMessage(code: StreamCloseCode): string {
    return STREAM_CLOSES[code].message;
  }

  /** Carries out the actions specific to one kind of stream. */
  protected abstract act(action: SessionAction): void;
  /** Sends the reason, and closes. */
  protected abstract sayClose(frame: string, close: number): void;

  #do(action: SessionAction): void {
    switch (action.name) {
      case "heartbeat":
        this.write(this.#heartbeat());
        break;
      case "catchUp":
        this.deps.hub.catchUp(this);
        break;
      case "leave":
        this.#leave();
        break;
      case "close": {
        const { code } = action;
        this.#note(code);
        this.sayClose(
          JSON.stringify({ type: "error", code, message: this.closeMessage(code), fatal: true }),
          STREAM_CLOSES[code].close,
        );
        break;
      }
      case "finish":
        // A regular close: counted, but not logged.
        this.#closedWith = "lifetime";
        this.act(action);
        break;
      case "terminate":
        if (this.#closedWith === null) this.#note("terminated");
        this.#socket.destroy();
        break;
      default:
        this.act(action);
    }
  }

  /** The heartbeat: one for all members that follow the same names and have drained. */
  #heartbeat(): Buffer {
    const { hub, clock, isMarketOpen } = this.deps;
    const nowMs = clock();
    hub.bring(this);
    const { group } = this;
    const shared = this.pending === null ? group?.heartbeat : null;
    const isCurrent = shared && Math.abs(nowMs - shared.atMs) < SHARED_HEARTBEAT_MS && shared.flush === hub.flushNumber;
    if (isCurrent) return shared.bytes;
    const frame = {
      type: "heartbeat",
      ts: formatClockReading(nowMs),
      seq: hub.standing(this),
      market: isMarketOpen(nowMs) ? "open" : "closed",
    };
    const bytes = this.codec.event("heartbeat", JSON.stringify(frame));
    if (group && this.pending === null) group.heartbeat = { atMs: nowMs, flush: hub.flushNumber, bytes };
    return bytes;
  }

  #leave(): void {
    this.deps.hub.leave(this);
    const admitted = this.#admitted;
    if (!admitted) return;
    this.#admitted = null;
    admitted.key?.leave(this);
    this.deps.places.giveBack(admitted.place);
  }

  #end(): void {
    const { connections, calendar, backedUp, counts } = this.deps;
    connections.delete(this);
    calendar.forget(this);
    backedUp.delete(this);
    counts.closed(this.codec.kind, this.#closedWith);
  }

  /** Records why the service closes it; a shutdown closes all connections and is logged once. */
  #note(reason: StreamCloseCode | "terminated"): void {
    this.#closedWith = reason;
    if (reason === "server_draining") return;
    const { log, refusals } = this.deps;
    (this.#hasServed ? log : refusals).info({ connection: this.id, wire: this.codec.kind, reason }, "closed a stream");
  }
}

/** The common part of both kinds of stream: a member of the hub, and a driver of the session's state machine. */
import type { Socket } from "node:net";
import { formatTimestamp, STREAM_CLOSES, type StreamCloseCode, type StreamName } from "@assay/contract";
import type { Log, StreamPlace } from "@assay/live";
import { exemptFromStall } from "@assay/process";
import type { Codec } from "../hub/codec.ts";
import type { Ahead, Group, Member, Pending } from "../hub/group.ts";
import type { Hub } from "../hub/hub.ts";
import type { Calendar, Dated } from "./calendar.ts";
import type { WatchedKey } from "./key-watch.ts";
import type { Places } from "./places.ts";
import type { RefusalLog } from "./refusal-log.ts";
import { SocketWriter } from "./socket-writer.ts";
import { dueAtMs, type SessionAction, type SessionEvent, type SessionState, type SessionTiming, transition } from "./states.ts";
import type { StreamCounts } from "./stream-counts.ts";

/** A heartbeat this recent is reused for all who are due. */
const SHARED_HEARTBEAT_MS = 100;

/** What all connections of a process share. */
export interface ConnectionParts {
  readonly hub: Hub;
  readonly places: Places;
  readonly counts: StreamCounts;
  readonly log: Log;
  readonly refusals: RefusalLog;
  /** Assay's clock, as sent to clients. */
  readonly clock: () => number;
  /** A monotonic clock in milliseconds: deadlines do not depend on the wall clock. */
  readonly elapsed: () => number;
  readonly timing: SessionTiming;
  readonly maxBufferBytes: number;
  /** Whether the market is open at an instant. */
  readonly isMarketOpen: (atMs: number) => boolean;
  /** A random number from 0 to 1, for jitter. */
  readonly random: () => number;
  /** The open connections. */
  readonly connections: Set<Connection>;
  /** When each of them is due. */
  readonly calendar: Calendar<Connection>;
  /** Those whose sockets have not drained, checked by every sweep. */
  readonly backedUp: Set<Connection>;
}

/** A connection with its key and place, once it has them. */
export interface Admitted {
  readonly place: StreamPlace;
  readonly key: WatchedKey<Connection>;
}

/** An open stream. */
export abstract class Connection implements Member, Dated {
  dueMs: number;
  page: number | null = null;
  flushed = 0;
  group: Group | null = null;
  pending: Map<StreamName, Pending> | null = null;
  ahead: Map<StreamName, Ahead> | null = null;
  readonly id: string;
  protected readonly parts: ConnectionParts;
  protected readonly codec: Codec;
  readonly #socket: Socket;
  protected admitted: Admitted | null = null;
  readonly #writer: SocketWriter;
  #state: SessionState;
  #closedWith: StreamCloseCode | "terminated" | "lifetime" | null = null;
  #hasServed = false;

  constructor(parts: ConnectionParts, codec: Codec, socket: Socket, id: string, state: SessionState) {
    this.parts = parts;
    this.codec = codec;
    this.#socket = socket;
    this.id = id;
    this.#state = state;
    this.dueMs = dueAtMs(state, parts.timing);
    socket.setNoDelay(true);
    exemptFromStall(socket);
    this.#writer = new SocketWriter(socket);
    parts.connections.add(this);
    parts.calendar.note(this);
    parts.counts.opened(codec.kind);
  }

  /** Its state. */
  get stateName(): SessionState["name"] {
    return this.#state.name;
  }

  /** Whether a protocol ping is unanswered. */
  get awaitsPong(): boolean {
    return "pongByMs" in this.#state && this.#state.pongByMs !== null;
  }

  isIdle(): boolean {
    return this.#writer.isIdle();
  }

  write(bytes: Buffer): void {
    this.#writer.write(bytes);
    this.#noteBacklog();
  }

  onBlocked(): void {
    this.parts.backedUp.add(this);
    this.step({ name: "blocked" });
  }

  /** Applies an event, and carries out the resulting actions. */
  step(event: SessionEvent): void {
    const before = this.#state;
    if (before.name === "open") this.#hasServed = true;
    const { state, actions } = transition(before, event, this.parts.elapsed(), this.parts.timing);
    if (state !== before) {
      this.#state = state;
      this.dueMs = dueAtMs(state, this.parts.timing);
    }
    this.parts.calendar.note(this);
    for (const action of actions) this.#do(action);
    if (state.name === "closed" && before.name !== "closed") this.#end();
  }

  /** Checks how much its socket still holds. */
  relieve(): void {
    if (this.#writer.backlog > this.parts.maxBufferBytes) this.step({ name: "overflow" });
    else if (this.isIdle()) {
      this.parts.backedUp.delete(this);
      this.step({ name: "unblocked" });
    }
  }

  /** Drops the socket without a close handshake. */
  abandon(): void {
    this.#socket.destroy();
    this.step({ name: "hangup" });
  }

  /** To be called when something was written to the socket by others. */
  protected noteWritten(): void {
    this.#writer.noteStream();
    this.#noteBacklog();
  }

  /** Has its socket watched when it has not drained. */
  #noteBacklog(): void {
    if (!this.isIdle()) this.parts.backedUp.add(this);
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
        this.parts.hub.catchUp(this);
        break;
      case "leave":
        this.#leave();
        break;
      case "close": {
        const { close, message } = STREAM_CLOSES[action.code];
        this.#note(action.code);
        this.sayClose(JSON.stringify({ type: "error", code: action.code, message, fatal: true }), close);
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
    const { hub, clock, isMarketOpen } = this.parts;
    const nowMs = clock();
    hub.bring(this);
    const { group } = this;
    const shared = this.pending === null ? group?.heartbeat : null;
    const isCurrent = shared && Math.abs(nowMs - shared.atMs) < SHARED_HEARTBEAT_MS && shared.flush === hub.flushNumber;
    if (isCurrent) return shared.bytes;
    const frame = {
      type: "heartbeat",
      ts: formatTimestamp(new Date(nowMs)),
      seq: hub.standing(this),
      market: isMarketOpen(nowMs) ? "open" : "closed",
    };
    const bytes = this.codec.event("heartbeat", JSON.stringify(frame));
    if (group && this.pending === null) group.heartbeat = { atMs: nowMs, flush: hub.flushNumber, bytes };
    return bytes;
  }

  #leave(): void {
    this.parts.hub.leave(this);
    const { admitted } = this;
    if (!admitted) return;
    this.admitted = null;
    admitted.key.leave(this);
    this.parts.places.giveBack(admitted.place);
  }

  #end(): void {
    const { connections, calendar, backedUp, counts } = this.parts;
    connections.delete(this);
    calendar.forget(this);
    backedUp.delete(this);
    counts.closed(this.codec.kind, this.#closedWith);
  }

  /** Records why the service closes it; a shutdown closes all connections and is logged once. */
  #note(reason: StreamCloseCode | "terminated"): void {
    this.#closedWith = reason;
    if (reason === "server_draining") return;
    const { log, refusals } = this.parts;
    (this.#hasServed ? log : refusals).info({ connection: this.id, wire: this.codec.kind, reason }, "closed a stream");
  }
}

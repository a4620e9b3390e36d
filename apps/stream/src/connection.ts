/** What both kinds of stream are to the service: a member of the hub, and a driver of the session's state machine. */
import type { Socket } from "node:net";
import { exemptFromStall } from "@assay/config";
import { formatTimestamp, STREAM_CLOSES, type StreamCloseCode, type StreamName } from "@assay/contract";
import type { StreamPlace } from "@assay/live";
import type { Calendar, Dated } from "./calendar.ts";
import type { Codec } from "./hub/codec.ts";
import type { Group } from "./hub/group.ts";
import type { Hub } from "./hub/hub.ts";
import type { Ahead, Member, Pending } from "./hub/member.ts";
import type { WatchedKey } from "./key-watch.ts";
import type { Places } from "./places.ts";
import type { RefusalLog } from "./refusal-log.ts";
import type { StreamCounts } from "./stream-counts.ts";
import {
  dueAtMs,
  type SessionAction,
  type SessionEvent,
  type SessionState,
  type SessionTiming,
  transition,
} from "./ws/states.ts";

/** A heartbeat made this recently is good for all who are due. */
const SHARED_HEARTBEAT_MS = 100;

/** Where streams tell what happens to them; never a key. */
export interface StreamLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** What all connections of a process share. */
export interface ConnectionParts {
  readonly hub: Hub;
  readonly places: Places;
  readonly counts: StreamCounts;
  readonly log: StreamLog;
  readonly refusals: RefusalLog;
  /** Assay's own clock, which is told to clients. */
  readonly clock: () => number;
  /** Milliseconds that only pass: deadlines do not follow a clock that is set. */
  readonly elapsed: () => number;
  readonly timing: SessionTiming;
  readonly maxBufferBytes: number;
  /** Whether the market trades at an instant. */
  readonly isMarketOpen: (atMs: number) => boolean;
  /** Between 0 and 1, for jitter. */
  readonly random: () => number;
  /** Connections that are open. */
  readonly connections: Set<Connection>;
  /** When each of them is due. */
  readonly calendar: Calendar<Connection>;
  /** Those with something left in their sockets, looked at by every sweep. */
  readonly backedUp: Set<Connection>;
}

/** A connection with its key and place, once it has them. */
export interface Admitted {
  readonly place: StreamPlace;
  readonly key: WatchedKey;
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
  protected readonly socket: Socket;
  protected admitted: Admitted | null = null;
  #state: SessionState;
  #closedWith: StreamCloseCode | "terminated" | "lifetime" | null = null;
  #hasServed = false;

  constructor(parts: ConnectionParts, codec: Codec, socket: Socket, id: string, state: SessionState) {
    this.parts = parts;
    this.codec = codec;
    this.socket = socket;
    this.id = id;
    this.#state = state;
    this.dueMs = dueAtMs(state, parts.timing);
    socket.setNoDelay(true);
    exemptFromStall(socket);
    parts.connections.add(this);
    parts.calendar.note(this);
    parts.counts.opened(codec.kind);
  }

  /** Where it stands. */
  get stateName(): SessionState["name"] {
    return this.#state.name;
  }

  /** Whether a ping of the protocol is to be answered. */
  get awaitsPong(): boolean {
    return "pongByMs" in this.#state && this.#state.pongByMs !== null;
  }

  isIdle(): boolean {
    return this.socket.writableLength === 0;
  }

  write(bytes: Buffer): void {
    this.socket.write(bytes);
    this.noteBacklog();
  }

  onBlocked(): void {
    this.parts.backedUp.add(this);
    this.step({ name: "blocked" });
  }

  /** Takes an event in, and does what follows from it. */
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

  /** Looks at what its socket still holds. */
  relieve(): void {
    if (this.socket.writableLength > this.parts.maxBufferBytes) this.step({ name: "overflow" });
    else if (this.isIdle()) {
      this.parts.backedUp.delete(this);
      this.step({ name: "unblocked" });
    }
  }

  /** Drops the socket without another word. */
  abandon(): void {
    this.socket.destroy();
    this.step({ name: "hangup" });
  }

  /** Has its socket watched when something was left in it. */
  protected noteBacklog(): void {
    if (this.socket.writableLength > 0) this.parts.backedUp.add(this);
  }

  /** Does what only one kind of stream does. */
  protected abstract act(action: SessionAction): void;
  /** Says why it ends, and ends. */
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
        // Nothing went wrong: it is counted, and makes no line in the log.
        this.#closedWith = "lifetime";
        this.act(action);
        break;
      case "terminate":
        if (this.#closedWith === null) this.#note("terminated");
        this.socket.destroy();
        break;
      default:
        this.act(action);
    }
  }

  /** The heartbeat: one for all who follow the same and are not behind. */
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

  /** Notes why the service ends it; an end of the process ends everybody and is told once. */
  #note(reason: StreamCloseCode | "terminated"): void {
    this.#closedWith = reason;
    if (reason === "server_draining") return;
    const { log, refusals } = this.parts;
    (this.#hasServed ? log : refusals).info({ connection: this.id, wire: this.codec.kind, reason }, "a stream was ended");
  }
}

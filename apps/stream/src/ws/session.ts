/** One WebSocket session: its socket combined with its state machine. */
import type { Socket } from "node:net";
import { type ClientFrame, formatTimestamp, STREAM_LIMITS, type StreamName, type TierCatalog } from "@assay/contract";
import { PING, WS } from "../hub/codec.ts";
import { Connection, type ConnectionParts } from "../session/connection.ts";
import type { KeyWatch } from "../session/key-watch.ts";
import { greet, type SessionAction } from "../session/states.ts";
import type { Admission, Admit } from "./admit.ts";
import { type FrameReading, readFrame } from "./client-frames.ts";
import { FrameRate } from "./frame-rate.ts";
import type { SessionSocket } from "./session-socket.ts";
import { judgeNames, listed, readName } from "./subscription.ts";

/** What sessions share besides the parts of all connections. */
export interface SessionParts extends ConnectionParts {
  readonly admit: Admit;
  readonly keys: KeyWatch<Connection>;
  readonly catalog: TierCatalog;
  readonly maxSymbols: number;
}

/** A session. */
export class Session extends Connection {
  declare protected readonly parts: SessionParts;
  readonly #ws: SessionSocket;
  readonly #ip: string;
  readonly #rate = new FrameRate(STREAM_LIMITS.maxFrames, STREAM_LIMITS.frameWindowMs);
  #names: ReadonlySet<StreamName> = new Set();
  #admission: Admission | null = null;
  /** The frame being executed. */
  #reading: FrameReading | null = null;
  #kept: FrameReading[] = [];

  constructor(parts: SessionParts, ws: SessionSocket, socket: Socket, ip: string, id: string) {
    super(parts, WS, socket, id, greet(parts.elapsed(), parts.timing));
    this.#ws = ws;
    this.#ip = ip;
    ws.onFault = () => this.step({ name: "badFrame" });
    ws.on("message", (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    ws.on("ping", () => this.#countFrame());
    // An unsolicited pong counts as a frame like any other.
    ws.on("pong", () => {
      if (this.awaitsPong || this.#countFrame()) this.step({ name: "pong" });
    });
    ws.on("close", () => this.step({ name: "hangup" }));
    // Socket errors are visible in its close.
    ws.on("error", () => undefined);
  }

  protected sayClose(frame: string, close: number): void {
    this.#ws.send(frame);
    this.#ws.close(close);
  }

  protected act(action: SessionAction): void {
    switch (action.name) {
      case "admit":
        this.#admit();
        break;
      case "keep":
        if (this.#reading) this.#kept.push(this.#reading);
        break;
      case "welcome":
        this.#welcome();
        break;
      case "answer":
        this.#answer();
        break;
      case "complain": {
        const reading = this.#reading;
        const isInvalid = reading?.name === "invalid";
        const message = isInvalid ? reading.message : "The connection is authenticated already.";
        this.#send({ type: "error", id: isInvalid ? reading.id : undefined, code: action.code, message, fatal: false });
        break;
      }
      case "pingPeer":
        // As `ws` does, nothing once the client has begun to close.
        if (this.#ws.readyState === this.#ws.OPEN) this.write(PING);
        break;
      case "giveBack":
        if (this.#admission) this.parts.places.giveBack(this.#admission.place);
        break;
    }
  }

  #send(frame: object): void {
    this.#ws.send(JSON.stringify(frame));
    this.noteWritten();
  }

  #countFrame(): boolean {
    if (this.#rate.take(this.parts.elapsed())) return true;
    this.step({ name: "flood" });
    return false;
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (!this.#countFrame()) return;
    this.#play(isBinary ? { name: "badFrame" } : readFrame(data.toString("utf8")));
  }

  #play(reading: FrameReading): void {
    this.#reading = reading;
    this.step({ name: reading.name });
    this.#reading = null;
  }

  #admit(): void {
    const reading = this.#reading;
    if (reading?.name !== "auth" || reading.frame.action !== "auth") return;
    this.parts.admit(reading.frame.api_key, this.#ip).then(
      (outcome) => {
        if ("refused" in outcome) {
          this.step({ name: "refused", code: outcome.refused });
          return;
        }
        this.#admission = outcome;
        this.step({ name: "admitted" });
      },
      (error: unknown) => {
        this.parts.log.error({ err: error, connection: this.id }, "failed to admit a session");
        this.step({ name: "refused", code: "auth_unavailable" });
      },
    );
  }

  #welcome(): void {
    const admission = this.#admission;
    if (!admission) return;
    const { parts } = this;
    const { caller, place, limit } = admission;
    this.admitted = { place, key: parts.keys.enter(this, caller.hash, caller.revokedAtMs) };
    this.#send({
      type: "welcome",
      connection_id: this.id,
      tier: admission.tier,
      heartbeat_interval_seconds: Math.round(parts.timing.heartbeatMs / 1000),
      max_symbols: parts.maxSymbols,
      max_connections: limit,
      server_time: formatTimestamp(new Date(parts.clock())),
    });
    const kept = this.#kept;
    this.#kept = [];
    // Each may close the session; the state machine then ignores the rest.
    for (const reading of kept) this.#play(reading);
  }

  #answer(): void {
    const reading = this.#reading;
    if (!reading || !("frame" in reading)) return;
    const { frame } = reading;
    if (frame.action === "ping") {
      this.#send({ type: "pong", id: frame.id, ts: formatTimestamp(new Date(this.parts.clock())) });
    } else if (frame.action === "subscribe") this.#subscribe(frame);
    else if (frame.action === "unsubscribe") this.#unsubscribe(frame);
  }

  #subscribe(frame: Extract<ClientFrame, { action: "subscribe" }>): void {
    const { parts } = this;
    const tier = this.#admission?.tier ?? "free";
    const rules = { catalog: parts.catalog, tier, maxSymbols: parts.maxSymbols };
    const { names, rejected } = judgeNames(frame, this.#names, rules);
    const resume = new Map(Object.entries(frame.resume ?? {}).map(([written, seq]) => [readName(written), seq]));
    // Names already followed continue unchanged: their numbers are in order on this connection.
    const added = names.filter((name) => !this.#names.has(name));
    this.#follow(new Set([...this.#names, ...added]));
    this.#send({ type: "subscribed", id: frame.id, ...listed(this.#names), rejected });
    const { hub, clock } = parts;
    const known = added.flatMap((name) => {
      const seq = resume.get(name);
      return seq === undefined ? hub.snapshot(WS, name) : hub.resume(this, WS, name, seq, clock());
    });
    if (known.length > 0) this.write(Buffer.concat(known));
  }

  #unsubscribe(frame: Extract<ClientFrame, { action: "unsubscribe" }>): void {
    const rejected: { name: string; code: "invalid_symbol" }[] = [];
    const left = new Set(this.#names);
    for (const written of [...frame.symbols, ...frame.channels]) {
      const name = readName(written);
      if (name === null) rejected.push({ name: written, code: "invalid_symbol" });
      else left.delete(name);
    }
    this.#follow(left);
    this.#send({ type: "unsubscribed", id: frame.id, ...listed(this.#names), rejected });
  }

  #follow(names: ReadonlySet<StreamName>): void {
    this.#names = names;
    this.parts.hub.follow(this, WS, names);
  }
}

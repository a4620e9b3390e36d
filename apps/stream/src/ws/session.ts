/** One WebSocket session: its socket combined with its state machine. */
import type { Socket } from "node:net";
import {
  type ClientFrame,
  formatClockReading,
  STREAM_LIMITS,
  STREAM_TIER,
  type StreamCloseCode,
  type StreamName,
  type TierCatalog,
  type TierName,
  tierAtLeast,
} from "@assay/contract";
import { noteStream } from "@assay/process";
import { PING, WS } from "../hub/codec.ts";
import { greet, type SessionAction } from "../session/session-states.ts";
import { StreamConnection, type StreamDeps } from "../session/stream-connection.ts";
import type { Admission, Admit, Peer } from "./admit.ts";
import { FrameRate, type FrameReading, judgeNames, judgeResume, listed, readFrame, readName } from "./client-frames.ts";
import type { SessionSocket } from "./upgrade.ts";

/** What sessions share besides what all connections do. */
export interface SessionDeps extends StreamDeps {
  readonly admit: Admit;
  readonly catalog: TierCatalog;
  readonly maxSymbols: number;
}

export class Session extends StreamConnection {
  declare protected readonly deps: SessionDeps;
  readonly #ws: SessionSocket;
  readonly #peer: Peer;
  readonly #rate = new FrameRate(STREAM_LIMITS.maxFrames, STREAM_LIMITS.frameWindowMs);
  #names: ReadonlySet<StreamName> = new Set();
  #admission: Admission | null = null;
  /** The frame being executed. */
  #reading: FrameReading | null = null;
  #kept: FrameReading[] = [];

  constructor(deps: SessionDeps, ws: SessionSocket, socket: Socket, peer: Peer, id: string) {
    super(deps, WS, socket, id, greet(deps.clock.elapsed(), deps.timing));
    noteStream(socket);
    this.#ws = ws;
    this.#peer = peer;
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

  /** A tier with fewer symbols is a lower one, and has no WebSockets. */
  isIncludedIn(tier: TierName): boolean {
    return tierAtLeast(tier, STREAM_TIER);
  }

  protected sayClose(frame: string, close: number): void {
    this.#ws.send(frame);
    this.#ws.close(close);
  }

  protected override closeMessage(code: StreamCloseCode): string {
    const message = this.#reading?.name === "badFrame" ? this.#reading.message : undefined;
    return message ?? super.closeMessage(code);
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
        if (this.#admission) this.deps.places.giveBack(this.#admission.place);
        break;
    }
  }

  #send(frame: object): void {
    this.#ws.send(JSON.stringify(frame));
    this.noteWritten();
  }

  #countFrame(): boolean {
    if (this.#rate.take(this.deps.clock.elapsed())) return true;
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
    this.deps.admit(reading.frame.api_key, this.#peer).then(
      (outcome) => {
        if ("refused" in outcome) {
          this.step({ name: "refused", code: outcome.refused });
          return;
        }
        this.#admission = outcome;
        this.step({ name: "admitted" });
      },
      (error: unknown) => {
        this.deps.log.error({ err: error, connection: this.id }, "failed to admit a session");
        this.step({ name: "refused", code: "auth_unavailable" });
      },
    );
  }

  #welcome(): void {
    const admission = this.#admission;
    if (!admission) return;
    const { deps } = this;
    this.hold(admission);
    this.#send({
      type: "welcome",
      connection_id: this.id,
      tier: admission.tier,
      heartbeat_interval_seconds: Math.round(deps.timing.heartbeatMs / 1000),
      max_symbols: deps.maxSymbols,
      max_connections: admission.limit,
      server_time: formatClockReading(deps.clock()),
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
      this.#send({ type: "pong", id: frame.id, ts: formatClockReading(this.deps.clock()) });
    } else if (frame.action === "subscribe") this.#subscribe(frame);
    else if (frame.action === "unsubscribe") this.#unsubscribe(frame);
  }

  #subscribe(frame: Extract<ClientFrame, { action: "subscribe" }>): void {
    const { deps } = this;
    const tier = this.#admission?.tier ?? "free";
    const rules = { catalog: deps.catalog, tier, maxSymbols: deps.maxSymbols };
    const { names, rejected } = judgeNames(frame, this.#names, rules);
    // Names already followed continue unchanged, unless the client names a number of theirs.
    const added = names.filter((name) => !this.#names.has(name));
    this.#follow(new Set([...this.#names, ...added]));
    const resumes = judgeResume(frame, this.#names);
    this.#send({ type: "subscribed", id: frame.id, ...listed(this.#names), rejected: [...rejected, ...resumes.rejected] });
    this.begin(new Map([...added.map((name) => [name, undefined] as const), ...resumes.seqs]));
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
    this.deps.hub.follow(this, WS, names);
  }
}

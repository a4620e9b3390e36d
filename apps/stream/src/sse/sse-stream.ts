/** One SSE stream: a response that goes on, driven by the session's state machine from `open` on. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { STREAM_LIMITS } from "@assay/contract";
import { Connection, type ConnectionParts } from "../connection.ts";
import { SSE } from "../hub/codec.ts";
import type { KeyWatch } from "../key-watch.ts";
import type { SessionAction } from "../ws/states.ts";
import { chunk } from "./chunk.ts";
import type { Opening } from "./opening.ts";

/** What streams share beside what all connections do. */
export interface SseParts extends ConnectionParts {
  readonly keys: KeyWatch;
}

const RETRY = Buffer.from(`retry: ${STREAM_LIMITS.sseRetryMs}\n\n`);
const RESUME = Buffer.from(`retry: ${STREAM_LIMITS.sseResumeMs}\n\n`);

/** A stream. */
export class SseStream extends Connection {
  readonly #response: ServerResponse;
  /** Chunks of HTTP/1.1 are framed by us, once for all who get them. */
  readonly #isChunked: boolean;

  constructor(parts: SseParts, response: ServerResponse, socket: Socket, opening: Opening, id: string) {
    const nowMs = parts.elapsed();
    const { heartbeatMs, sseLifetimeMs } = parts.timing;
    // Spread out, so that streams opened together do not come back together.
    const jitter = 1 + STREAM_LIMITS.sseLifetimeJitter * (2 * parts.random() - 1);
    const pulse = { heartbeatAtMs: nowMs + heartbeatMs, endsAtMs: nowMs + sseLifetimeMs * jitter };
    super(parts, SSE, socket, id, { name: "open", ...pulse, pingAtMs: Number.POSITIVE_INFINITY, pongByMs: null });
    this.#response = response;
    this.#isChunked = response.chunkedEncoding;
    const { place, key, symbol, resumeFrom } = opening;
    if (place) this.admitted = { place, key: parts.keys.enter(this, key.hash, key.revokedAtMs) };
    response.on("close", () => this.step({ name: "hangup" }));
    response.on("error", () => undefined);
    const { hub, clock } = parts;
    hub.follow(this, SSE, new Set([symbol]));
    const known = resumeFrom === undefined ? hub.snapshot(SSE, symbol) : hub.resume(this, SSE, symbol, resumeFrom, clock());
    this.write(Buffer.concat([RETRY, ...known]));
  }

  override write(bytes: Buffer): void {
    super.write(this.#isChunked ? chunk(bytes) : bytes);
  }

  protected sayClose(frame: string): void {
    this.write(SSE.event("error", frame));
    this.#response.end();
  }

  /** Of what a session does there is the end in good order here; nothing a client could ask for comes over this wire. */
  protected act(action: SessionAction): void {
    if (action.name !== "finish") return;
    this.write(RESUME);
    this.#response.end();
  }
}

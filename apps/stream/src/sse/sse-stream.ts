/** One SSE stream: a streaming response, driven by the session's state machine from `open` on. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { STREAM_LIMITS } from "@assay/contract";
import { SSE } from "../hub/codec.ts";
import { Connection, type ConnectionParts } from "../session/connection.ts";
import type { KeyWatch } from "../session/key-watch.ts";
import type { SessionAction } from "../session/states.ts";
import { chunk } from "./chunk.ts";
import type { Opening } from "./opening.ts";

/** What streams share besides the parts of all connections. */
export interface SseParts extends ConnectionParts {
  readonly keys: KeyWatch<Connection>;
}

const RETRY = Buffer.from(`retry: ${STREAM_LIMITS.sseRetryMs}\n\n`);
const RESUME = Buffer.from(`retry: ${STREAM_LIMITS.sseResumeMs}\n\n`);

/** A stream. */
export class SseStream extends Connection {
  readonly #response: ServerResponse;
  /** We frame HTTP/1.1 chunks ourselves, once for all clients that receive them. */
  readonly #isChunked: boolean;

  constructor(parts: SseParts, response: ServerResponse, socket: Socket, opening: Opening, id: string) {
    const nowMs = parts.elapsed();
    const { heartbeatMs, sseLifetimeMs } = parts.timing;
    // Spread out, so that streams opened together do not reconnect together.
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

  /** Of the session's specific actions only the clean close applies here; SSE clients cannot send frames. */
  protected act(action: SessionAction): void {
    if (action.name !== "finish") return;
    this.write(RESUME);
    this.#response.end();
  }
}

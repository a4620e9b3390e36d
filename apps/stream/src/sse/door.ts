/**
 * GET /v1/prices/stream over HTTP: refusals as JSON, else a streaming response, driven by the session's state machine from
 * `open` on.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { refused, STREAM_LIMITS, type StreamCloseCode, streams, type TierName } from "@assay/contract";
import { isEnding, isReading, noteStream, requestIdOf } from "@assay/process";
import type { Outcome } from "@assay/services";
import { chunk, SSE } from "../hub/codec.ts";
import { isFor, refuse, refuseMethod, sendFault, sendOutcome } from "../plain-http.ts";
import type { SessionAction } from "../session/session-states.ts";
import { StreamConnection, type StreamDeps } from "../session/stream-connection.ts";
import type { Opened, Opening } from "./opening.ts";

const RETRY = Buffer.from(`retry: ${STREAM_LIMITS.sseRetryMs}\n\n`);
const RESUME = Buffer.from(`retry: ${STREAM_LIMITS.sseResumeMs}\n\n`);

class SseStream extends StreamConnection {
  readonly #opening: Opening;
  readonly #response: ServerResponse;
  /** We frame HTTP/1.1 chunks ourselves, once for all clients that receive them. */
  readonly #isChunked: boolean;

  constructor(deps: StreamDeps, response: ServerResponse, socket: Socket, opening: Opening, id: string) {
    const nowMs = deps.clock.elapsed();
    const { heartbeatMs, sseLifetimeMs } = deps.timing;
    // Spread out, so that streams opened together do not reconnect together.
    const jitter = 1 + STREAM_LIMITS.sseLifetimeJitter * (2 * deps.random() - 1);
    const pulse = { heartbeatAtMs: nowMs + heartbeatMs, endsAtMs: nowMs + sseLifetimeMs * jitter };
    super(deps, SSE, socket, id, { name: "open", ...pulse, pingAtMs: Number.POSITIVE_INFINITY, pongByMs: null });
    noteStream(socket);
    this.#opening = opening;
    this.#response = response;
    this.#isChunked = response.chunkedEncoding;
    const { place, key, symbol, resumeFrom } = opening;
    if (place) this.hold({ place, key });
    response.on("close", () => this.step({ name: "hangup" }));
    response.on("error", () => undefined);
    deps.hub.follow(this, SSE, new Set([symbol]));
    this.begin([[symbol, resumeFrom]], [RETRY]);
  }

  override write(bytes: Buffer): void {
    super.write(this.#isChunked ? chunk(bytes) : bytes);
  }

  isIncludedIn(tier: TierName): boolean {
    return this.#opening.isIncludedIn(tier);
  }

  protected override closeMessage(code: StreamCloseCode): string {
    return code === "plan_gated" ? "Your tier does not include this stream." : super.closeMessage(code);
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

/** Added to the headers of every answer. Tells proxies not to buffer. */
const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
} as const;

/** A stream is the last response on its connection; only the stream itself handles its slow reader. */
const LAST = { Connection: "close" } as const;

/** Whether a request is for the SSE feed. */
export const isSsePath = (incoming: IncomingMessage): boolean => isFor(incoming, streams.prices.path);

export interface SseDoor {
  answer(incoming: IncomingMessage, response: ServerResponse): void;
  /** Whether a request was pipelined behind one for a stream: its answer would be buffered until the stream ends. */
  isBehindStream(incoming: IncomingMessage): boolean;
}

export const sseDoor = (
  deps: StreamDeps,
  open: (incoming: IncomingMessage) => Promise<Opened>,
  isDraining: () => boolean,
): SseDoor => {
  /** The last request on each connection. */
  const asked = new WeakMap<Socket, ServerResponse>();
  const begin = (incoming: IncomingMessage, response: ServerResponse, outcome: Outcome, opening: Opening): void => {
    const { place } = opening;
    const giveBack = (): void => {
      if (place) deps.places.giveBack(place);
    };
    if (response.destroyed || isEnding(incoming.socket)) {
      giveBack();
      incoming.socket.destroy();
      return;
    }
    if (isDraining()) {
      giveBack();
      refuse(incoming, response, refused("service_unavailable"));
      return;
    }
    if (incoming.method === "HEAD") {
      response.writeHead(200, { ...outcome.headers, ...STREAM_HEADERS });
      response.end();
      return;
    }
    response.writeHead(200, { ...outcome.headers, ...STREAM_HEADERS, ...LAST });
    response.flushHeaders();
    const { socket } = response;
    // A request pipelined behind another has no socket of its own yet; no streaming client does that.
    if (!socket) {
      giveBack();
      response.destroy();
      return;
    }
    new SseStream(deps, response, socket, opening, requestIdOf(incoming));
  };

  const answer = (incoming: IncomingMessage, response: ServerResponse): void => {
    if (!isReading(incoming)) {
      refuseMethod(incoming, response);
      return;
    }
    asked.set(incoming.socket, response);
    open(incoming)
      .then(({ outcome, opening }) => {
        if (opening && outcome.status === 200) begin(incoming, response, outcome, opening);
        else sendOutcome(incoming, response, outcome);
      })
      .catch((error: unknown) => {
        deps.log.error({ err: error, requestId: requestIdOf(incoming) }, "failed to open a stream");
        sendFault(incoming, response);
      });
  };
  return { answer, isBehindStream: ({ socket }) => asked.get(socket)?.writableEnded === false };
};

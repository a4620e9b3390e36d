/** GET /v1/prices/stream over HTTP: refusals as JSON, else a streaming response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { refused, streams } from "@assay/contract";
import { requestIdOf } from "@assay/process";
import type { Outcome } from "@assay/services";
import { isReading, refuse, refuseMethod, sendFault, sendOutcome } from "../http/plain-http.ts";
import type { Places } from "../session/places.ts";
import type { Opened, Opening } from "./opening.ts";
import { type SseParts, SseStream } from "./sse-stream.ts";

const { path: PATH } = streams.prices;

/** Added to the headers of every answer. Tells proxies not to buffer. */
const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
} as const;

/** A stream is the last response on its connection; only the stream itself handles its slow reader. */
const LAST = { Connection: "close" } as const;

/** What the handler depends on. */
export interface SseDoorOptions {
  readonly parts: SseParts;
  readonly places: Places;
  readonly open: (incoming: IncomingMessage) => Promise<Opened>;
  readonly isDraining: () => boolean;
}

/** Whether a request is for the SSE feed. */
export const isSsePath = ({ url = "" }: IncomingMessage): boolean => url === PATH || url.startsWith(`${PATH}?`);

/** The handler. */
export interface SseDoor {
  answer(incoming: IncomingMessage, response: ServerResponse): void;
  /** Whether a request was pipelined behind one for a stream: its answer would be buffered until the stream ends. */
  isBehindStream(incoming: IncomingMessage): boolean;
}

/** Creates the handler. */
export const sseDoor = ({ parts, places, open, isDraining }: SseDoorOptions): SseDoor => {
  /** The last request on each connection. */
  const asked = new WeakMap<Socket, ServerResponse>();
  const begin = (incoming: IncomingMessage, response: ServerResponse, outcome: Outcome, opening: Opening): void => {
    const { place } = opening;
    const giveBack = (): void => {
      if (place) places.giveBack(place);
    };
    if (response.destroyed) {
      giveBack();
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
    new SseStream(parts, response, socket, opening, requestIdOf(incoming));
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
        parts.log.error({ err: error, requestId: requestIdOf(incoming) }, "failed to open a stream");
        sendFault(incoming, response);
      });
  };
  return { answer, isBehindStream: ({ socket }) => asked.get(socket)?.writableEnded === false };
};

/** GET /v1/prices/stream as HTTP: refusals as JSON, then a response that goes on. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { requestIdOf } from "@assay/config";
import { Refusal, streams } from "@assay/contract";
import type { Outcome } from "@assay/services";
import type { Places } from "../places.ts";
import { isReading, refuse, refuseMethod, sendFault, sendOutcome } from "../plain-http.ts";
import type { Opened, Opening } from "./opening.ts";
import { type SseParts, SseStream } from "./sse-stream.ts";

const { path: PATH } = streams.prices;

/** Beside the headers of every answer. Proxies are told to hand on what they get, as they get it. */
const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
} as const;

/** A stream is the last on its connection, whose slow reader nobody but the stream looks after. */
const LAST = { Connection: "close" } as const;

/** What the door stands on. */
export interface SseDoorOptions {
  readonly parts: SseParts;
  readonly places: Places;
  readonly open: (incoming: IncomingMessage) => Promise<Opened>;
  readonly isDraining: () => boolean;
}

/** Whether a request is for the SSE feed. */
export const isSsePath = ({ url = "" }: IncomingMessage): boolean => url === PATH || url.startsWith(`${PATH}?`);

/** The door. */
export interface SseDoor {
  answer(incoming: IncomingMessage, response: ServerResponse): void;
  /** Whether a request came behind one for a stream: what is made for it would wait in memory until the stream ends. */
  isBehindStream(incoming: IncomingMessage): boolean;
}

/** Prepares the door. */
export const sseDoor = ({ parts, places, open, isDraining }: SseDoorOptions): SseDoor => {
  /** What was last asked of the door on each connection. */
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
      refuse(incoming, response, new Refusal("service_unavailable"));
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
    // A request that was sent behind another on its connection has no socket of its own yet; nobody streams like that.
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
        parts.log.error({ err: error, requestId: requestIdOf(incoming) }, "a stream could not be opened");
        sendFault(incoming, response);
      });
  };
  return { answer, isBehindStream: ({ socket }) => asked.get(socket)?.writableEnded === false };
};

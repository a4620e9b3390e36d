/** GET /v1/prices/stream as HTTP: refusals as JSON, then a response that goes on. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { requestIdOf } from "@assay/config";
import { Refusal, streams } from "@assay/contract";
import { type Outcome, refusalOutcome } from "@assay/services";
import type { Places } from "../places.ts";
import type { Opened, Opening } from "./opening.ts";
import { type SseParts, SseStream } from "./sse-stream.ts";

const { path: PATH } = streams.prices;
const METHODS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);

/** Beside the headers of every answer. Proxies are told to hand on what they get, as they get it. */
const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
} as const;

/** What the door stands on. */
export interface SseDoorOptions {
  readonly parts: SseParts;
  readonly places: Places;
  readonly open: (incoming: IncomingMessage) => Promise<Opened>;
  readonly isDraining: () => boolean;
}

/** Sends a whole answer. */
export const sendOutcome = (incoming: IncomingMessage, response: ServerResponse, { status, headers, body }: Outcome): void => {
  const length = body === null ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  response.writeHead(status, { ...headers, "Content-Length": length });
  response.end(incoming.method === "HEAD" ? undefined : (body ?? undefined));
};

/** The plain answer to what nobody foresaw. */
const sendFault = (incoming: IncomingMessage, response: ServerResponse): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "X-Request-Id": requestIdOf(incoming),
    "Cache-Control": "no-store",
  };
  sendOutcome(incoming, response, { status: 500, headers, body: "Internal Server Error" });
};

/** Whether a request is for the SSE feed. */
export const isSsePath = ({ url = "" }: IncomingMessage): boolean => url === PATH || url.startsWith(`${PATH}?`);

/** Prepares the door. */
export const sseDoor = ({ parts, places, open, isDraining }: SseDoorOptions) => {
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
      sendOutcome(incoming, response, refusalOutcome(new Refusal("service_unavailable"), requestIdOf(incoming)));
      return;
    }
    response.writeHead(200, { ...outcome.headers, ...STREAM_HEADERS });
    if (incoming.method === "HEAD") {
      response.end();
      return;
    }
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

  return (incoming: IncomingMessage, response: ServerResponse): void => {
    if (!METHODS.has(incoming.method)) {
      const refusal = new Refusal("method_not_allowed");
      sendOutcome(incoming, response, refusalOutcome(refusal, requestIdOf(incoming), { Allow: "GET, HEAD" }));
      return;
    }
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
};

/** Plain HTTP answers in the API's usual shape. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Refused, refused } from "@assay/contract";
import { requestIdOf } from "@assay/process";
import { type Outcome, refusalOutcome } from "@assay/services";

/** Whether a request is GET or HEAD. */
export const isReading = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";

/** Sends an answer. */
export const sendOutcome = (incoming: IncomingMessage, response: ServerResponse, { status, headers, body }: Outcome): void => {
  const length = body === null ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  response.writeHead(status, { ...headers, "Content-Length": length });
  response.end(incoming.method === "HEAD" ? undefined : (body ?? undefined));
};

/** Sends a refusal. */
export const refuse = (incoming: IncomingMessage, response: ServerResponse, refusal: Refused): void =>
  sendOutcome(incoming, response, refusalOutcome(refusal, requestIdOf(incoming)));

/** Refuses a method on a read-only path. */
export const refuseMethod = (incoming: IncomingMessage, response: ServerResponse): void => {
  const outcome = refusalOutcome(refused("method_not_allowed"), requestIdOf(incoming), { Allow: "GET, HEAD" });
  sendOutcome(incoming, response, outcome);
};

/** The plain answer to an unexpected error; an answer already started is aborted. */
export const sendFault = (incoming: IncomingMessage, response: ServerResponse): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const requestId = requestIdOf(incoming);
  const headers = { "Content-Type": "text/plain; charset=utf-8", "X-Request-Id": requestId, "Cache-Control": "no-store" };
  sendOutcome(incoming, response, { status: 500, headers, body: "Internal Server Error" });
};

/** Whole answers over plain HTTP, in the form of all answers. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { requestIdOf } from "@assay/config";
import { Refusal } from "@assay/contract";
import { type Outcome, refusalOutcome } from "@assay/services";

/** Whether a request only reads. */
export const isReading = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";

/** Sends an answer. */
export const sendOutcome = (incoming: IncomingMessage, response: ServerResponse, { status, headers, body }: Outcome): void => {
  const length = body === null ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  response.writeHead(status, { ...headers, "Content-Length": length });
  response.end(incoming.method === "HEAD" ? undefined : (body ?? undefined));
};

/** Sends a refusal. */
export const refuse = (incoming: IncomingMessage, response: ServerResponse, refusal: Refusal): void =>
  sendOutcome(incoming, response, refusalOutcome(refusal, requestIdOf(incoming)));

/** Refuses a method on a path that is only read. */
export const refuseMethod = (incoming: IncomingMessage, response: ServerResponse): void => {
  const outcome = refusalOutcome(new Refusal("method_not_allowed"), requestIdOf(incoming), { Allow: "GET, HEAD" });
  sendOutcome(incoming, response, outcome);
};

/** The plain answer to what nobody foresaw; an answer that has begun is broken off. */
export const sendFault = (incoming: IncomingMessage, response: ServerResponse): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const requestId = requestIdOf(incoming);
  const headers = { "Content-Type": "text/plain; charset=utf-8", "X-Request-Id": requestId, "Cache-Control": "no-store" };
  sendOutcome(incoming, response, { status: 500, headers, body: "Internal Server Error" });
};

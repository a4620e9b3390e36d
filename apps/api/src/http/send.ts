/** Sends answers, on Node's own response or as a fetch response: of routes, refusals, unexpected errors, and documents. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyBytes, type EncodedBody, EncodedList, type Refused, refused } from "@assay/contract";
import { closeUnread, requestIdOf } from "@assay/process";
import { type EncodedDocument, faultOutcome, type Outcome, refusalOutcome, unstoredHeaders } from "@assay/services";
import type { HttpBindings } from "@hono/node-server";
import { leavesBody } from "./body.ts";

/** The Hono environment of our handlers. */
export interface Env {
  Bindings: HttpBindings;
}

/** Statuses that never have a body, nor a Content-Length. */
const BODILESS: readonly number[] = [204, 304];

/** An empty body gets a Content-Length, since Node would send it chunked otherwise. */
const noteEmpty = ({ body, status, headers }: Outcome): void => {
  if (body === null && !BODILESS.includes(status)) headers["Content-Length"] = "0";
};

export const toResponse = (outcome: Outcome): Response => {
  noteEmpty(outcome);
  const { body, status, headers } = outcome;
  return new Response(body instanceof EncodedList ? bodyBytes(body) : body, { status, headers });
};

/** Names in lower case and in alphabetical order, as fetch has them: so HEAD and closing answers have always been sent. */
const asFetched = (headers: Record<string, string>): Record<string, string> => Object.fromEntries(new Headers(headers));

const lengthOf = (body: EncodedBody): number => (typeof body === "string" ? Buffer.byteLength(body) : body.byteLength);

/** A write is done when the kernel has its own copy, or the connection is gone. */
const writeList = (outgoing: ServerResponse, { pieces, onDone }: EncodedList): void => {
  const last = pieces.length - 1;
  outgoing.cork();
  for (const [place, piece] of pieces.entries()) outgoing.write(piece, place === last ? onDone : undefined);
  outgoing.end();
};

/** Writes an outcome. Closes the connection after an answer that did not wait for a long body, which Node would read to its end. */
export const send = (incoming: IncomingMessage, outgoing: ServerResponse, outcome: Outcome): void => {
  noteEmpty(outcome);
  const { status, headers, body } = outcome;
  const isHead = incoming.method === "HEAD";
  const isClosing = leavesBody(incoming);
  if (isClosing) {
    headers["Connection"] = "close";
    closeUnread(outgoing);
  }
  if (body === null || isHead) {
    if (body !== null) headers["Content-Length"] = String(lengthOf(body));
    outgoing.writeHead(status, isClosing || isHead ? asFetched(headers) : headers).end();
    return;
  }
  const length = lengthOf(body);
  headers["Content-Length"] = String(length);
  outgoing.writeHead(status, isClosing ? asFetched(headers) : headers);
  if (body instanceof EncodedList) writeList(outgoing, body);
  // Text of as many bytes as characters is ASCII, which is written faster as such.
  else outgoing.end(body, length === body.length ? "latin1" : "utf8");
};

export const refuse = (incoming: IncomingMessage, refusal: Refused, headers: Record<string, string> = {}): Response =>
  toResponse(refusalOutcome(refusal, requestIdOf(incoming), headers));

/** Refuses the method of a request for what can only be read. */
export const refuseMethod = (incoming: IncomingMessage, allow = "GET, HEAD"): Response =>
  refuse(incoming, refused("method_not_allowed"), { Allow: allow });

/** The answer to an unexpected error as a response. */
export const faultResponse = (requestId: string): Response => toResponse(faultOutcome(requestId));

/** The documents' Content-Security-Policy: everything from this origin; the images of the reference's stylesheet are inlined. */
const DOCUMENTS_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The answer to GET for a document: in full, or 304; for HEAD the server omits the body.
 * @param policy the Content-Security-Policy of pages
 */
export const respond = async (
  document: EncodedDocument,
  incoming: IncomingMessage,
  policy = DOCUMENTS_POLICY,
): Promise<Response> => {
  const { headers } = incoming;
  const call = { acceptEncoding: headers["accept-encoding"], ifNoneMatch: headers["if-none-match"] };
  const outcome = await document.answer(call, {
    ...unstoredHeaders(requestIdOf(incoming)),
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    ...(document.isPage ? { "Content-Security-Policy": policy } : {}),
  });
  return toResponse(outcome);
};

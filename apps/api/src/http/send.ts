/** Sends an outcome: on Node's own response, or as a fetch response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Outcome } from "@assay/services";
import { leavesBody } from "./body.ts";

/** Statuses that never have a body, nor a Content-Length. */
const BODILESS: readonly number[] = [204, 304];

/** An empty body gets a Content-Length, since Node would send it chunked otherwise. */
const noteEmpty = ({ body, status, headers }: Outcome): void => {
  if (body === null && !BODILESS.includes(status)) headers["Content-Length"] = "0";
};

/** Converts an outcome to a response. */
export const toResponse = (outcome: Outcome): Response => {
  noteEmpty(outcome);
  const { body, status, headers } = outcome;
  return new Response(body, { status, headers });
};

/** Names in lower case and in alphabetical order, as fetch has them: so HEAD and closing answers have always been sent. */
const asFetched = (headers: Record<string, string>): Record<string, string> => Object.fromEntries(new Headers(headers));

/** Writes an outcome. Closes the connection after an answer that did not wait for a long body, which Node would read to its end. */
export const send = (incoming: IncomingMessage, outgoing: ServerResponse, outcome: Outcome): void => {
  noteEmpty(outcome);
  const { status, body } = outcome;
  let { headers } = outcome;
  const isHead = incoming.method === "HEAD";
  const isClosing = leavesBody(incoming);
  if (isClosing) headers["Connection"] = "close";
  if (isClosing || isHead) headers = asFetched(headers);
  let encoding: BufferEncoding = "utf8";
  if (body !== null && !isHead) {
    const length = Buffer.byteLength(body);
    // Text of as many bytes as characters is ASCII, which is written faster as such.
    if (length === body.length) encoding = "latin1";
    // Node writes a length it knows after all other headers. `end` would set it too late, and HTTP/1.0 needs a header.
    if (isClosing || incoming.httpVersionMinor === 0) headers["Content-Length"] = String(length);
    else (outgoing as { _contentLength?: number })._contentLength = length; // Node's types omit it
  }
  outgoing.writeHead(status, headers).end(body, encoding);
};

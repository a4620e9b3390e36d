/** Sends an outcome: on Node's own response, or as a fetch response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Outcome } from "@assay/services";
import { leavesBody } from "./body.ts";
import { headOf } from "./head.ts";

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

type Body = NonNullable<Outcome["body"]>;

/** Text of as many bytes as characters is ASCII, which is written faster as such. */
const encodingOf = (body: Body, length: number): BufferEncoding => (length === body.length ? "latin1" : "utf8");

/** What Node's response has beside what its types say. */
interface Internals {
  _header: string | null;
  _headerSent: boolean;
  readonly _keepAliveTimeout: number;
}

const hasInternals = (outgoing: ServerResponse): outgoing is ServerResponse & Internals =>
  "_header" in outgoing && "_headerSent" in outgoing && "_keepAliveTimeout" in outgoing;

/**
 * Sends head and body in one write. Node checks and joins each header by itself and writes head, body and end as a list, which
 * takes a seventh of a request (docs/decisions/0031-routes-on-node.md).
 * @returns false, and nothing is sent, behind another answer on the same connection, and on a Node that keeps its head elsewhere
 */
const sendAtOnce = (outgoing: ServerResponse, { status, headers }: Outcome, body: Body, length: number): boolean => {
  const { socket } = outgoing;
  if (!socket?.writable || !hasInternals(outgoing)) return false;
  const head = headOf({ status, headers, length, keptMs: outgoing._keepAliveTimeout }, Date.now());
  outgoing.statusCode = status;
  outgoing._header = head;
  outgoing._headerSent = true;
  if (typeof body === "string") socket.write(head + body, encodingOf(body, length));
  else {
    socket.cork();
    socket.write(head, "latin1");
    socket.write(body);
    socket.uncork();
  }
  outgoing.end();
  return true;
};

/** Writes an outcome. Closes the connection after an answer that did not wait for a long body, which Node would read to its end. */
export const send = (incoming: IncomingMessage, outgoing: ServerResponse, outcome: Outcome): void => {
  noteEmpty(outcome);
  const { status, headers, body } = outcome;
  const isHead = incoming.method === "HEAD";
  const isClosing = leavesBody(incoming);
  if (isClosing) headers["Connection"] = "close";
  if (body === null || isHead) {
    outgoing.writeHead(status, isClosing || isHead ? asFetched(headers) : headers).end();
    return;
  }
  const length = Buffer.byteLength(body);
  const isKept = !isClosing && outgoing.shouldKeepAlive && incoming.httpVersionMinor > 0;
  if (isKept && sendAtOnce(outgoing, outcome, body, length)) return;
  headers["Content-Length"] = String(length);
  outgoing.writeHead(status, isClosing ? asFetched(headers) : headers).end(body, encodingOf(body, length));
};

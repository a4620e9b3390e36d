/** Answers as responses: of routes, refusals, unexpected errors, and documents. */
import type { IncomingMessage } from "node:http";
import { bodyBytes, type EncodedBody, EncodedList, type Refused, refused } from "@assay/contract";
import { requestIdOf } from "@assay/process";
import { type EncodedDocument, faultOutcome, type Outcome, refusalOutcome, unstoredHeaders } from "@assay/services";
import type { HttpBindings } from "@hono/node-server";

/** The Hono environment of our handlers. */
export interface Env {
  Bindings: HttpBindings;
}

/** Statuses that never have a body, nor a Content-Length. */
const BODILESS: readonly number[] = [204, 304];

const lengthOf = (body: EncodedBody): number => (typeof body === "string" ? Buffer.byteLength(body) : body.byteLength);

/** A list gives its memory back once it is copied. */
const whole = (body: EncodedBody): string | Uint8Array<ArrayBuffer> => {
  if (!(body instanceof EncodedList)) return body;
  const bytes = bodyBytes(body);
  body.onDone?.();
  return bytes;
};

/** An outcome as a response. Its length is said here: for HEAD the body is left out, and Node would send an empty one chunked. */
export const toResponse = ({ body, status, headers }: Outcome): Response => {
  if (body !== null) headers["Content-Length"] = String(lengthOf(body));
  else if (!BODILESS.includes(status)) headers["Content-Length"] = "0";
  return new Response(body === null ? null : whole(body), { status, headers });
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

/** Answers a request with a document: in full, headers only, or 304. */
import type { IncomingMessage } from "node:http";
import { requestIdOf } from "@assay/process";
import type { EncodedDocument } from "./encoded-document.ts";

/** The documents' Content-Security-Policy: everything from this origin; the images of the reference's stylesheet are inlined. */
const DOCUMENTS_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const commonHeaders = (document: EncodedDocument, incoming: IncomingMessage, policy: string): Record<string, string> => ({
  "X-Request-Id": requestIdOf(incoming),
  "Cache-Control": document.cacheControl,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  ...(document.isPage ? { "Content-Security-Policy": policy } : {}),
  ...(document.isCompressible ? { Vary: "Accept-Encoding" } : {}),
});

/**
 * The answer to GET; for HEAD the server omits the body.
 * @param policy the Content-Security-Policy of pages
 */
export const respond = async (
  document: EncodedDocument,
  incoming: IncomingMessage,
  policy = DOCUMENTS_POLICY,
): Promise<Response> => {
  const headers = commonHeaders(document, incoming, policy);
  const { body, etag, encoding } = await document.form(incoming.headers["accept-encoding"]);
  headers.ETag = etag;
  if (document.isHeldBy(incoming.headers["if-none-match"])) return new Response(null, { status: 304, headers });
  headers["Content-Type"] = document.contentType;
  headers["Content-Length"] = String(body.byteLength);
  if (encoding !== null) headers["Content-Encoding"] = encoding;
  return new Response(body, { headers });
};

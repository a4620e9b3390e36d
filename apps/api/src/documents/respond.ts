/** Answers a request with a document: whole, its headers alone, or that the sender holds it already. */
import type { IncomingMessage } from "node:http";
import { requestIdOf } from "@assay/config";
import type { EncodedDocument } from "./encoded-document.ts";

/** Nothing from elsewhere runs, is shown or is asked; the images of the reference's stylesheet are written into it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const commonHeaders = (document: EncodedDocument, incoming: IncomingMessage): Record<string, string> => ({
  "X-Request-Id": requestIdOf(incoming),
  "Cache-Control": document.cacheControl,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  ...(document.isPage ? { "Content-Security-Policy": CONTENT_SECURITY_POLICY } : {}),
  ...(document.isCompressible ? { Vary: "Accept-Encoding" } : {}),
});

/** The answer to GET; for HEAD the server leaves the body out. */
export const respond = async (document: EncodedDocument, incoming: IncomingMessage): Promise<Response> => {
  const headers = commonHeaders(document, incoming);
  const { body, etag, encoding } = await document.form(incoming.headers["accept-encoding"]);
  headers.ETag = etag;
  if (document.isHeldBy(incoming.headers["if-none-match"])) return new Response(null, { status: 304, headers });
  headers["Content-Type"] = document.contentType;
  headers["Content-Length"] = String(body.byteLength);
  if (encoding !== null) headers["Content-Encoding"] = encoding;
  return new Response(body, { headers });
};

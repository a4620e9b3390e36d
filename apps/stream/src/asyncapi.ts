/** The AsyncAPI document as it is served. */
import { asyncApiDocument } from "@assay/codegen";
import type { Outcome } from "@assay/services";

/** Prepares the answer; the document is made once, when it is first asked for and the port is known. */
export const asyncApi = (publicUrl: () => string): ((requestId: string) => Outcome) => {
  let body: string | undefined;
  return (requestId) => {
    body ??= JSON.stringify(asyncApiDocument(publicUrl()));
    const headers = { "Content-Type": "application/json", "Cache-Control": "public, max-age=3600", "X-Request-Id": requestId };
    return { status: 200, headers, body };
  };
};

/** GET /asyncapi.json: the document of the streams, as it is served. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { asyncApiDocument } from "@assay/codegen";
import { requestIdOf } from "@assay/config";
import { isReading, refuseMethod, sendOutcome } from "./plain-http.ts";

const PATH = "/asyncapi.json";

/** Whether a request is for the document. */
export const isDocumentPath = ({ url = "" }: IncomingMessage): boolean => url === PATH || url.startsWith(`${PATH}?`);

/** Prepares the answer; the document is made once, when it is first asked for and the port is known. */
export const asyncApi = (publicUrl: () => string): ((incoming: IncomingMessage, response: ServerResponse) => void) => {
  let body: string | undefined;
  return (incoming, response) => {
    if (!isReading(incoming)) {
      refuseMethod(incoming, response);
      return;
    }
    body ??= JSON.stringify(asyncApiDocument(publicUrl()));
    const headers = {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=3600",
      "X-Request-Id": requestIdOf(incoming),
      "X-Content-Type-Options": "nosniff",
    };
    sendOutcome(incoming, response, { status: 200, headers, body });
  };
};

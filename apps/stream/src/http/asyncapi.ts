/** GET /asyncapi.json: serves the AsyncAPI document. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { asyncApiText, requestIdOf } from "@assay/process";
import { isReading, refuseMethod, sendOutcome } from "./plain-http.ts";

const PATH = "/asyncapi.json";

/** Whether a request is for the document. */
export const isDocumentPath = ({ url = "" }: IncomingMessage): boolean => url === PATH || url.startsWith(`${PATH}?`);

/** Creates the handler; the document is built on the first request, when the port is known. */
export const asyncApi = (publicUrl: () => string): ((incoming: IncomingMessage, response: ServerResponse) => void) => {
  let body: string | undefined;
  return (incoming, response) => {
    if (!isReading(incoming)) {
      refuseMethod(incoming, response);
      return;
    }
    body ??= asyncApiText(publicUrl());
    const headers = {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=3600",
      "X-Request-Id": requestIdOf(incoming),
      "X-Content-Type-Options": "nosniff",
    };
    sendOutcome(incoming, response, { status: 200, headers, body });
  };
};

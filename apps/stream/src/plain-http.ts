/** Plain HTTP answers in the API's usual shape, among them GET /asyncapi.json. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyBytes, type Refused, refused } from "@assay/contract";
import { asyncApiText, isReading, requestIdOf } from "@assay/process";
import { EncodedDocument, faultOutcome, type Outcome, refusalOutcome, unstoredHeaders } from "@assay/services";

export const isFor = ({ url = "" }: IncomingMessage, path: string): boolean => url === path || url.startsWith(`${path}?`);

export const sendOutcome = (incoming: IncomingMessage, response: ServerResponse, { status, headers, body }: Outcome): void => {
  const length = body === null ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  response.writeHead(status, status === 304 ? headers : { ...headers, "Content-Length": length });
  response.end(incoming.method === "HEAD" || body === null ? undefined : bodyBytes(body));
};

export const refuse = (incoming: IncomingMessage, response: ServerResponse, refusal: Refused): void =>
  sendOutcome(incoming, response, refusalOutcome(refusal, requestIdOf(incoming)));

export const refuseMethod = (incoming: IncomingMessage, response: ServerResponse, allow = "GET, HEAD"): void =>
  sendOutcome(incoming, response, refusalOutcome(refused("method_not_allowed"), requestIdOf(incoming), { Allow: allow }));

/** The plain answer to an unexpected error; an answer already started is aborted. */
export const sendFault = (incoming: IncomingMessage, response: ServerResponse): void => {
  if (response.headersSent) response.destroy();
  else sendOutcome(incoming, response, faultOutcome(requestIdOf(incoming)));
};

/** Whether a request is for the AsyncAPI document. */
export const isDocumentPath = (incoming: IncomingMessage): boolean => isFor(incoming, "/asyncapi.json");

const documentFor = async (address: string): Promise<EncodedDocument> =>
  new EncodedDocument("application/json", "public, max-age=3600", await asyncApiText(address));

/** Creates the handler of the AsyncAPI document, which is built on the first request, when the port is known. */
export const asyncApi = (publicUrl: () => string): ((incoming: IncomingMessage, response: ServerResponse) => void) => {
  let document: Promise<EncodedDocument> | undefined;
  return (incoming, response) => {
    if (!isReading(incoming)) {
      refuseMethod(incoming, response);
      return;
    }
    document ??= documentFor(publicUrl());
    const { headers } = incoming;
    const call = { acceptEncoding: headers["accept-encoding"], ifNoneMatch: headers["if-none-match"] };
    const answered = document.then((made) => made.answer(call, unstoredHeaders(requestIdOf(incoming))));
    answered.then(
      (outcome) => sendOutcome(incoming, response, outcome),
      () => {
        document = undefined; // what could not be read now may be available next time
        sendFault(incoming, response);
      },
    );
  };
};

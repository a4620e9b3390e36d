/** One exchange over streamable HTTP, in either era of the protocol: answered with JSON, without a session. */
import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedOrigins,
  originValidationResponse,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/** Clients that begin with a handshake. Their transport without sessions answers each request by itself. */
const exchangeWithHandshake = async (request: Request, body: unknown, server: Server): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
};

/** Clients whose requests stand alone. No list here ever changes, so there is nothing to subscribe to. */
const exchangeAlone = (request: Request, body: unknown, server: Server, onError: (error: Error) => void): Promise<Response> =>
  createMcpHandler(() => server, { legacy: "reject", maxSubscriptions: 0, onerror: onError }).fetch(request, {
    parsedBody: body,
  });

/**
 * Answers a request.
 * @param request for its headers; its body is not read
 * @param body the parsed body
 */
export const exchange = async (
  request: Request,
  body: unknown,
  server: Server,
  onError: (error: Error) => void,
): Promise<Response> =>
  (await isLegacyRequest(request, body))
    ? exchangeWithHandshake(request, body, server)
    : exchangeAlone(request, body, server, onError);

/**
 * Refuses a page of another site: by a name that resolves to this service it could read what only this network may.
 * @returns undefined for requests that no browser page makes, and those of this service's own pages
 */
export const refuseOrigin = (request: Request, publicUrl: string): Response | undefined =>
  originValidationResponse(request, [new URL(publicUrl).hostname, ...localhostAllowedOrigins()]);

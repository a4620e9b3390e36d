/** The MCP server of one request, with its tools and resources, and the exchange that uses it. Nothing is kept between requests. */
import { type Contract, FAULT_TEXT, keylessText, METAL_NAMES, type TierCatalog, VERSION } from "@assay/contract";
import type { Invoke, Outcome } from "@assay/services";
import {
  type CallToolResult,
  createMcpHandler,
  isJSONRPCRequest,
  isLegacyRequest,
  isSpecType,
  type jsonSchemaValidator,
  type Tool as ListedTool,
  localhostAllowedOrigins,
  originValidationResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  Server,
  type TextResourceContents,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Documents } from "../documents/library.ts";
import { llmsText } from "../documents/llms.ts";
import { type MountedRoutes, routeOf } from "../http/routes.ts";
import { type AgentRequest, type CallableTool, callableTool, callTool, listedTool, MAX_ROWS, toolRoutes } from "./tools.ts";

/** A resource and its text, which is built when it is read. */
interface Readable {
  readonly listed: Resource;
  readonly text: () => string | Promise<string>;
}

/** What agents can read, by address. */
interface Resources {
  readonly list: () => Resource[];
  /** @throws ResourceNotFoundError when there is none at the address */
  readonly read: (uri: string) => Promise<TextResourceContents>;
}

const readablesOf = ({ site, texts, isSimulated }: Documents): Readable[] => {
  const { guides, errors } = texts();
  const { publicUrl } = site();
  return [
    {
      listed: {
        uri: `${publicUrl}/llms.txt`,
        name: "llms.txt",
        title: "Overview",
        description: "What holds on every route, and a list of all routes and documents.",
        mimeType: "text/plain",
      },
      text: async () => llmsText(guides, errors, site(), await isSimulated()),
    },
    ...[...guides, ...errors].map(({ path, title, lead, markdown }) => ({
      listed: {
        uri: `${publicUrl}${path}.md`,
        name: path.slice("/docs/".length),
        title,
        description: lead,
        mimeType: "text/markdown",
      },
      text: markdown,
    })),
  ];
};

/** Opens the documents as resources, under the addresses they are served at; nothing is read before it is asked for. */
const openResources = (documents: Documents): Resources => {
  let opened: ReadonlyMap<string, Readable> | undefined;
  const open = (): ReadonlyMap<string, Readable> => {
    opened ??= new Map(readablesOf(documents).map((readable) => [readable.listed.uri, readable]));
    return opened;
  };
  return {
    list: () => [...open().values()].map(({ listed }) => listed),
    read: async (uri) => {
      const found = open().get(uri);
      if (!found) throw new ResourceNotFoundError(uri);
      return { uri, mimeType: found.listed.mimeType, text: await found.text() };
    },
  };
};

const instructionsOf = (
  catalog: TierCatalog,
): string => `Prices of ${METAL_NAMES}, and what follows from them. Amounts are decimal strings: do not round them without saying so.
With a free API key metal prices are 15 minutes late. ${keylessText(catalog)} Say when a price was computed, and mention is_stale when it is true.
Prices are those of the metal, without dealer premium, tax or making charges; quote_items adds what a shop adds. Lists have at most ${MAX_ROWS} rows; truncated says when rows were left out.
A refusal is a tool error with a JSON body: error is its code, and the resource docs/errors/<code>.md explains it.`;

const SERVER_INFO = { name: "assay", title: "Assay", version: VERSION };

/** Only questions to the client's user are checked with a validator, and this server asks none; the default compiles schemas. */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator: () => {
    throw new Error("no schema is checked here");
  },
};

/** A request's server, and what became of its calls. */
interface AgentServer {
  readonly server: Server;
  /** The outcomes of the tools it called, in order. */
  readonly outcomes: readonly Outcome[];
}

/** What the servers of all requests share. */
export interface AgentServers {
  readonly has: (name: unknown) => boolean;
  /** @param onFault receives unexpected errors; the client reads that there was one, and no more */
  readonly open: (request: AgentRequest, onFault: (error: unknown) => void) => AgentServer;
}

export const agentServers = (contract: Contract, mounted: MountedRoutes, documents: Documents): AgentServers => {
  const routes = toolRoutes(contract);
  const tools = new Map<unknown, { readonly callable: CallableTool; readonly invoke: Invoke }>(
    routes.map(({ tool, resource, action }) => {
      const { route, invoke } = routeOf(mounted, resource, action);
      return [tool.name, { callable: callableTool(route, tool), invoke }];
    }),
  );
  const resources = openResources(documents);
  let listed: ListedTool[] | undefined;

  const open = (request: AgentRequest, onFault: (error: unknown) => void): AgentServer => {
    const { catalog } = documents.site();
    const outcomes: Outcome[] = [];
    // The SDK would send the message of any error.
    const guarded = async <T>(run: () => T | Promise<T>): Promise<T> => {
      try {
        return await run();
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        onFault(error);
        throw new ProtocolError(ProtocolErrorCode.InternalError, FAULT_TEXT);
      }
    };
    const call = async (name: string, args: Readonly<Record<string, unknown>>): Promise<CallToolResult> => {
      const tool = tools.get(name);
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool.");
      const { outcome, result } = await callTool(tool.callable, tool.invoke, args, request);
      outcomes.push(outcome);
      return result;
    };
    // The high-level server would validate arguments itself, before the caller is authenticated and counted.
    const server = new Server(SERVER_INFO, {
      capabilities: { tools: {}, resources: {} },
      instructions: instructionsOf(catalog),
      jsonSchemaValidator: NO_VALIDATOR,
    });
    server.setRequestHandler("tools/list", () =>
      guarded(() => {
        listed ??= routes.map((route) => listedTool(route, catalog.keyless.tier));
        return { tools: listed };
      }),
    );
    server.setRequestHandler("tools/call", ({ params }) => guarded(() => call(params.name, params.arguments ?? {})));
    server.setRequestHandler("resources/list", () => guarded(() => ({ resources: resources.list() })));
    server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
    server.setRequestHandler("resources/read", ({ params }) =>
      guarded(async () => ({ contents: [await resources.read(params.uri)] })),
    );
    return { server, outcomes };
  };
  return { has: (name) => tools.has(name), open };
};

/** The longest an exchange may take, whatever is in it. */
export const MAX_EXCHANGE_MS = 60_000;

/** The codes of the errors answered here; that of a cancelled request is the Language Server Protocol's. */
const CANCELLED = -32_800;
const TIMED_OUT = -32_001;

/** Both are always answered with JSON, so that clients that accept only JSON, or say nothing, are answered too. */
const acceptingBoth = ({ url, method, headers }: Request): Request => {
  const accepting = new Headers(headers);
  accepting.set("accept", "application/json, text/event-stream");
  return new Request(url, { method, headers: accepting });
};

/** The ids that a body's own notifications cancel. There are no sessions: no other request's can be. */
const cancelledIn = (body: unknown): ReadonlySet<unknown> =>
  new Set(
    (Array.isArray(body) ? (body as unknown[]) : []).flatMap((message) =>
      isSpecType.CancelledNotification(message) ? (message.params.requestId ?? []) : [],
    ),
  );

/**
 * Clients that begin with a handshake. Their transport without sessions answers each request by itself, and sends a batch when
 * the last answer is there. The SDK answers no cancelled request, so the batch would never be sent: these are answered here.
 */
const exchangeWithHandshake = async (request: Request, body: unknown, server: Server): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const { onmessage } = transport;
  const cancelled = cancelledIn(body);
  transport.onmessage = (message, extra) => {
    if (!isJSONRPCRequest(message) || !cancelled.has(message.id)) return onmessage?.(message, extra);
    const error = { code: CANCELLED, message: "The request was cancelled." };
    transport.send({ jsonrpc: "2.0", id: message.id, error }).catch((fault: Error) => server.onerror?.(fault));
  };
  try {
    return await transport.handleRequest(acceptingBoth(request), { parsedBody: body });
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
 * Answers a request, within `MAX_EXCHANGE_MS`.
 * @param request for its headers; its body is not read
 * @param body the parsed body
 */
export const exchange = async (
  request: Request,
  body: unknown,
  server: Server,
  onError: (error: Error) => void,
): Promise<Response> => {
  const answered = (await isLegacyRequest(request, body))
    ? exchangeWithHandshake(request, body, server)
    : exchangeAlone(request, body, server, onError);
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<Response>((resolve) => {
    timer = setTimeout(() => {
      const error = { code: TIMED_OUT, message: `The request took longer than ${MAX_EXCHANGE_MS / 1_000} seconds.` };
      resolve(Response.json({ jsonrpc: "2.0", error, id: null }, { status: 503 }));
      server.close().catch(onError);
    }, MAX_EXCHANGE_MS);
  });
  try {
    return await Promise.race([answered, timedOut]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Refuses a page of another site: by a name that resolves to this service it could read what only this network may.
 * @returns undefined for requests that no browser page makes, and those of this service's own pages
 */
export const refuseOrigin = (request: Request, publicUrl: string): Response | undefined =>
  originValidationResponse(request, [new URL(publicUrl).hostname, ...localhostAllowedOrigins()]);

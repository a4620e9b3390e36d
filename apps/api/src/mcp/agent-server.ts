/** The MCP server of one request: the tools and the resources. Nothing is kept between requests. */
import { type Contract, VERSION } from "@assay/contract";
import type { Invoke, Outcome } from "@assay/services";
import {
  type CallToolResult,
  type jsonSchemaValidator,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import type { Documents } from "../documents.ts";
import { callTool, type Visitor } from "./call-tool.ts";
import { openResources } from "./resources.ts";
import { MAX_ROWS } from "./short-lists.ts";
import { listedTool, type ToolRoute, toolRoutes } from "./tools.ts";

const INSTRUCTIONS = `Prices of gold, silver and copper, and what follows from them. Amounts are decimal strings: do not round them without saying so.
Without an API key, or with a free one, metal prices are 15 minutes late. Say when a price was computed, and mention is_stale when it is true.
Prices are those of the metal, without dealer premium, tax or making charges. Lists have at most ${MAX_ROWS} rows; truncated says when rows were left out.
A refusal is a tool error with a JSON body: error is its code, and the resource docs/errors/<code>.md explains it.`;

const SERVER_INFO = { name: "assay", title: "Assay", version: VERSION };

/** Only questions to the client's user are checked with a validator, and this server asks none; the default compiles schemas. */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator: () => {
    throw new Error("no schema is checked here");
  },
};

/** A request's server, and what became of its calls. */
export interface AgentServer {
  readonly server: Server;
  /** The outcomes of the tools it called, in order. */
  readonly outcomes: readonly Outcome[];
}

/** A tool: as listed, and how to call it. */
interface Callable extends ToolRoute {
  readonly invoke: Invoke;
}

/** What the servers of all requests share. */
export interface AgentServers {
  /** Whether there is a tool of this name. */
  readonly has: (name: unknown) => boolean;
  /** @param onFault receives unexpected errors; the client reads that there was one, and no more */
  readonly open: (visitor: Visitor, onFault: (error: unknown) => void) => AgentServer;
}

/**
 * Prepares the servers.
 * @param invokeOf the pipeline of a route
 */
export const agentServers = (
  contract: Contract,
  invokeOf: (resource: string, action: string) => Invoke,
  documents: Documents,
): AgentServers => {
  const routes = toolRoutes(contract);
  const tools = new Map<unknown, Callable>(
    routes.map((each) => [each.tool.name, { ...each, invoke: invokeOf(each.resource, each.action) }]),
  );
  const resources = openResources(documents);
  let listed: ListedTool[] | undefined;

  const open = (visitor: Visitor, onFault: (error: unknown) => void): AgentServer => {
    const outcomes: Outcome[] = [];
    // The SDK would send the message of any error.
    const guarded = async <T>(run: () => T | Promise<T>): Promise<T> => {
      try {
        return await run();
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        onFault(error);
        throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal Server Error");
      }
    };
    const call = async (name: string, args: Readonly<Record<string, unknown>>): Promise<CallToolResult> => {
      const tool = tools.get(name);
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool.");
      const { outcome, result } = await callTool(tool.route, tool.invoke, args, visitor);
      outcomes.push(outcome);
      return result;
    };
    // The high-level server would validate arguments itself, before the caller is authenticated and counted.
    const server = new Server(SERVER_INFO, {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: NO_VALIDATOR,
    });
    server.setRequestHandler("tools/list", () =>
      guarded(() => {
        listed ??= routes.map(listedTool);
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

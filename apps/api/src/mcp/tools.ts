/** The tools: every route of the contract that declares one, as MCP lists it. */
import type { Contract, Route, Tool } from "@assay/contract";
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { inputSchemaOf, outputSchemaOf } from "./tool-schema.ts";

/** A route that is offered as a tool. */
export interface ToolRoute {
  readonly resource: string;
  readonly action: string;
  readonly route: Route;
  readonly tool: Tool;
}

/** The routes of a contract that are tools, in its order. */
export const toolRoutes = (contract: Contract): ToolRoute[] =>
  Object.entries(contract).flatMap(([resource, actions]) =>
    Object.entries(actions).flatMap(([action, route]) => (route.tool ? [{ resource, action, route, tool: route.tool }] : [])),
  );

/** The sentence about access that ends a tool's description. */
const accessOf = ({ access }: Route): string => {
  if (access.auth !== "required") return "Works without an API key.";
  return access.tier === "free" ? "Needs an API key." : `Needs an API key of tier ${access.tier} or higher.`;
};

/** A tool as clients list it. */
export const listedTool = ({ route, tool }: ToolRoute): ListedTool => ({
  name: tool.name,
  title: route.summary,
  description: `${tool.description} ${accessOf(route)}`,
  inputSchema: inputSchemaOf(route),
  outputSchema: outputSchemaOf(route),
  annotations: { title: route.summary, readOnlyHint: true, openWorldHint: false },
});

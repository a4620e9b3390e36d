/** Calls a tool: the route's pipeline, its answer as structured content, its refusal as a tool error. */
import type { Route } from "@assay/contract";
import type { Call, Invoke, Outcome } from "@assay/services";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { readJsonInput } from "../http/json-input.ts";
import { withShortLimit, withShortLists } from "./short-lists.ts";

/** Who calls: what the pipeline needs besides the input. */
export type Visitor = Pick<Call, "requestId" | "ip" | "key">;

type Arguments = Readonly<Record<string, unknown>>;

const textOf = ({ body }: Outcome): string => (typeof body === "string" ? body : Buffer.from(body ?? []).toString("utf8"));

/** Reads a number given for a text parameter as a query would: models write amounts either way. */
const asQueried = ({ input }: Route, args: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const field = input.shape[name];
      return [name, typeof value === "number" && field && !field.safeParse(value).success ? String(value) : value];
    }),
  );

/** Calls a route for a language model. */
export const callTool = async (
  route: Route,
  invoke: Invoke,
  args: Arguments,
  visitor: Visitor,
): Promise<{ readonly outcome: Outcome; readonly result: CallToolResult }> => {
  const outcome = await invoke({
    ...visitor,
    readInput: (fail) => readJsonInput(route, withShortLimit(asQueried(route, args)), "arguments", fail),
  });
  const text = textOf(outcome);
  // No structured content: older clients check it against the schema of the answer.
  if (outcome.error) return { outcome, result: { content: [{ type: "text", text }], isError: true } };
  const output = JSON.parse(text) as Arguments; // tools answer with an object
  const short = withShortLists(output, args);
  return {
    outcome,
    result: {
      content: [{ type: "text", text: short === output ? text : JSON.stringify(short) }],
      structuredContent: { ...short },
    },
  };
};

/** The tools: every route of the contract that declares one, as MCP lists it, with its schemas, and as it is called. */
import { bodyText, type Contract, needsKey, type Route, type TierName, type Tool } from "@assay/contract";
import type { Call, FailInput, Invoke, Outcome } from "@assay/services";
import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { readJsonInput } from "../http/decode.ts";
import { attentionOf, DETAILS, SUMMARY_PAST, summaryOf } from "./summary.ts";

/** A JSON object: arguments, or an answer. */
type JsonObject = Readonly<Record<string, unknown>>;

/** The most rows of a list in a tool's answer. */
export const MAX_ROWS = 100;
/** The most examples of a parameter. */
const MAX_EXAMPLES = 2;

/** Lowers a route's `limit` to the most rows an answer has. */
export const withShortLimit = (args: JsonObject): JsonObject => {
  const { limit } = args;
  return typeof limit === "number" && limit > MAX_ROWS ? { ...args, limit: MAX_ROWS } : args;
};

/**
 * Cuts the lists of an answer.
 * @param output a route's answer
 * @param args the arguments as given, before `withShortLimit`
 * @returns the same object when nothing is left out
 */
export const withShortLists = (output: JsonObject, args: JsonObject): JsonObject => {
  const { limit } = args;
  const isLowered = Number(limit) > MAX_ROWS;
  const notes: string[] = [];
  const cut = Object.entries(output).map(([name, value]): [string, unknown] => {
    if (!Array.isArray(value)) return [name, value];
    if (value.length > MAX_ROWS) {
      notes.push(`${name} has the first ${MAX_ROWS} of ${value.length} rows.`);
      return [name, value.slice(0, MAX_ROWS)];
    }
    if (isLowered && value.length === MAX_ROWS) {
      notes.push(`${name} has the first ${MAX_ROWS} rows of at most ${limit}; narrow the window, or pass next_cursor as cursor.`);
    }
    return [name, value];
  });
  return notes.length === 0 ? output : { ...Object.fromEntries(cut), truncated: notes.join(" ") };
};

/** A request of an agent: what the pipeline needs besides the input. */
export type AgentRequest = Pick<Call, "requestId" | "ip" | "key">;

/** A float holds every decimal of this many digits; of longer ones it may have become another. */
const EXACT_DIGITS = 15;

/** Whether a number may not be the one that was written. */
const isInexact = (value: number): boolean =>
  String(Math.abs(value))
    .replace(/e.*$/, "")
    .replace(".", "")
    .replace(/^0+|0+$/g, "").length > EXACT_DIGITS;

const INTEGER = /^[0-9]{1,15}$/;

/**
 * Reads what models write: "" and null for a parameter that is left out, a number for text, and text for a whole number. A number
 * cut by its float is refused.
 */
const coerced = ({ input }: Route, args: JsonObject, fail: FailInput): JsonObject =>
  Object.fromEntries(
    Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
      // A caller may name an argument like something every object inherits.
      const field = Object.hasOwn(input.shape, name) ? input.shape[name] : undefined;
      if (!field || field.safeParse(value).success) return [[name, value]];
      if ((value === "" || value === null) && field.safeParse(undefined).success) return [];
      if (typeof value === "string" && INTEGER.test(value) && field.safeParse(Number(value)).success)
        return [[name, Number(value)]];
      if (typeof value !== "number") return [[name, value]];
      if (!isInexact(value)) return [[name, String(value)]];
      const message = `must be a string: as a JSON number it has more than the ${EXACT_DIGITS} digits that are kept exactly`;
      return fail("validation_error", { issues: [{ path: ["arguments", name], code: "invalid_type", message }] });
    }),
  );

const NEWEST_FIRST = { order: "desc" };

/** A route as a tool reads its arguments. */
export interface CallableTool {
  readonly tool: Tool;
  /** The route with `detail` where lists are summed up, and without their order. */
  readonly route: Route;
  /** The most rows that are summed up; null where none are. */
  readonly mostRows: number | null;
}

/** Prepares a tool: once, since schemas are slow to make. */
export const callableTool = (route: Route, tool: Tool): CallableTool => {
  if (!tool.rows && !tool.healthy) return { tool, route, mostRows: null };
  const { order: _, ...shape } = route.input.shape;
  const detail = z.enum(DETAILS).optional();
  if (!tool.rows) return { tool, route: { ...route, input: z.object({ ...shape, detail }) }, mostRows: null };
  const { limit } = z.toJSONSchema(route.input, { unrepresentable: "any" }).properties ?? {};
  const mostRows = Number((limit as Json)["maximum"]); // JSON
  const described = detail.meta({ description: `Without it a summary past ${SUMMARY_PAST} rows` });
  return { tool, route: { ...route, input: z.object({ ...shape, detail: described }) }, mostRows };
};

/** The input of a route from a tool's arguments. What may be summed up is read whole. */
const inputOf = ({ route, mostRows }: CallableTool, args: JsonObject, fail: FailInput): JsonObject => {
  const given = coerced(route, args, fail);
  const isWhole = mostRows !== null && given["detail"] !== "rows";
  const asked = isWhole ? { limit: mostRows, ...given } : withShortLimit(given);
  const input = readJsonInput(route, asked, "arguments", fail) as JsonObject; // inputs of tools are objects
  return mostRows === null ? input : { ...NEWEST_FIRST, ...input };
};

/** An answer with its lists summed up; null when their rows are answered. */
const summedUp = (output: JsonObject, { rows, healthy }: Tool, detail: unknown): JsonObject | null => {
  if (healthy) return detail === "summary" ? attentionOf(output, healthy) : null;
  if (!rows || detail === "rows") return null;
  const { [rows.list]: list, next_cursor: next, ...more } = output;
  const all = list as readonly Record<string, unknown>[]; // as the tool declares
  if (detail !== "summary" && all.length <= SUMMARY_PAST) return null;
  const truncated = next ? { truncated: `The summary is of the newest ${all.length} rows; narrow the window.` } : {};
  return { ...more, summary: summaryOf(all, rows), ...truncated };
};

/** Calls a route for a language model. */
export const callTool = async (
  callable: CallableTool,
  invoke: Invoke,
  args: JsonObject,
  request: AgentRequest,
): Promise<{ readonly outcome: Outcome; readonly result: CallToolResult }> => {
  const readInput = (fail: FailInput): JsonObject => inputOf(callable, args, fail);
  const outcome = await invoke({ ...request, parametersIn: "arguments", readInput });
  const text = bodyText(outcome.body ?? "");
  if (outcome.error) return { outcome, result: { content: [{ type: "text", text }], isError: true } };
  const output = JSON.parse(text) as JsonObject; // tools answer with an object
  const short = summedUp(output, callable.tool, args["detail"]) ?? withShortLists(output, args);
  return {
    outcome,
    result: {
      content: [{ type: "text", text: short === output ? text : JSON.stringify(short) }],
      structuredContent: { ...short },
    },
  };
};

/** A JSON schema of an object, as the protocol has it. */
type ObjectSchema = ListedTool["inputSchema"];

/** What schemas of tools leave out: our annotations, of which an `id` would be read as a schema's address, and what a refusal explains. */
const OMITTED = [
  "id",
  "override",
  "title",
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "additionalProperties",
  "x-csv",
];
const WORDS = ["x-extensible-enum", "x-closed-enum", "x-words"];

type Json = Record<string, unknown>;

/** Leaves a schema what a language model reads: each conversation pays for it. */
const simplify = (schema: Json): void => {
  const words = WORDS.map((name) => schema[name]).find(Array.isArray);
  const [example] = (schema["examples"] ?? []) as unknown[]; // JSON Schema's
  for (const name of [...OMITTED, ...WORDS, "examples"]) delete schema[name];
  // An object is described by its name and its fields.
  if (schema["properties"]) delete schema["description"];
  const text = String(schema["description"] ?? "");
  if (text !== "") schema["description"] = text.replace(/[.;] .*$/s, "");
  if (words && !schema["enum"] && !text.includes(String(words[0]))) schema["examples"] = words.slice(0, MAX_EXAMPLES);
  // How a part is written is seen in an example of the whole.
  else if (typeof example === "object") schema["examples"] = [example];
  for (const form of (schema["anyOf"] ?? []) as Json[]) delete form["description"];
  if (schema["format"] === "decimal") delete schema["format"];
  if (schema["minimum"] === Number.MIN_SAFE_INTEGER) delete schema["minimum"];
  if (schema["maximum"] === Number.MAX_SAFE_INTEGER) delete schema["maximum"];
};

/** What a tool takes: the route's parameters, wherever REST has them, and no others. */
const inputSchemaOf = ({ input }: Route): ObjectSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => simplify(jsonSchema as Json), // JSON
  });
  return schema as ObjectSchema; // the contract's test checks that inputs of tools are objects
};

interface ToolRoute {
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

/** What a tool's description says of access at its end; without a word it needs no key. */
const accessOf = (route: Route, keyless: TierName): string => {
  if (!needsKey(route, keyless)) return "";
  const { access } = route;
  return access.tier === "free" ? " Needs an API key." : ` Needs an API key of tier ${access.tier} or higher.`;
};

/**
 * A tool as clients list it.
 * @param keyless the tier of callers without a key
 */
export const listedTool = ({ route, tool }: ToolRoute, keyless: TierName): ListedTool => ({
  name: tool.name,
  description: `${tool.description}${accessOf(route, keyless)}`,
  inputSchema: inputSchemaOf(callableTool(route, tool).route),
  annotations: { readOnlyHint: true },
});

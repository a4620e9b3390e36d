/** The largest call of every route that reads, from its declaration alone: over REST in each format, tRPC and MCP. */
import { type AnswerFormat, type Contract, DAY_MS, FORMAT_PARAMETER, formatEntry, formatsOf, type Route } from "@assay/contract";
import { type Parameter, parametersOf, requestPath } from "@assay/contract-test/requests";

type Input = Readonly<Record<string, unknown>>;

/** A request as it is sent. */
export interface Sent {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

/** One way to ask for a route's largest answer. */
export interface LargestCall {
  readonly name: string;
  /** The request of a turn: each asks for a few rows fewer than the one before, so that no kept answer is measured. */
  sent(turn: number): Sent;
}

/** The widest window first; a route has its own bound, so the first that is answered counts. */
const WINDOW_DAYS = [31 * 365, 365, 30];

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

const isDay = ({ json }: Parameter): boolean => json.format?.startsWith("date") === true;

const listedOf = ({ json }: Parameter): readonly unknown[] => [
  ...(json.enum ?? json["x-closed-enum"] ?? json["x-extensible-enum"] ?? []),
  ...(json.type === "integer" ? [json.minimum, json.maximum].filter((bound) => bound !== undefined) : []),
];

/** Every word, the most rows, the given window, and an example of the rest. */
const widestInput = (parameters: readonly Parameter[], days: number): Input =>
  Object.fromEntries(
    parameters.flatMap((parameter): [string, unknown][] => {
      const { name, json, example, isRequired } = parameter;
      if (name === "from" && isDay(parameter)) return [[name, dayBefore(days)]];
      if (name === "to" && isDay(parameter)) return [[name, dayBefore(0)]];
      if (name === "limit") return [[name, json.maximum]];
      if (json["x-words"]) return [[name, json["x-words"].join(",")]];
      return isRequired ? [[name, example]] : [];
    }),
  );

/** The inputs of which one is a route's largest: the widest, with each listed value of each parameter, over each window. */
export const wideInputs = (route: Route): readonly (readonly Input[])[] => {
  const parameters = parametersOf(route).filter(({ name }) => name !== "cursor" && name !== FORMAT_PARAMETER);
  const varied = parameters
    .filter(({ name, json }) => name !== "limit" && !json["x-words"])
    .flatMap((parameter) => listedOf(parameter).map((value): Input => ({ [parameter.name]: value })));
  const days = parameters.some(isDay) ? WINDOW_DAYS : WINDOW_DAYS.slice(0, 1);
  return [{}, ...varied].map((change) => days.map((each) => ({ ...widestInput(parameters, each), ...change })));
};

const ofTurn = (input: Input, turn: number): Input => {
  const { limit } = input;
  return typeof limit === "number" ? { ...input, limit: limit - (turn % (1 + Math.trunc(limit / 100))) } : input;
};

const mcpBody = (name: string, args: Input): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });

/** The routes that read, by `resource.action`. */
export const readingRoutes = (contract: Contract): [string, Route][] =>
  Object.entries(contract).flatMap(([resource, actions]) =>
    Object.entries(actions)
      .filter(([, { method }]) => method === "GET")
      .map(([action, route]): [string, Route] => [`${resource}.${action}`, route]),
  );

/** The largest call of a route, in every form it has. */
export const formsOf = (name: string, route: Route, widest: Input, isVersioned: boolean): LargestCall[] => {
  const over = (form: string, sent: (input: Input) => Sent): LargestCall => ({
    name: `${route.path} ${form}`,
    sent: (turn) => sent(ofTurn(widest, turn)),
  });
  const formats: AnswerFormat[] = ["json", ...formatsOf(route)];
  const overRest = formats.map((format) =>
    over(format, (input) => ({
      method: "GET",
      path: requestPath(
        route,
        format === "json" ? input : { ...input, ...formatEntry(format).needs, [FORMAT_PARAMETER]: format },
      ),
    })),
  );
  if (!isVersioned) return overRest;
  const { tool } = route;
  return [
    ...overRest,
    over("tRPC", (input) => ({
      method: "GET",
      path: `/trpc/${name}?${new URLSearchParams({ input: JSON.stringify(input) })}`,
    })),
    ...(tool ? [over("MCP", (input) => ({ method: "POST", path: "/mcp", body: mcpBody(tool.name, input) }))] : []),
  ];
};

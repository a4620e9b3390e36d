/** The page of an error code: what it is, what to do, whether a retry helps, how it looks on the wire, and who answers it. */
import {
  ERRORS,
  type ErrorCode,
  type ErrorEntry,
  errorCodesOf,
  FRAME_ERRORS,
  mayReconnect,
  type Route,
  STREAM_CLOSES,
} from "@assay/contract";
import { z } from "zod";
import { errorExample } from "../openapi/error-schemas.ts";
import { callProvoking, curlOf } from "./provocation.ts";
import { headersOf, PHRASES, retryOf } from "./retry.ts";

/** What every page begins with, so that nobody edits it by hand. */
export const MADE_BY = "<!-- Made by `npm run gen` from packages/contract/src/errors.ts. -->";

/** The base of links in the committed pages; a running server names its own. */
export const DOCUMENTED_URL = "http://127.0.0.1:8080";

/** Codes the server answers on any path, before a route is found or as its method is refused. */
const EVERYWHERE: Partial<Record<ErrorCode, string>> = {
  not_found: "Any path that does not exist.",
  method_not_allowed: "Any path of the interface, for a method it does not take.",
};

const fieldRows = (fields: z.ZodObject): string[] => {
  const { properties = {} } = z.toJSONSchema(fields, { io: "input" });
  return Object.entries(properties).map(([name, property]) => {
    const { type = "", description = "" } = typeof property === "object" ? property : {};
    return `| \`${name}\` | ${type} | ${description} |`;
  });
};

const fieldTable = (entry: ErrorEntry): string[] =>
  entry.fields
    ? [
        "",
        "Its body adds to `error`, `message` and `request_id`:",
        "",
        "| field | type | meaning |",
        "|---|---|---|",
        ...fieldRows(entry.fields),
      ]
    : [];

const wireExample = (code: ErrorCode): string[] => {
  const { status } = ERRORS[code];
  return [
    "```http",
    `HTTP/1.1 ${status} ${PHRASES[status]}`,
    "Content-Type: application/json",
    ...Object.entries(headersOf(code)).map(([name, value]) => `${name}: ${value}`),
    "```",
    "```json",
    JSON.stringify(errorExample(code), null, 2),
    "```",
  ];
};

const provocation = (code: ErrorCode, baseUrl: string): string[] => {
  const call = callProvoking(code);
  return call ? ["", "A call that gets it:", "", "```sh", curlOf(call, baseUrl), "```", ""] : [""];
};

const routeLines = (code: ErrorCode, routes: readonly Route[]): string[] => {
  const lines = routes
    .filter((route) => errorCodesOf(route).includes(code))
    .map((route) => `- \`${route.method} ${route.path}\`: ${route.summary}`);
  const everywhere = EVERYWHERE[code];
  if (everywhere) lines.push(`- ${everywhere}`);
  return lines.length > 0 ? lines : ["No route of this version answers it."];
};

/**
 * The page of a code.
 * @param routes in the order of the contract, so that pages are alike in every run
 * @param baseUrl base of the calls it shows
 */
export const errorPage = (code: ErrorCode, routes: readonly Route[], baseUrl = DOCUMENTED_URL): string => {
  const entry: ErrorEntry = ERRORS[code];
  return [
    MADE_BY,
    `# \`${code}\``,
    "",
    `Status **${entry.status}**. ${entry.condition}`,
    "",
    `**What to do**: ${entry.remedy}`,
    "",
    `**Does a retry help?** ${retryOf(code).words}`,
    "",
    "## On the wire",
    ...provocation(code, baseUrl),
    ...wireExample(code),
    ...fieldTable(entry),
    "",
    "## Routes",
    "",
    ...routeLines(code, routes),
    "",
    "[All errors](README.md)",
    "",
  ].join("\n");
};

/** What error frames of the WebSocket say: those that go before a close, and those that end nothing. */
const streamRows = (): string[] => [
  ...Object.entries(STREAM_CLOSES).map(
    ([code, { close, condition }]) => `| ${close} | \`${code}\` | ${condition} | ${mayReconnect(close) ? "yes" : "no"} |`,
  ),
  ...Object.entries(FRAME_ERRORS).map(([code, condition]) => `| goes on | \`${code}\` | ${condition} | |`),
];

/** The list of all codes. */
export const errorIndex = (codes: readonly ErrorCode[]): string =>
  [
    MADE_BY,
    "# Errors",
    "",
    "Every refusal is JSON with the same three fields, and some codes add their own. Switch on `error`: it never changes its meaning. `message` is for",
    "people and may change.",
    "",
    "| field | type | meaning |",
    "|---|---|---|",
    "| `error` | string | the code, one of those below |",
    "| `message` | string | what went wrong, in words |",
    "| `request_id` | string | the id of the request, also in `X-Request-Id`; name it when you ask the operator |",
    "",
    "What nobody foresaw is a plain-text 500, `Internal Server Error`, without detail; a retry after a while may help. Refusals are never cached and never",
    "count against the monthly quota.",
    "",
    "| status | code | condition | retry |",
    "|---|---|---|---|",
    ...codes.map(
      (code) => `| ${ERRORS[code].status} | [\`${code}\`](${code}.md) | ${ERRORS[code].condition} | ${retryOf(code).helps} |`,
    ),
    "",
    "## On the WebSocket",
    "",
    "An `error` frame has `code`, `message` and `fatal`; a fatal one is followed by the close of its number.",
    "",
    "| close | code | condition | reconnect |",
    "|---|---|---|---|",
    ...streamRows(),
    "",
  ].join("\n");

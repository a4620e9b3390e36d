/** The page of an error code: what it means, what to do, whether to retry, its wire form, and the routes that return it. */
import {
  DOCUMENTED_URL,
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

/** The header of every page, so that nobody edits it by hand. */
const MADE_BY = "<!-- Made by `npm run gen` from packages/contract/src/errors.ts. -->";

/** Codes returned on any path, before routing or when the method is refused. */
const EVERYWHERE: Partial<Record<ErrorCode, string>> = {
  not_found: "Any path that does not exist.",
  method_not_allowed: "Any path, for a method it does not support.",
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
        "In addition to `error`, `message` and `request_id`, the body has:",
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

const provocation = (code: ErrorCode): string[] => {
  const call = callProvoking(code);
  return call ? ["", "To reproduce it:", "", "```sh", curlOf(call, DOCUMENTED_URL), "```", ""] : [""];
};

const routeLines = (code: ErrorCode, routes: readonly Route[]): string[] => {
  const lines = routes
    .filter((route) => errorCodesOf(route).includes(code))
    .map((route) => `- \`${route.method} ${route.path}\`: ${route.summary}`);
  const everywhere = EVERYWHERE[code];
  if (everywhere) lines.push(`- ${everywhere}`);
  return lines.length > 0 ? lines : ["No route of this version returns it."];
};

/**
 * Renders the page of a code.
 * @param routes in contract order, so that the output is deterministic
 */
export const errorPage = (code: ErrorCode, routes: readonly Route[]): string => {
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
    ...provocation(code),
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

/** WebSocket error frames with this code: those sent before a close, and those that leave the connection open. */
const streamRows = (): string[] => [
  ...Object.entries(STREAM_CLOSES).map(
    ([code, { close, condition }]) => `| ${close} | \`${code}\` | ${condition} | ${mayReconnect(close) ? "yes" : "no"} |`,
  ),
  ...Object.entries(FRAME_ERRORS).map(([code, condition]) => `| stays open | \`${code}\` | ${condition} | |`),
];

/** The list of all codes. */
export const errorIndex = (codes: readonly ErrorCode[]): string =>
  [
    MADE_BY,
    "# Errors",
    "",
    "Every error is JSON with the same three fields; some codes add more. Branch on `error`, whose meaning never changes. `message` is for people and may",
    "change.",
    "",
    "| field | type | meaning |",
    "|---|---|---|",
    "| `error` | string | one of the codes below |",
    "| `message` | string | human-readable message |",
    "| `request_id` | string | the id of the request, also in `X-Request-Id`; include it when you contact the operator |",
    "",
    "Unexpected errors return a plain-text 500, `Internal Server Error`; the details are logged under the `X-Request-Id`. Errors are never cached and never count",
    "against the monthly quota.",
    "",
    "| status | code | condition | retry |",
    "|---|---|---|---|",
    ...codes.map(
      (code) => `| ${ERRORS[code].status} | [\`${code}\`](${code}.md) | ${ERRORS[code].condition} | ${retryOf(code).helps} |`,
    ),
    "",
    "## On the WebSocket",
    "",
    "An `error` frame has `code`, `message` and `fatal`. After a fatal error, the service closes the connection with the close code in this table.",
    "",
    "| close | code | condition | reconnect |",
    "|---|---|---|---|",
    ...streamRows(),
    "",
  ].join("\n");

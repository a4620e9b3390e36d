/**
 * The pages of the error codes: what each means, what to do, whether to retry, its form on the wire, and the routes that return
 * it.
 */
import { STATUS_CODES } from "node:http";
import {
  type Contract,
  contract,
  DOCUMENTED_URL,
  ERROR_CODES,
  ERRORS,
  type ErrorCode,
  type ErrorEntry,
  errorCodesOf,
  FAULT_TEXT,
  FRAME_ERRORS,
  mayReconnect,
  pages,
  type Route,
  STREAM_CLOSES,
} from "@assay/contract";
import { z } from "zod";
import { errorExample } from "../openapi/errors.ts";
import { callProvoking, curlOf } from "./provocation.ts";

const PHRASES: Readonly<Record<number, string | undefined>> = STATUS_CODES;

/** Whether the same request may succeed later. */
interface Retry {
  readonly helps: "no" | "after `Retry-After`" | "after a while";
  readonly words: string;
}

const NO: Retry = {
  helps: "no",
  words: "No: change the request, or use another key.",
};
const AFTER_WAIT: Retry = {
  helps: "after `Retry-After`",
  words: "Yes, after `Retry-After` seconds and some random jitter.",
};
const AFTER_A_WHILE: Retry = { helps: "after a while", words: "Perhaps, with increasing delays between attempts." };
const NOT_THIS_MONTH: Retry = {
  helps: "no",
  words: "No: `X-Should-Retry` is `false`, and `Retry-After` ends with the UTC month.",
};

/** Whether a retry helps after a code. */
const retryOf = (code: ErrorCode): Retry => {
  if (code === "quota_exceeded") return NOT_THIS_MONTH;
  const { status }: ErrorEntry = ERRORS[code];
  return status === 429 || status === 503 ? AFTER_WAIT : status === 500 ? AFTER_A_WHILE : NO;
};

/** Headers a client reads to decide, with values that match the body's example. */
export const headersOf = (code: ErrorCode): Readonly<Record<string, string>> => {
  const { status }: ErrorEntry = ERRORS[code];
  const example = errorExample(code);
  const wait = example["retry_after_seconds"];
  return {
    "Cache-Control": "no-store",
    "X-Request-Id": String(example["request_id"]),
    ...(status === 401 ? { "WWW-Authenticate": 'Bearer realm="assay"' } : {}),
    ...(status === 405 ? { Allow: "GET, HEAD" } : {}),
    ...(status === 429 || status === 503 ? { "Retry-After": typeof wait === "number" ? String(wait) : "5" } : {}),
    ...(status === 429 ? limitHeaders(example) : {}),
    ...(code === "quota_exceeded" ? { "X-Should-Retry": "false" } : {}),
  };
};

/** The exhausted window, as in its headers. */
const limitHeaders = ({ limit, reset_at: resetAt }: { [field: string]: unknown }): Record<string, string> => ({
  "X-RateLimit-Limit": String(limit),
  "X-RateLimit-Remaining": "0",
  "X-RateLimit-Reset": String(Date.parse(String(resetAt)) / 1000),
});

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
        "Besides `error`, `message` and `request_id`:",
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
    ...Object.entries(headersOf(code))
      .filter(([name]) => name !== "Cache-Control")
      .map(([name, value]) => `${name}: ${value}`),
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

const bullet = ({ method, path }: Route): string => `- \`${method} ${path}\``;

/** The routes that return a code; of one that most return, those that do not. */
const routeLines = (code: ErrorCode, routes: readonly Route[]): string[] => {
  const having = routes.filter((route) => errorCodesOf(route).includes(code));
  const lacking = routes.filter((route) => !having.includes(route));
  if (lacking.length > 0 && lacking.length < having.length / 2) return ["Every route but", "", ...lacking.map(bullet)];
  const everywhere = EVERYWHERE[code];
  const lines = everywhere ? [...having.map(bullet), `- ${everywhere}`] : having.map(bullet);
  return lines.length > 0 ? lines : ["No route of this version returns it."];
};

/**
 * Renders the page of a code.
 * @param routes in contract order, so that the output is deterministic
 */
const errorPage = (code: ErrorCode, routes: readonly Route[]): string => {
  const entry: ErrorEntry = ERRORS[code];
  return [
    MADE_BY,
    `# \`${code}\``,
    "",
    `Status **${entry.status}**. ${entry.condition}`,
    "",
    `**What to do**: ${entry.remedy}`,
    "",
    `**Retry?** ${retryOf(code).words}`,
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

const errorIndex = (codes: readonly ErrorCode[]): string =>
  [
    MADE_BY,
    "# Errors",
    "",
    "Every error is JSON with these three fields; some codes add more. Branch on `error`, whose meaning never changes; `message` may change.",
    "",
    "| field | type | meaning |",
    "|---|---|---|",
    "| `error` | string | one of the codes below |",
    "| `message` | string | human-readable message |",
    "| `request_id` | string | the id of the request, also in `X-Request-Id`; include it when you contact the operator |",
    "",
    `Unexpected errors return a plain-text 500, \`${FAULT_TEXT}\`; the details are logged under the \`X-Request-Id\`. Errors are never cached and never count`,
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

/** Every page and their index, by path in the repository. */
export const errorPages = (): ReadonlyMap<string, string> => {
  const all: Contract = { ...contract, ...pages };
  const routes = Object.values(all).flatMap((actions) => Object.values(actions));
  return new Map([
    ["docs/errors/README.md", errorIndex(ERROR_CODES)],
    ...ERROR_CODES.map((code): [string, string] => [`docs/errors/${code}.md`, errorPage(code, routes)]),
  ]);
};

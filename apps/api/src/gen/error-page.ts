/** The page of an error code: what it is, an example, who answers it, and what to do. */
import { ERRORS, type ErrorCode, type ErrorEntry, errorCodesOf, type Route } from "@assay/contract";
import { z } from "zod";
import { errorExample } from "../openapi/error-schemas.ts";

/** What every page begins with, so that nobody edits it by hand. */
export const MADE_BY = "<!-- Made by `npm run gen` from packages/contract/src/errors.ts. -->";

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
  entry.fields ? ["", "Its body adds:", "", "| field | type | meaning |", "|---|---|---|", ...fieldRows(entry.fields)] : [];

const routeLines = (code: ErrorCode, routes: readonly Route[]): string[] => {
  const lines = routes
    .filter((route) => errorCodesOf(route).includes(code))
    .map((route) => `- \`${route.method} ${route.path}\`: ${route.summary}`);
  const everywhere = EVERYWHERE[code];
  if (everywhere) lines.push(`- ${everywhere}`);
  return lines.length > 0 ? lines : ["No route of this version answers it."];
};

/** Routes of a page, alike in every run: in the order of the contract. */
export const errorPage = (code: ErrorCode, routes: readonly Route[]): string => {
  const entry: ErrorEntry = ERRORS[code];
  return [
    MADE_BY,
    `# \`${code}\``,
    "",
    `Status **${entry.status}**. ${entry.condition}`,
    "",
    `What to do: ${entry.remedy}`,
    "",
    "```json",
    JSON.stringify(errorExample(code), null, 2),
    "```",
    ...fieldTable(entry),
    "",
    "## Routes",
    "",
    ...routeLines(code, routes),
    "",
  ].join("\n");
};

/** The list of all codes. */
export const errorIndex = (codes: readonly ErrorCode[]): string =>
  [
    MADE_BY,
    "# Errors",
    "",
    "Every refusal is JSON: `error` is one of these codes, `message` says it in words, `request_id` names the request in the log.",
    "What nobody foresaw is a plain-text 500 without detail.",
    "",
    "| status | code | condition |",
    "|---|---|---|",
    ...codes.map((code) => `| ${ERRORS[code].status} | [\`${code}\`](${code}.md) | ${ERRORS[code].condition} |`),
    "",
  ].join("\n");

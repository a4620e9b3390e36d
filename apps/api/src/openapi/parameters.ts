/** The parameters of an operation: each described, with an example, and those that come in headers. */
import type { Route } from "@assay/contract";
import type { Json, Parameter } from "./types.ts";

const header = (name: string, description: string, schema: Json, example: string): Parameter => ({
  in: "header",
  name,
  required: false,
  description,
  schema: { type: "string", ...schema },
  example,
});

const REQUEST_ID = header(
  "X-Request-Id",
  "Your own id for the request, echoed on the answer and named in the log; one is made when it is left out",
  { pattern: "^[A-Za-z0-9._-]{1,64}$" },
  "checkout-7f3a",
);

const HEADER_EXAMPLES: Readonly<Record<string, string>> = {
  "Idempotency-Key": "rotate-2026-11-20",
  "Last-Event-ID": "XAU-USD-SPOT:1841",
};

const VALIDATOR = header(
  "If-None-Match",
  "The ETag of the answer you hold; 304 when it is still the one",
  {},
  '"a7312f1916566a4668c437142fabeae8"',
);

const CURSOR = "AQAAAZ2m7gAA3q0f8Ck1Yl5u";

/** Where a window ends: later than it begins, which a field alone cannot know. */
const WINDOW_ENDS: Readonly<Record<string, string>> = { date: "2026-11-20", "date-time": "2026-11-20T00:00:00Z" };

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined);

const exampleOf = ({ name, schema }: Parameter): unknown => {
  const windowEnd = name === "to" ? WINDOW_ENDS[String(schema["format"])] : undefined;
  const shown = windowEnd ?? firstOf(schema["examples"]) ?? schema["default"] ?? firstOf(schema["enum"]);
  return shown ?? (name === "cursor" ? CURSOR : undefined);
};

/** An instant may be given as a day as well. */
const asGiven = ({ format, ...schema }: Json): Json =>
  format === "date-time"
    ? { ...schema, anyOf: [{ format: "date-time" }, { format: "date" }] }
    : format === undefined
      ? schema
      : { ...schema, format };

/** What the generator made, with description and example where every reader looks for them: beside the name. */
const complete = (parameter: Parameter): Parameter => {
  const { description: ofSchema, examples: _, ...schema } = parameter.schema;
  const description = parameter.description ?? (typeof ofSchema === "string" ? ofSchema : "");
  return { ...parameter, description, schema: asGiven(schema), example: exampleOf(parameter) };
};

/**
 * Every parameter of a route.
 * @param generated those the generator made of the route's schemas
 * @param hasValidator whether its answer carries an ETag
 */
export const parametersOf = (route: Route, generated: readonly Parameter[], hasValidator: boolean): Parameter[] => [
  ...generated.map(complete),
  REQUEST_ID,
  ...Object.entries(route.requestHeaders ?? {}).map(([name, description]) =>
    header(name, description, { minLength: 1, maxLength: 255 }, HEADER_EXAMPLES[name] ?? ""),
  ),
  ...(hasValidator ? [VALIDATOR] : []),
];

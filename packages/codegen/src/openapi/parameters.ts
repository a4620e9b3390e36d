/** What a route reads: its parameters, each with a description and an example, its headers, and its body with examples. */
import { isRecord, parameterLocation, type Route, requestSchema } from "@assay/contract";
import { z } from "zod";
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
  // Whoever has a replaced key and this reads the new one: an example that is copied must not be guessed.
  "Idempotency-Key": "5c1f7a52-0d2e-4b39-9a1e-3f6b1c8d2e47",
  "Last-Event-ID": "XAU-USD-SPOT:1841",
};

const VALIDATOR = header(
  "If-None-Match",
  "The ETag of the answer you hold; 304 when it is still the one",
  {},
  '"a7312f1916566a4668c437142fabeae8"',
);

const CURSOR = "AQAAAZ2m7gAA3q0f8Ck1Yl5u";

/** The end of a window must be after its start, which a single field cannot express. */
const WINDOW_ENDS: Readonly<Record<string, string>> = { date: "2026-11-20", "date-time": "2026-11-20T00:00:00Z" };

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined);

const exampleOf = ({ name, schema }: Parameter): unknown => {
  const windowEnd = name === "to" ? WINDOW_ENDS[String(schema["format"])] : undefined;
  const shown = windowEnd ?? firstOf(schema["examples"]) ?? schema["default"] ?? firstOf(schema["enum"]);
  return shown ?? (name === "cursor" ? CURSOR : undefined);
};

/** An instant can also be given as a day. The length follows from the formats, and not every generator has one beside `anyOf`. */
const asGiven = (schema: Json): Json => {
  if (schema["format"] !== "date-time") return schema;
  const { format: _, minLength: __, maxLength: ___, ...rest } = schema;
  return { ...rest, anyOf: ["date-time", "date"].map((format) => ({ type: "string", format })) };
};

/** The generator's output, with description and example moved to the parameter, where every reader looks for them. */
const complete = (parameter: Parameter): Parameter => {
  const { description: ofSchema, examples: _, ...schema } = parameter.schema;
  const description = parameter.description ?? (typeof ofSchema === "string" ? ofSchema : "");
  return { ...parameter, description, schema: asGiven(schema), example: exampleOf(parameter) };
};

const schemaOf = (field: z.ZodType): Json => {
  const { $schema: _, ...schema } = z.toJSONSchema(field, { io: "input" });
  return schema;
};

/** The parameters of a route's query, for operations the generator does not write them for. */
export const queryOf = (route: Route): Parameter[] =>
  Object.entries<z.ZodType>(requestSchema(route).shape as Record<string, z.ZodType>)
    .filter(([name]) => parameterLocation(route, name) === "query")
    .map(([name, field]) => ({
      in: "query",
      name,
      required: !field.safeParse(undefined).success,
      schema: schemaOf(field),
    }));

/**
 * Every parameter of a route.
 * @param generated parameters generated from the route's schemas
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

type Row = Readonly<Record<string, unknown>>;

/** The fields of an object, those of objects inside it by both names. */
const cellsOf = (row: Row, before = ""): [string, string][] =>
  Object.entries(row).flatMap(([name, value]) =>
    isRecord(value) ? cellsOf(value, `${before}${name}_`) : [[`${before}${name}`, String(value)] as [string, string]],
  );

/** A list as a CSV file; the examples of the contract need no quotes. */
const csvOf = (list: unknown): string => {
  const [row] = Array.isArray(list) ? list.filter(isRecord) : [];
  const cells = cellsOf(row ?? {});
  return `${cells.map(([name]) => name).join(",")}\r\n${cells.map(([, text]) => text).join(",")}\r\n`;
};

interface BodyExample {
  readonly isRequired: boolean;
  readonly example: Row;
  /** The same as CSV, where the route reads it. */
  readonly csv?: string;
}

/** The body of a POST, from the examples of its parameters. */
export const bodyOf = (route: Route): BodyExample => {
  const fields = Object.entries<z.ZodType>(route.input.shape as Record<string, z.ZodType>).filter(
    ([name]) => parameterLocation(route, name) === "body",
  );
  const example = Object.fromEntries(
    fields.map(([name, field]) => [name, z.toJSONSchema(field, { io: "input", unrepresentable: "any" }).examples?.[0]]),
  );
  return {
    isRequired: fields.some(([, field]) => !field.safeParse(undefined).success),
    example,
    ...(route.body ? { csv: csvOf(example[route.body.csv.list]) } : {}),
  };
};

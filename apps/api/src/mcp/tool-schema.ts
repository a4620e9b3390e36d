/** A route's schemas as JSON Schema for tools: without what is only for our own documents. */
import type { Route } from "@assay/contract";
import type { Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { TRUNCATED } from "./short-lists.ts";

/** A JSON schema of an object, as the protocol has it. */
type ObjectSchema = Tool["inputSchema"];

/** Annotations of our documents. An `id` would be read as a schema's address. */
const OURS = ["id", "override", "x-extensible-enum", "x-closed-enum", "x-words"];

type Json = Record<string, unknown>;

/** Leaves a schema what a language model reads and a validator checks. */
const simplify = (schema: Json): void => {
  const known = schema["x-extensible-enum"] ?? schema["x-closed-enum"] ?? schema["x-words"];
  if (Array.isArray(known)) schema["examples"] = known;
  for (const name of OURS) delete schema[name];
  // Validators warn of formats they do not know. A pattern that repeats the calendar is long, and its format says as much.
  if (schema["format"] === "decimal") delete schema["format"];
  else if (schema["format"] !== undefined) delete schema["pattern"];
  if (schema["minimum"] === Number.MIN_SAFE_INTEGER) delete schema["minimum"];
  if (schema["maximum"] === Number.MAX_SAFE_INTEGER) delete schema["maximum"];
};

const schemaOf = (schema: z.ZodType, io: "input" | "output"): ObjectSchema => {
  const {
    $schema: _,
    $ref,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => simplify(jsonSchema as Json), // JSON
  });
  if ($ref === undefined) return json as ObjectSchema; // the contract's test checks that inputs and outputs of tools are objects
  // A schema with an id is a definition of its own; clients want the object itself.
  const { [$ref.slice("#/$defs/".length)]: root, ...$defs } = json.$defs ?? {};
  return { ...(root as ObjectSchema), ...(Object.keys($defs).length === 0 ? {} : { $defs }) }; // as above
};

/** What a tool takes: the route's parameters, wherever REST has them. */
export const inputSchemaOf = (route: Route): ObjectSchema => schemaOf(route.input, "input");

/** What a tool answers: the route's answer, and a note when a list was cut. */
export const outputSchemaOf = (route: Route): ObjectSchema => {
  const schema = schemaOf(route.output, "output");
  return { ...schema, properties: { ...schema.properties, truncated: TRUNCATED } };
};

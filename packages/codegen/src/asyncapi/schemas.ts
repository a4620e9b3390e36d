/** The messages' schemas in the JSON Schema that AsyncAPI takes, draft 7. */
import { z } from "zod";
import { MESSAGES } from "./messages.ts";

const LEFT_OUT: ReadonlySet<string> = new Set(["$schema", "$id", "definitions"]);

/** Refers to shared schemas where the document keeps them, and leaves out what only whole schemas have. */
const placed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(placed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      // A property may be called id as well; it is a schema then.
      if (LEFT_OUT.has(key) || (key === "id" && typeof inner === "string")) return [];
      if (key === "$ref" && typeof inner === "string") return [[key, inner.replace("#/definitions/", "#/components/schemas/")]];
      return [[key, placed(inner)]];
    }),
  );
};

/** The name of a schema in the document. */
export const schemaName = (message: string): string => MESSAGES[message]?.schema.meta()?.id ?? message;

/** Every schema by name, those that messages share among them. */
export const messageSchemas = (): Record<string, unknown> => {
  const schemas: Record<string, unknown> = {};
  for (const [name, { schema }] of Object.entries(MESSAGES)) {
    const json = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
    const shared = Object.entries(json.definitions ?? {});
    for (const [id, inner] of shared) schemas[id] = placed(inner);
    // A schema with an id of its own may stand among the shared ones, with nothing but a reference to it outside.
    schemas[schemaName(name)] ??= placed(json);
  }
  return schemas;
};

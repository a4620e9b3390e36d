/** Message schemas in JSON Schema draft 7, the version AsyncAPI uses. */
import { z } from "zod";
import { MESSAGES } from "./messages.ts";

const LEFT_OUT: ReadonlySet<string> = new Set(["$schema", "$id", "definitions"]);

/** Points references at the document's shared schemas, and drops keywords that only a root schema may have. */
const placed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(placed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      // Under `properties`, `id` can be a property's name; its value is then a schema.
      if (LEFT_OUT.has(key) || (key === "id" && typeof inner === "string")) return [];
      if (key === "$ref" && typeof inner === "string") return [[key, inner.replace("#/definitions/", "#/components/schemas/")]];
      return [[key, placed(inner)]];
    }),
  );
};

/** A schema's name in the document. */
export const schemaName = (message: string): string => MESSAGES[message]?.schema.meta()?.id ?? message;

/** Every schema by name, including those shared between messages. */
export const messageSchemas = (): Record<string, unknown> => {
  const schemas: Record<string, unknown> = {};
  for (const [name, { schema }] of Object.entries(MESSAGES)) {
    const json = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
    const shared = Object.entries(json.definitions ?? {});
    for (const [id, inner] of shared) schemas[id] = placed(inner);
    // A schema with its own id may be moved to the shared ones, leaving only a reference in its place.
    schemas[schemaName(name)] ??= placed(json);
  }
  return schemas;
};

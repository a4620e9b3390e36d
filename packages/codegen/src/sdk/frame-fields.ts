/** Required fields of each stream frame with their JSON types, for a client that validates what it reads. */
import type { JsonSchema } from "./read-schema.ts";

/** The type of a field: `count` is a whole number from 0 up, `counts` an object of counts; an object lists its own fields. */
export type FieldKind = "text" | "number" | "count" | "boolean" | "list" | "counts" | FieldKinds;

/** Required fields by name. */
export interface FieldKinds {
  readonly [field: string]: FieldKind;
}

const PLAIN = { string: "text", number: "number", boolean: "boolean", array: "list" } as const;

const isCount = ({ type, minimum }: JsonSchema): boolean => type === "integer" && minimum === 0;

/** Null where a value may have several types: then only its presence is checked. */
const kindOf = (schema: JsonSchema, defs: JsonSchema["$defs"]): FieldKind | null => {
  const { type, additionalProperties } = schema;
  if (schema.$ref !== undefined || schema.properties !== undefined) return requiredFields(schema, defs);
  if (isCount(schema)) return "count";
  if (type === "integer") return "number";
  if (typeof additionalProperties === "object" && isCount(additionalProperties)) return "counts";
  return typeof type === "string" && type in PLAIN ? PLAIN[type as keyof typeof PLAIN] : null; // just checked
};

/**
 * Reads the required fields of an object.
 * @param schema an object's schema, or a reference to one
 * @param defs targets of references; defaults to the schema's own
 */
export const requiredFields = (schema: JsonSchema, defs: JsonSchema["$defs"] = schema.$defs): FieldKinds => {
  const { properties = {}, required = [] } =
    schema.$ref === undefined ? schema : (defs?.[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const kinds = required.map((name) => [name, kindOf(properties[name] ?? {}, defs)] as const);
  return Object.fromEntries(kinds.filter((entry): entry is readonly [string, FieldKind] => entry[1] !== null));
};

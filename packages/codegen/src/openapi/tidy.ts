/** Simplifies schemas: drops patterns that repeat the format, and bounds that exclude nothing. */
import type { Json } from "./types.ts";

/** The bounds of safe integers in JSON; they carry no information about a figure. */
const UNBOUNDED: Readonly<Record<string, number>> = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** Calendar patterns, by the format they repeat. */
const SHORT_PATTERNS: Readonly<Record<string, string | null>> = { date: null, "date-time": "Z$" };

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Rewrites `anyOf: [one, null]` as one schema with two types: equivalent, and it reads as a nullable field. */
const nullable = (schema: Json): Json => {
  const [first, second, ...more] = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  if (more.length > 0 || !isObject(first) || !isObject(second) || second["type"] !== "null") return schema;
  if (typeof first["type"] !== "string" || "enum" in first) return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...first, ...rest, type: [first["type"], "null"] };
};

const tidyObject = (given: Json): Json => {
  const schema = nullable(given);
  const kept = Object.entries(schema).filter(([name, value]) => UNBOUNDED[name] === undefined || UNBOUNDED[name] !== value);
  const tidied = Object.fromEntries(kept.map(([name, value]) => [name, tidy(value)]));
  const format = schema["format"];
  const short = typeof format === "string" && "pattern" in schema ? SHORT_PATTERNS[format] : undefined;
  if (short === null) delete tidied["pattern"];
  else if (short !== undefined) tidied["pattern"] = short;
  return tidied;
};

/** Simplifies a schema, or any JSON that contains schemas, without changing its meaning. */
export const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy);
  return isObject(value) ? tidyObject(value) : value;
};

/** Schemas as a reader wants them: what the format says already, and what bounds nothing, is left out. */
import type { Json } from "./types.ts";

/** JSON's own bounds of an exact integer; they say nothing about a figure. */
const UNBOUNDED: Readonly<Record<string, number>> = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** Patterns that spell out the calendar, by the format beside them. */
const SHORT_PATTERNS: Readonly<Record<string, string | null>> = { date: null, "date-time": "Z$" };

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** `anyOf: [one, null]` as one schema of two types; it loses nothing and reads as a field that may be null. */
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

/** A schema, or any JSON with schemas in it, made shorter without saying less. */
export const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy);
  return isObject(value) ? tidyObject(value) : value;
};

/** Decodes wire values into SDK values, by the shapes of the generated tables. */
import { isRecord } from "./is-record.ts";
import { type FieldsShape, readList, type Shape } from "./operation.ts";
import { PublishedDecimal } from "./published-decimal.ts";

/**
 * The SDK's name of a wire field: `price_gram_24k` becomes `priceGram24k`.
 * @param name snake_case
 * @returns camelCase
 */
export const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Decodes one wire value. Null and absent are kept. Throws a TypeError that begins with where in the value it is wrong. */
export type Decode = (value: unknown) => unknown;

const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

/** Longer text is not quoted: it may be anything, a key included. */
const LONGEST_QUOTE = 20;

const refuse = (expected: string, found: unknown): never => {
  const kind = Array.isArray(found) ? "array" : typeof found;
  const isQuoted = kind === "number" || kind === "boolean" || (typeof found === "string" && found.length <= LONGEST_QUOTE);
  throw new TypeError(`: expected ${expected}, found ${isQuoted ? JSON.stringify(found) : kind}`);
};

/** Decodes a part of a value. */
const decodePart = (place: string, decode: Decode, value: unknown): unknown => {
  try {
    return decode(value);
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : "";
    throw new TypeError(`${place}${/^[:[]/.test(message) ? "" : "."}${message}`);
  }
};

/** How one field is decoded: its SDK name, and its decoder; null when the value is kept. */
interface Field {
  readonly name: string;
  readonly decode: Decode | null;
}

/** Fields a newer service adds are cached per shape; limited, so that a body of made-up names cannot fill the memory. */
const MOST_UNLISTED_FIELDS = 256;

const compiled = new WeakMap<object, Decode>();

/** Sets a key that comes from data: assigning to `__proto__` would not create a key. */
const put = (target: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
};

const decodeDecimal: Decode = (value) => {
  if (value === null || value === undefined) return value;
  return typeof value === "string" && PLAIN_DECIMAL.test(value)
    ? new PublishedDecimal(value)
    : refuse("plain decimal text", value);
};

const decodeText: Decode = (value) => (typeof value === "string" ? value : refuse("text", value));

const decodeInstant: Decode = (value) => {
  if (value === null || value === undefined) return value;
  const instant = new Date(typeof value === "string" && INSTANT.test(value) ? value : Number.NaN);
  return Number.isNaN(instant.getTime()) ? refuse("an ISO-8601 instant", value) : instant;
};

const listDecoder = (item: Shape): Decode => {
  const decode = decoderOf(item);
  return (value) => {
    if (value === null || value === undefined || decode === null) return value;
    if (!Array.isArray(value)) return refuse("an array", value);
    return value.map((each, place) => decodePart(`[${place}]`, decode, each));
  };
};

const recordDecoder = (item: Shape): Decode => {
  const decode = decoderOf(item);
  return (value) => {
    if (value === null || value === undefined || decode === null) return value;
    if (!isRecord(value)) return refuse("an object", value);
    const decoded: Record<string, unknown> = {};
    for (const key of Object.keys(value)) put(decoded, key, decodePart(key, decode, value[key]));
    return decoded;
  };
};

const fieldsDecoder = ({ fields, parts = {} }: FieldsShape): Decode => {
  const list = readList(fields);
  const required = list.filter(({ mark }) => mark !== "~");
  const listed = new Map<string, Field>();
  const unlisted = new Map<string, Field>();
  const shapes: [string, Shape][] = list.map(({ name, kind }) => [
    name,
    kind === "decimal" || kind === "instant" ? kind : "same",
  ]);
  for (const [key, shape] of [...shapes, ...Object.entries(parts)])
    listed.set(key, { name: camelCase(key), decode: decoderOf(shape) });
  const meet = (key: string): Field => {
    const field = { name: camelCase(key), decode: null };
    if (unlisted.size < MOST_UNLISTED_FIELDS) unlisted.set(key, field);
    return field;
  };
  return (value) => {
    if (value === null || value === undefined) return value;
    if (!isRecord(value)) return refuse("an object", value);
    // Read as absent, it would be a claim that nobody made: not stale, no more pages.
    for (const { name, mark } of required)
      if (value[name] === undefined || (value[name] === null && mark === ""))
        throw new TypeError(`${name}: missing${value[name] === null ? " (null)" : ""}`);
    const decoded: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const field = listed.get(key) ?? unlisted.get(key) ?? meet(key);
      const wire = value[key];
      put(decoded, field.name, field.decode === null ? wire : decodePart(key, field.decode, wire));
    }
    return decoded;
  };
};

const compile = (shape: Exclude<Shape, string>): Decode => {
  if ("list" in shape) return listDecoder(shape.list);
  if ("record" in shape) return recordDecoder(shape.record);
  return fieldsDecoder(shape);
};

/**
 * The decoder of a shape, created once.
 * @param shape the shape
 * @returns null when the value is kept unchanged
 */
export const decoderOf = (shape: Shape): Decode | null => {
  if (shape === "same") return null;
  if (shape === "text") return decodeText;
  if (shape === "decimal") return decodeDecimal;
  if (shape === "instant") return decodeInstant;
  const known = compiled.get(shape);
  if (known !== undefined) return known;
  const decode = compile(shape);
  compiled.set(shape, decode);
  return decode;
};

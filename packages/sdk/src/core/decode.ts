/** Decodes wire values into SDK values, by the shapes of the generated tables. */
import { isRecord } from "./is-record.ts";
import type { Shape } from "./operation.ts";
import { PublishedDecimal } from "./published-decimal.ts";

/**
 * The SDK's name of a wire field: `price_gram_24k` becomes `priceGram24k`.
 * @param name snake_case
 * @returns camelCase
 */
export const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Decodes one wire value. Null and absent are kept. */
export type Decode = (value: unknown) => unknown;

/** How one field is decoded: its SDK name, and its decoder; null when the value is kept. */
interface Field {
  readonly name: string;
  readonly decode: Decode | null;
}

type FieldsShape = Extract<Shape, { fields: unknown }>;

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
  if (typeof value !== "string") throw new TypeError(`expected decimal text, found ${typeof value}`);
  return new PublishedDecimal(value);
};

const decodeText: Decode = (value) => {
  if (typeof value !== "string") throw new TypeError(`expected text, found ${typeof value}`);
  return value;
};

const decodeInstant: Decode = (value) => {
  if (value === null || value === undefined) return value;
  const instant = new Date(typeof value === "string" ? value : Number.NaN);
  if (Number.isNaN(instant.getTime())) throw new TypeError("expected an ISO-8601 instant");
  return instant;
};

const listDecoder = (item: Shape): Decode => {
  const decode = decoderOf(item);
  return (value) => {
    if (value === null || value === undefined || decode === null) return value;
    if (!Array.isArray(value)) throw new TypeError(`expected an array, found ${typeof value}`);
    return value.map((each) => decode(each));
  };
};

const recordDecoder = (item: Shape): Decode => {
  const decode = decoderOf(item);
  return (value) => {
    if (value === null || value === undefined || decode === null) return value;
    if (!isRecord(value)) throw new TypeError(`expected an object, found ${typeof value}`);
    const decoded: Record<string, unknown> = {};
    for (const key of Object.keys(value)) put(decoded, key, decode(value[key]));
    return decoded;
  };
};

const fieldsDecoder = ({ fields, required = [] }: FieldsShape): Decode => {
  const listed = new Map<string, Field>();
  const unlisted = new Map<string, Field>();
  for (const [key, shape] of Object.entries(fields)) listed.set(key, { name: camelCase(key), decode: decoderOf(shape) });
  const meet = (key: string): Field => {
    const field = { name: camelCase(key), decode: null };
    if (unlisted.size < MOST_UNLISTED_FIELDS) unlisted.set(key, field);
    return field;
  };
  return (value) => {
    if (value === null || value === undefined) return value;
    if (!isRecord(value)) throw new TypeError(`expected an object, found ${Array.isArray(value) ? "an array" : typeof value}`);
    if (required.length > 0 && !required.some((key) => Object.hasOwn(value, key)))
      throw new TypeError(`expected ${required.slice(0, 3).join(" or ")}`);
    const decoded: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const field = listed.get(key) ?? unlisted.get(key) ?? meet(key);
      const wire = value[key];
      put(decoded, field.name, field.decode === null ? wire : field.decode(wire));
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

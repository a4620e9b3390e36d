/** Encodes parameters. A value that cannot be encoded is refused here, by name. */
import type { ParameterKind } from "./operation.ts";

/** Encodes one value; the name is for the error. */
type Encode = (value: unknown, name: string) => string;

const refuse = (name: string, expected: string): never => {
  throw new TypeError(`${name} must be ${expected}`);
};

const encodeText: Encode = (value, name) =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
    ? String(value)
    : refuse(name, "text, a number or a boolean");

/** 1e-7 as 0.0000001: the service reads plain notation only. */
const plainNumber = (value: number): string => {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = "", whole = "", fraction = "", exponentText] = match;
  const exponent = Number(exponentText);
  const digits = `${whole}${fraction}`;
  return exponent < 0
    ? `${sign}0.${"0".repeat(-exponent - 1)}${digits}`
    : `${sign}${digits}${"0".repeat(exponent - fraction.length)}`;
};

/** Any decimal class works: decimal.js and its relatives write plain notation by `toFixed()`. */
const isDecimal = (value: unknown): value is { toFixed(): string } =>
  typeof value === "object" && value !== null && "toFixed" in value && typeof value.toFixed === "function";

const encodeDecimal: Encode = (value, name) => {
  if (typeof value === "number") return plainNumber(value);
  if (typeof value === "string" || typeof value === "bigint") return String(value);
  return isDecimal(value) ? value.toFixed() : refuse(name, "a number, decimal text or a Decimal");
};

const writeInstant = (value: Date, name: string): string =>
  Number.isNaN(value.getTime()) ? refuse(name, "a valid Date") : value.toISOString();

const encodeInstant: Encode = (value, name) => {
  if (typeof value === "string") return value;
  return value instanceof Date ? writeInstant(value, name) : refuse(name, "a Date or ISO-8601 text");
};

const encodeDay: Encode = (value, name) => {
  if (typeof value === "string") return value;
  return value instanceof Date
    ? writeInstant(value, name).replace(/T.*$/, "")
    : refuse(name, "a YYYY-MM-DD day, or a Date whose UTC day is meant");
};

const encodeWords: Encode = (value, name) => {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return refuse(name, "a word or an array of words");
  return value.map((word: unknown) => (typeof word === "string" ? word : refuse(name, "an array of words"))).join(",");
};

/** The encoder of each kind. */
export const ENCODERS: Readonly<Record<ParameterKind, Encode>> = {
  text: encodeText,
  decimal: encodeDecimal,
  instant: encodeInstant,
  day: encodeDay,
  words: encodeWords,
};

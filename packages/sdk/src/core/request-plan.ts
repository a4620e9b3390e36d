/** Prepares an operation once: how its request is written from parameters, and how its answer is read. */

import type { Answer } from "./answer.ts";
import type { Present } from "./api-promise.ts";
import { camelCase, decoderOf } from "./decode.ts";
import { isRecord } from "./is-record.ts";
import { type FieldsShape, type Operation, type ParameterKind, readList, type Shape } from "./operation.ts";
import type { Query } from "./options.ts";

/** Encodes one value; the name is for the error. */
type Encode = (value: unknown, name: string) => string;

const refuse = (name: string, expected: string): never => {
  throw new TypeError(`${name} must be ${expected}`);
};

const encodeText: Encode = (value, name) =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
    ? String(value)
    : refuse(name, "text, a number or a boolean");

/** 1e-7 as 0.0000001: the service reads exponents of two digits at most. */
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

const encodeInstant: Encode = (value, name) => {
  if (typeof value === "string") return value;
  if (!(value instanceof Date)) return refuse(name, "a Date or ISO-8601 text");
  return Number.isNaN(value.getTime()) ? refuse(name, "a valid Date") : value.toISOString();
};

const encodeDay: Encode = (value, name) => {
  if (typeof value === "string") return value;
  // Midnight of a caller in Tokyo is the day before in UTC.
  const why = value instanceof Date ? ": a Date is another day in another time zone" : "";
  return refuse(name, `a day as text, YYYY-MM-DD${why}`);
};

const encodeWords: Encode = (value, name) => {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return refuse(name, "a word or an array of words");
  return value.map((word: unknown) => (typeof word === "string" ? word : refuse(name, "an array of words"))).join(",");
};

/** The encoder of each kind. */
const ENCODERS: Readonly<Record<ParameterKind, Encode>> = {
  same: encodeText,
  decimal: encodeDecimal,
  instant: encodeInstant,
  day: encodeDay,
  words: encodeWords,
};

/** A field's name on the wire: `marginPercent` becomes `margin_percent`. */
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** An amount within an object: the service refuses numbers, since one may have lost digits. */
const encodeAmount: Encode = (value, name) => {
  if (typeof value === "string" || typeof value === "bigint") return String(value);
  return isDecimal(value) ? value.toFixed() : refuse(name, "decimal text or a Decimal");
};

/** The shape of a field that is given: amounts are decimals, and its objects are parts. */
const givenShape = ({ fields, parts }: FieldsShape, name: string): Shape =>
  parts?.[name] ?? (` ${fields}`.includes(` ${name}:d`) ? "decimal" : "same");

/** Encodes a value by its shape, the reverse of how answers are decoded; what is undefined is left out. */
const encodeShaped = (shape: Shape, value: unknown, name: string): unknown => {
  if (shape === "decimal") return encodeAmount(value, name);
  if (typeof shape === "string") return value;
  if ("list" in shape) {
    if (!Array.isArray(value)) return refuse(name, "an array");
    return value.map((each: unknown, place) => encodeShaped(shape.list, each, `${name}[${place}]`));
  }
  if (!isRecord(value)) return refuse(name, "an object");
  const shapeOf = (key: string): Shape => ("record" in shape ? shape.record : givenShape(shape, key));
  return Object.fromEntries(
    Object.entries(value).flatMap(([own, inner]) => {
      const key = "record" in shape ? own : snakeCase(own);
      return inner === undefined ? [] : [[key, encodeShaped(shapeOf(key), inner, `${name}.${own}`)]];
    }),
  );
};

/**
 * Adds parameters to a path and query.
 * @param target may have a query
 * @param extra by their names on the wire
 * @throws TypeError naming a parameter that is neither text, a number nor a boolean
 */
export const withQuery = (target: string, extra: Query = {}): string =>
  Object.entries(extra).reduce(
    (all, [name, value]) =>
      value === undefined
        ? all
        : `${all}${all.includes("?") ? "&" : "?"}${escapeText(name, name)}=${escapeText(encodeText(value, name), name)}`,
    target,
  );

/** One request, without its headers. */
export interface RequestParts {
  /** Path and query, without the base URL. */
  readonly target: string;
  /** JSON text; undefined when the operation has no body. */
  readonly body: string | undefined;
}

/** A prepared operation. */
export interface RequestPlan {
  readonly write: (params: object) => RequestParts;
  readonly present: Present<unknown>;
}

const plans = new WeakMap<object, RequestPlan>();

const escapeText = (text: string, name: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new TypeError(`${name} must be well-formed Unicode text`);
  }
};

/** An empty or dotted segment would be another path. */
const escapePiece = (text: string, name: string): string => {
  if (text === "" || text === "." || text === "..") throw new TypeError(`${name} must not be ${JSON.stringify(text)}`);
  return escapeText(text, name);
};

/** Where one parameter goes in the request. */
interface Parameter {
  readonly in: "path" | "query" | "body";
  readonly name: string;
  readonly kind: ParameterKind | Exclude<Shape, string>;
}

/** Those of an operation, by their SDK names. */
const parametersOf = ({ method, path, parameters, parts = {} }: Operation<unknown, unknown>): Map<string, Parameter> => {
  const elsewhere = method === "POST" || method === "PATCH" ? "body" : "query";
  return new Map(
    readList(parameters).map(({ name, kind }) => {
      const part = parts[name];
      const place = path.includes(`{${name}}`) ? "path" : elsewhere;
      return [camelCase(name), { in: place, name, kind: typeof part === "object" ? part : kind }];
    }),
  );
};

const writer = (operated: Operation<unknown, unknown>): RequestPlan["write"] => {
  const { name: operation, path, format } = operated;
  const known = parametersOf(operated);
  const takesBody = [...known.values()].some((parameter) => parameter.in === "body");
  const [head = "", ...rest] = path.split(/[{}]/);
  const named = new Map([...known].map(([name, parameter]) => [parameter.name, name]));
  /** Pairs of a path parameter and the text that follows it. */
  const pieces = Array.from({ length: rest.length / 2 }, (_, index) => {
    const wireName = rest[2 * index] ?? "";
    return [named.get(wireName) ?? wireName, rest[2 * index + 1] ?? ""] as const;
  });

  return (params) => {
    let query = format === undefined ? "" : `?format=${format}`;
    let inPath: Map<string, string> | undefined;
    let body: Record<string, unknown> | undefined;
    for (const [name, value] of Object.entries(params) as [string, unknown][]) {
      const parameter = known.get(name);
      if (parameter === undefined) throw new TypeError(`${operation} has no parameter ${JSON.stringify(name)}`);
      if (value === undefined) continue;
      if (value === null) throw new TypeError(`${name} must not be null; leave it out instead`);
      if (parameter.kind === "words" && Array.isArray(value) && value.length === 0) continue;
      if (typeof parameter.kind === "object") {
        body = { ...body, [parameter.name]: encodeShaped(parameter.kind, value, name) };
        continue;
      }
      const text = ENCODERS[parameter.kind](value, name);
      if (parameter.in === "query") query += `${query === "" ? "?" : "&"}${parameter.name}=${escapeText(text, name)}`;
      else if (parameter.in === "path") inPath = (inPath ?? new Map()).set(name, escapePiece(text, name));
      else body = { ...body, [parameter.name]: parameter.kind === "same" ? value : text };
    }
    let target = head;
    for (const [name, tail] of pieces) {
      const text = inPath?.get(name);
      if (text === undefined) throw new TypeError(`${operation} needs the parameter ${JSON.stringify(name)}`);
      target += `${text}${tail}`;
    }
    return { target: `${target}${query}`, body: takesBody && body !== undefined ? JSON.stringify(body) : undefined };
  };
};

const presenter = ({ result }: Operation<unknown, unknown>): Present<unknown> => {
  if (result === null) return () => undefined;
  const decode = decoderOf(result);
  return (answer: Answer) => {
    const { body } = answer;
    if (body === undefined) throw answer.unreadable("has no body");
    if (decode === null) return body;
    if (body === null) throw answer.unreadable("holds nothing");
    try {
      return decode(body);
    } catch (fault) {
      const where = fault instanceof Error ? fault.message.replace(/^: /, "") : "unknown";
      throw answer.unreadable(`does not match the contract (${where})`);
    }
  };
};

/**
 * The plan of an operation, created once.
 * @param operation the table's entry
 */
export const planOf = (operation: Operation<unknown, unknown>): RequestPlan => {
  const known = plans.get(operation);
  if (known !== undefined) return known;
  const plan = { write: writer(operation), present: presenter(operation) };
  plans.set(operation, plan);
  return plan;
};

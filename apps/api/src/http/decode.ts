/** Decodes raw parameters into a route's input: strict, by each field's JSON type, prepared once when the route is mounted. */
import {
  type AnswerFormat,
  type BodyForm,
  type FailWith,
  FORMAT_PARAMETER,
  isRecord,
  type ParameterLocation,
  parameterLocation,
  parseGiven,
  type Route,
  requestSchema,
  takesBody,
  unrecognizedParameters,
  type ValidationIssue,
} from "@assay/contract";
import type { FailInput } from "@assay/services";
import { z } from "zod";

type Read = (text: string) => unknown;

const INTEGER = /^[0-9]+$/;
const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/;
/** The value of a text that is not of its field's type. */
const MALFORMED = Symbol("malformed");

const readObject: Read = (text) => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : MALFORMED;
  } catch {
    return MALFORMED;
  }
};

const READERS: Record<string, { readonly read: Read; readonly expected: string }> = {
  integer: { read: (text) => (INTEGER.test(text) ? Number(text) : MALFORMED), expected: "must be a whole number in digits" },
  number: { read: (text) => (NUMBER.test(text) ? Number(text) : MALFORMED), expected: "must be a plain decimal number" },
  boolean: { read: (text) => (text === "true" ? true : text === "false" ? false : MALFORMED), expected: "must be true or false" },
  string: { read: (text) => text, expected: "must be text" },
  object: { read: readObject, expected: "must be an object as JSON" },
};

const jsonTypeOf = (schema: z.ZodType): string => {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return typeof json.type === "string" ? json.type : "string";
};

interface Field {
  readonly name: string;
  readonly location: ParameterLocation;
  readonly read: Read;
  readonly expected: string;
}

export interface RawParameters {
  readonly path: Readonly<Record<string, string>>;
  /** The query string without its question mark. */
  readonly query: string;
  /** The parsed body; undefined for routes that do not read one. */
  readonly body?: unknown;
}

/** Decodes and validates a route's parameters; refuses when any is invalid. */
export type Decoder = (raw: RawParameters, fail: FailWith<"validation_error">) => unknown;

const EMPTY: ReadonlyMap<string, string[]> = new Map();

/** Without anything to decode, splitting gives the same result as URLSearchParams, faster. */
const PLAIN_QUERY = /^[\w.~:/,@!$'()*;?=&-]*$/;

const add = (values: Map<string, string[]>, name: string, value: string): void => {
  const known = values.get(name);
  if (known) known.push(value);
  else values.set(name, [value]);
};

const readQuery = (query: string): ReadonlyMap<string, string[]> => {
  if (query === "") return EMPTY;
  const values = new Map<string, string[]>();
  if (PLAIN_QUERY.test(query)) {
    for (const pair of query.split("&")) {
      if (pair === "") continue;
      const cut = pair.indexOf("=");
      add(values, cut === -1 ? pair : pair.slice(0, cut), cut === -1 ? "" : pair.slice(cut + 1));
    }
    return values;
  }
  for (const [name, value] of new URLSearchParams(query)) add(values, name, value);
  return values;
};

/**
 * Creates the decoder of a route.
 * @param route its declaration; the schemas are not modified
 */
export const decoderOf = (route: Route, form: BodyForm = "json"): Decoder => {
  const elsewhere: ParameterLocation = takesBody(route) ? "body" : "query";
  const schema = requestSchema(route);
  const fields: Field[] = Object.entries(schema.shape).map(([name, field]) => {
    const reader = READERS[jsonTypeOf(field as z.ZodType)] ?? READERS["string"]; // a zod object's shape holds zod types
    return {
      name,
      location: parameterLocation(route, name, form),
      read: reader?.read ?? String,
      expected: reader?.expected ?? "",
    };
  });
  const locations = new Map(fields.map((field) => [field.name, field.location]));
  const readsQuery = fields.some(({ location }) => location === "query");
  const unknownInQuery = unrecognizedParameters(route, "query", form);
  const unknownInBody = unrecognizedParameters(route, "body", form);

  return (raw, fail) => {
    const issues: ValidationIssue[] = [];
    const values: Record<string, unknown> = {};
    // Pages without query parameters do not parse the query.
    const query = readsQuery ? readQuery(raw.query) : EMPTY;
    if (elsewhere === "body" && raw.body !== undefined && !isRecord(raw.body)) {
      return fail("validation_error", { issues: [{ path: ["body"], code: "invalid_type", message: "must be a JSON object" }] });
    }
    const unknown = [...unknownInQuery(query.keys()), ...(isRecord(raw.body) ? unknownInBody(Object.keys(raw.body)) : [])];
    for (const { name, location, read, expected } of fields) {
      if (location === "body") {
        if (isRecord(raw.body) && Object.hasOwn(raw.body, name)) values[name] = raw.body[name];
        continue;
      }
      const given = location === "path" ? [raw.path[name] ?? ""] : (query.get(name) ?? []);
      const [text] = given;
      if (text === undefined) continue;
      if (given.length > 1) {
        issues.push({ path: [location, name], code: "repeated", message: "must be given once" });
        continue;
      }
      const value = read(text);
      if (value === MALFORMED) issues.push({ path: [location, name], code: "invalid_type", message: expected });
      else values[name] = value;
    }
    const parsed = parseGiven(schema, values);
    if (parsed.success && issues.length === 0 && unknown.length === 0) return parsed.data;
    const named = new Set(issues.map((issue) => issue.path[1]));
    for (const issue of parsed.error?.issues ?? []) {
      const [name, ...rest] = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
      if (named.has(name)) continue;
      issues.push({
        path: [locations.get(String(name)) ?? elsewhere, name ?? "", ...rest],
        code: issue.code,
        message: issue.code === "invalid_type" && (values[String(name)] ?? null) === null ? "is required" : issue.message,
      });
    }
    return fail("validation_error", { issues: [...unknown, ...issues] });
  };
};

/** The format a decoded request names; undefined when it names none. */
export const formatIn = (input: unknown): AnswerFormat | undefined =>
  isRecord(input) ? (input[FORMAT_PARAMETER] as AnswerFormat | undefined) : undefined; // validated by the request's schema

/**
 * A route's parsed input.
 * @param place what the transport calls its parameters; issues name it
 */
export const readJsonInput = (route: Route, input: unknown, place: "input" | "arguments", fail: FailInput): unknown => {
  const parsed = parseGiven(route.input, input ?? {});
  const unknown = isRecord(input) ? unrecognizedParameters(route, place)(Object.keys(input)) : [];
  if (parsed.success && unknown.length === 0) return parsed.data;
  const issues = (parsed.error?.issues ?? []).map(({ path, code, message }) => ({
    path: [place, ...path.map((part) => (typeof part === "symbol" ? String(part) : part))],
    code,
    message,
  }));
  return fail("validation_error", { issues: [...unknown, ...issues] });
};

/** Precomputes the parts of an operation: its path segments, its parameters' encoders, its answer's decoder. */
import type { Answer } from "./answer.ts";
import type { Present } from "./api-promise.ts";
import { decoderOf } from "./decode.ts";
import { ENCODERS } from "./encode.ts";
import type { Operation, Parameter } from "./operation.ts";

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

const writer = ({ name: operation, path, format, parameters }: Operation<unknown, unknown>): RequestPlan["write"] => {
  const known = new Map<string, Parameter>(Object.entries(parameters));
  const takesBody = Object.values(parameters).some((parameter) => parameter.in === "body");
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
      const text = ENCODERS[parameter.kind](value, name);
      if (parameter.in === "query") query += `${query === "" ? "?" : "&"}${parameter.name}=${escapeText(text, name)}`;
      else if (parameter.in === "path") inPath = (inPath ?? new Map()).set(name, escapePiece(text, name));
      else body = { ...body, [parameter.name]: parameter.kind === "text" ? value : text };
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
      throw answer.unreadable(`does not match the contract (${fault instanceof Error ? fault.message : "unknown"})`);
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

/** One operation of the API, as the generated tables describe it to the core. */
import type { Shape } from "./shape.ts";

/** How a parameter is encoded in the request. */
export type ParameterKind =
  /** Strings, numbers and booleans unchanged. */
  | "text"
  /** A number, decimal text or a Decimal, in plain notation without an exponent. */
  | "decimal"
  /** A Date or ISO-8601 text. */
  | "instant"
  /** A UTC calendar day: YYYY-MM-DD text, or a Date whose UTC day it is. */
  | "day"
  /** Several words, joined by commas. */
  | "words";

/** Where one parameter goes in the request. */
export interface Parameter {
  readonly in: "path" | "query" | "body";
  /** Its name on the wire. */
  readonly name: string;
  readonly kind: ParameterKind;
}

/** How a list is paged: newest first, by cursor. Names are those of the wire. */
export interface Paging {
  /** The field that holds the rows. */
  readonly items: string;
  /** The field of a row that orders the list; absent when it is not ordered by time. */
  readonly at?: string;
  /**
   * The least distance between two rows: a fixed interval, or the parameter that names it. Without it `order` is not supported.
   */
  readonly step?: { readonly interval: string } | { readonly parameter: string };
  /** The field that says whether a row is final. */
  readonly closed?: string;
}

/**
 * One operation.
 * @typeParam Result what its method returns
 * @typeParam Wire the body as on the wire
 */
export interface Operation<Result, Wire> {
  /** Resource and action, such as `bars.list`. */
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** The path with `{parameters}`. */
  readonly path: string;
  /** The format asked for; JSON when absent. */
  readonly format?: string;
  /** By SDK name. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Null when the answer has no body. */
  readonly result: Shape | null;
  readonly paging?: Paging;
  /** Whether its answer is a link, sent as a redirect. */
  readonly redirects?: true;
  readonly deprecated?: { readonly successor: string | undefined };
  /** Phantom: the types of the answer. */
  readonly types?: { readonly result: Result; readonly wire: Wire };
}

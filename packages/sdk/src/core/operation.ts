/** One operation of the interface, as the generated tables describe it to the core. */
import type { Shape } from "./shape.ts";

/** How a parameter is written into the request. */
export type ParameterKind =
  /** Strings, numbers and booleans as they are. */
  | "text"
  /** A number, decimal text or a Decimal, in plain notation without an exponent. */
  | "decimal"
  /** A Date or ISO-8601 text. */
  | "instant"
  /** A UTC calendar day: YYYY-MM-DD text, or a Date whose UTC day it is. */
  | "day"
  /** Several words, joined by commas. */
  | "words";

/** Where one parameter goes. */
export interface Parameter {
  readonly in: "path" | "query" | "body";
  /** Its name on the wire. */
  readonly name: string;
  readonly kind: ParameterKind;
}

/** How a list is walked: newest first, by cursor. Names are those of the wire. */
export interface Paging {
  /** The field that holds the rows. */
  readonly items: string;
  /** The field of a row by which the list is ordered; absent where it is by no time. */
  readonly at?: string;
  /** The least distance between two rows: a fixed interval, or the parameter that names it. Without it no `order`. */
  readonly step?: { readonly interval: string } | { readonly parameter: string };
  /** The field that tells whether a row is final. */
  readonly closed?: string;
}

/**
 * One operation.
 * @typeParam Result what its method gives
 * @typeParam Wire the body as it stands on the wire
 */
export interface Operation<Result, Wire> {
  /** Resource and action, such as `bars.list`. */
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** The path with `{parameters}`. */
  readonly path: string;
  /** By the name the SDK gives them. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Null where the answer has no body. */
  readonly result: Shape | null;
  readonly paging?: Paging;
  /** Whether its answer is a link, told by a redirect. */
  readonly redirects?: true;
  readonly deprecated?: { readonly successor: string | undefined };
  /** Phantom: the types of the answer. */
  readonly types?: { readonly result: Result; readonly wire: Wire };
}

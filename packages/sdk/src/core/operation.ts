/** How the generated tables describe the API to the core: operations, and the shapes of wire values. */

/**
 * The shape of a wire value. Null and absent are kept where they may be.
 * - `same`: strings, numbers, booleans, calendar days
 * - `text`: text and nothing else, such as a receipt
 * - `decimal`: exact decimal text, becomes a `PublishedDecimal`
 * - `instant`: ISO-8601 UTC text, becomes a `Date`
 * - `list`: an array
 * - `record`: an object whose keys are data, such as feed names, and are kept
 * - `fields`: an object whose keys are field names and become camelCase; fields that are not listed are `same`. The `required`
 *   ones, separated by blanks, must be there, and not null unless `?` follows.
 */
export type Shape =
  | "same"
  | "text"
  | "decimal"
  | "instant"
  | { readonly list: Shape }
  | { readonly record: Shape }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly required?: string };

/** A field's JSON type: `count` is a whole number from 0 up, `counts` an object of them; a nested table is an object. */
export type FieldKind = "text" | "number" | "count" | "boolean" | "list" | "counts" | FieldKinds;

/** Required fields, by wire name. */
export interface FieldKinds {
  readonly [field: string]: FieldKind;
}

/** How a parameter is encoded in the request. */
export type ParameterKind =
  /** Strings, numbers and booleans unchanged. */
  | "text"
  /** A number, decimal text or a Decimal, in plain notation without an exponent. */
  | "decimal"
  /** A Date or ISO-8601 text. */
  | "instant"
  /** A UTC calendar day, YYYY-MM-DD text. */
  | "day"
  /** Several words, joined by commas. */
  | "words";

/** Where one parameter goes in the request. */
export interface Parameter {
  readonly in: "path" | "query" | "body";
  /** Its name on the wire. */
  readonly name: string;
  /** Of objects in a body, their shape. */
  readonly kind: ParameterKind | Exclude<Shape, string>;
}

/** How a list is paged, by cursor. Names are those of the wire. */
export interface Paging {
  /** The field that holds the rows. */
  readonly items: string;
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
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path with `{parameters}`. */
  readonly path: string;
  /** The format asked for; JSON when absent. */
  readonly format?: string;
  /** By SDK name. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Null when the answer has no body. */
  readonly result: Shape | null;
  readonly paging?: Paging;
  /** Whether it is a POST that changes nothing: it needs no Idempotency-Key, and leaves earlier answers as they are. */
  readonly computes?: true;
  /** Whether its answer is a link, sent as a redirect. */
  readonly redirects?: true;
  readonly deprecated?: { readonly successor: string | undefined };
  /** Phantom: the types of the answer. */
  readonly types?: { readonly result: Result; readonly wire: Wire };
}

/** What another segment or a query of its own would make another path, or a path of another host. */
const OTHER_PATH = /^(?!\/)|^\/\/|[?#{}\\\s]|\/\.\.?(\/|$)/;

/**
 * The operation of a path that has none.
 * @throws TypeError when it is no plain path
 */
export const pathOperation = (path: string): Operation<unknown, unknown> => {
  if (typeof path !== "string" || OTHER_PATH.test(path))
    throw new TypeError("path must be a path such as /v1/spot/gold, encoded, without a query: that is query");
  return { name: path, method: "GET", path, parameters: {}, result: "same" };
};

/** `spot.receipt` of `spot.get`. */
export const receiptOf = ({
  name,
  method,
  path,
  parameters,
  computes,
}: Operation<unknown, unknown>): Operation<string, string> => ({
  name: name.replace(/\w+$/, "receipt"),
  method,
  path,
  format: "jws",
  parameters,
  ...(computes && { computes }),
  result: "text",
});

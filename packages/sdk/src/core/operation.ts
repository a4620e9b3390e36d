/** How the generated tables describe the API to the core: operations, and the shapes of wire values. */

/**
 * The shape of a wire value. Null and absent are kept where they may be.
 * - `same`: strings, numbers, booleans, calendar days
 * - `text`: text and nothing else, such as a receipt
 * - `decimal`: exact decimal text, becomes a `PublishedDecimal`
 * - `instant`: ISO-8601 UTC text, becomes a `Date`
 * - `list`: an array
 * - `record`: an object whose keys are data, such as feed names, and are kept
 * - `fields`: an object whose keys are field names and become camelCase, listed as text of `readList`: `?` follows what may be
 *   null, `~` what may be left out. `parts` has the shapes of objects and lists in it. Fields that are not listed are `same`.
 */
export type Shape = "same" | "text" | "decimal" | "instant" | { readonly list: Shape } | { readonly record: Shape } | FieldsShape;

/** The shape of an object with named fields. */
export interface FieldsShape {
  readonly fields: string;
  readonly parts?: Readonly<Record<string, Shape>>;
}

/** A field's JSON type: `count` is a whole number from 0 up, `counts` an object of them; a nested table is an object. */
export type FieldKind = "text" | "number" | "count" | "boolean" | "list" | "counts" | FieldKinds;

/** Required fields, by wire name. */
export interface FieldKinds {
  readonly [field: string]: FieldKind;
}

/**
 * How a parameter is encoded in the request.
 * - `same`: strings, numbers and booleans unchanged
 * - `decimal`: a number, decimal text or a Decimal, in plain notation without an exponent
 * - `instant`: a Date or ISO-8601 text
 * - `day`: a UTC calendar day, YYYY-MM-DD text
 * - `words`: several words, joined by commas
 */
export type ParameterKind = "same" | "decimal" | "instant" | "day" | "words";

/** A field or a parameter. */
export interface Listed {
  /** Its name on the wire. */
  readonly name: string;
  readonly kind: ParameterKind;
  readonly mark: string;
}

const KINDS: Readonly<Record<string, ParameterKind>> = { d: "decimal", i: "instant", y: "day", w: "words" };

/**
 * Reads a list of names, such as `symbol price:d? computed_at:i~`: separated by blanks, with the first letter of what is not
 * `same` (`y` for a day) and a mark.
 */
export const readList = (text: string): readonly Listed[] =>
  [...text.matchAll(/(\w+)(?::(\w))?([?~]?)/g)].map(([, name = "", kind = "", mark = ""]) => ({
    name,
    kind: KINDS[kind] ?? "same",
    mark,
  }));

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
  /** By their names on the wire, as text of `readList`. Those that the path does not name are in the query, of POST and PATCH in the body. */
  readonly parameters: string;
  /** Of objects in a body, their shapes. */
  readonly parts?: Readonly<Record<string, Shape>>;
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
    throw new TypeError("path must be an encoded path, such as /v1/spot/gold, without its query");
  return { name: path, method: "GET", path, parameters: "", result: "same" };
};

/** `spot.receipt` of `spot.get`. */
export const receiptOf = ({
  name,
  method,
  path,
  parameters,
  parts,
  computes,
}: Operation<unknown, unknown>): Operation<string, string> => ({
  name: name.replace(/\w+$/, "receipt"),
  method,
  path,
  format: "jws",
  parameters,
  ...(parts && { parts }),
  ...(computes && { computes }),
  result: "text",
});

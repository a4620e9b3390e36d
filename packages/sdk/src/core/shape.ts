/** How values of the wire become values of the SDK, told by generated tables and carried out by the core. */

/**
 * The shape of a wire value. Null and absent stay what they are.
 * - `same`: strings, numbers, booleans, calendar days
 * - `decimal`: exact decimal text, becomes a `PublishedDecimal`
 * - `instant`: ISO-8601 UTC text, becomes a `Date`
 * - `list`: an array
 * - `record`: an object whose keys are data, such as feed names, and stay as they are
 * - `fields`: an object whose keys are field names and become camelCase; fields that are not listed are `same`. An object
 *   with none of those that are `required` is no such object.
 */
export type Shape =
  | "same"
  | "decimal"
  | "instant"
  | { readonly list: Shape }
  | { readonly record: Shape }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly required?: readonly string[] };

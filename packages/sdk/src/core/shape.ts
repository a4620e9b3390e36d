/** How wire values are decoded: described by generated tables, applied by the core. */

/**
 * The shape of a wire value. Null and absent are kept.
 * - `same`: strings, numbers, booleans, calendar days
 * - `text`: text and nothing else, such as a receipt
 * - `decimal`: exact decimal text, becomes a `PublishedDecimal`
 * - `instant`: ISO-8601 UTC text, becomes a `Date`
 * - `list`: an array
 * - `record`: an object whose keys are data, such as feed names, and are kept
 * - `fields`: an object whose keys are field names and become camelCase; fields that are not listed are `same`. An object
 *   without any of the `required` ones does not match.
 */
export type Shape =
  | "same"
  | "text"
  | "decimal"
  | "instant"
  | { readonly list: Shape }
  | { readonly record: Shape }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly required?: readonly string[] };

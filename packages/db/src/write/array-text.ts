/** Array literals of PostgreSQL. One text parameter per column is the cheapest way to send many rows to either engine. */

/** An array of values that need no quotes: numbers, instants, booleans, `NULL`. */
export const arrayText = (values: readonly (string | number)[]): string => `{${values.join(",")}}`;

/** An array of any text. */
export const quotedArrayText = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;

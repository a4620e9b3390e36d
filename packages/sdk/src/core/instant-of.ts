/** Reads an instant from the body of an error, which something in between may have changed. */

/**
 * Parses an instant that may be missing.
 * @param value the field's value, ISO-8601 text in an answer of the service
 * @returns null when it is missing or not an instant
 */
export const instantOf = (value: unknown): Date | null => {
  const instant = new Date(typeof value === "string" ? value : Number.NaN);
  return Number.isNaN(instant.getTime()) ? null : instant;
};

/** An instant told in the body of an error, which something in between may have changed. */

/**
 * Reads an instant without trusting that it is there.
 * @param value what stands in its place, ISO-8601 text in an answer of the service
 * @returns null where it is missing or no instant
 */
export const instantOf = (value: unknown): Date | null => {
  const instant = new Date(typeof value === "string" ? value : Number.NaN);
  return Number.isNaN(instant.getTime()) ? null : instant;
};

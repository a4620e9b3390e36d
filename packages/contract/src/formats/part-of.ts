/** Finds the part of an answer that a format shows. */

/**
 * Follows a path of field names.
 * @param answer the answer as JSON
 * @param path field names joined by dots; empty for the whole answer
 * @returns null when a field on the way is null or missing
 */
export const partOf = (answer: unknown, path: string): unknown => {
  let part = answer;
  for (const name of path === "" ? [] : path.split(".")) {
    if (typeof part !== "object" || part === null) return null;
    part = (part as Readonly<Record<string, unknown>>)[name]; // an object, checked above
  }
  return part ?? null;
};

/** What callers send that is not written as a schema has it, and means one thing all the same: nulls of answers, words of a shop. */
import type { z } from "zod";
import { isRecord } from "./json.ts";
import { MEANT, type Meant } from "./meant.ts";

/**
 * What was given, without the nulls that a schema refused, since answers write null for what is not there, and with the codes that its
 * words stand for.
 * @returns null when there is nothing of the kind
 */
const mended = (given: unknown, issues: readonly z.core.$ZodIssue[], meant: Meant): { readonly rest: unknown } | null => {
  const rest: unknown = structuredClone(given);
  let changes = 0;
  for (const { path } of issues) {
    const name = path.at(-1);
    const part = path.slice(0, -1).reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], rest); // JSON
    if (typeof name !== "string" || !isRecord(part)) continue;
    const value = part[name];
    const read = Object.hasOwn(meant, name) ? meant[name]?.(value) : value;
    if (value !== null && read === value) continue;
    if (value === null) delete part[name];
    else part[name] = read;
    changes += 1;
  }
  return changes === 0 ? null : { rest };
};

/**
 * Parses what was given; null for an optional part leaves it out.
 * @param meant what is read of a field that the schema refuses
 */
export const parseGiven = <T>(schema: z.ZodType<T>, given: unknown, meant: Meant = MEANT): z.ZodSafeParseResult<T> => {
  const parsed = schema.safeParse(given);
  const other = parsed.success ? null : mended(given, parsed.error.issues, meant);
  return other ? schema.safeParse(other.rest) : parsed;
};

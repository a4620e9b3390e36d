/** Nulls in what callers send: answers write null for what is not there, and callers send back what they were answered. */
import type { z } from "zod";
import { isRecord } from "./json.ts";

/**
 * What was given without the nulls that a schema refused.
 * @returns null when there are none
 */
const withoutNulls = (given: unknown, issues: readonly z.core.$ZodIssue[]): { readonly rest: unknown } | null => {
  const rest: unknown = structuredClone(given);
  let left = 0;
  for (const { path } of issues) {
    const name = path.at(-1);
    const part = path.slice(0, -1).reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], rest); // JSON
    if (typeof name !== "string" || !isRecord(part) || part[name] !== null) continue;
    delete part[name];
    left += 1;
  }
  return left === 0 ? null : { rest };
};

/** Parses what was given; null for an optional part leaves it out. */
export const parseGiven = <T>(schema: z.ZodType<T>, given: unknown): z.ZodSafeParseResult<T> => {
  const parsed = schema.safeParse(given);
  const without = parsed.success ? null : withoutNulls(given, parsed.error.issues);
  return without ? schema.safeParse(without.rest) : parsed;
};

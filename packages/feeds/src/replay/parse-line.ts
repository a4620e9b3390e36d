/** Parses one line of a replay file. */
import { parse } from "lossless-json";
import type { z } from "zod";
import { type ReplayLine, replayLine } from "./records.ts";
import { ReplayError } from "./replay-error.ts";

const KINDS: readonly ReplayLine["kind"][] = ["spot", "fx", "bar", "settlement", "dealer", "option", "market", "silence"];

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );

/** The field an issue refers to, and what is wrong with it. */
const describe = (issue: z.core.$ZodIssue, value: unknown, kind: string): { field: string | null; what: string } => {
  if (issue.code === "unrecognized_keys") return { field: issue.keys[0] ?? null, what: `is not a field of a ${kind} line` };
  const field = issue.path.join(".");
  // An invalid key of a record, such as a currency code.
  if (issue.code === "invalid_key") return { field, what: issue.issues[0]?.message ?? issue.message };
  return { field: field === "" ? null : field, what: at(value, issue.path) === undefined ? "is missing" : issue.message };
};

/**
 * Parses one line. Duplicate keys are refused, as either value might be meant.
 * @param file for the message only
 * @param number the line's number, 1-based
 * @throws ReplayError that names file, line and field
 */
export const parseReplayLine = (file: string, number: number, text: string): ReplayLine => {
  let value: unknown;
  try {
    value = parse(text, undefined, Number);
  } catch (cause) {
    const twice = cause instanceof Error ? /^Duplicate key '([^']*)'/.exec(cause.message)?.[1] : undefined;
    if (twice !== undefined) throw new ReplayError(file, number, twice, "appears twice", cause);
    throw new ReplayError(file, number, null, "is not JSON", cause);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ReplayError(file, number, null, "must be a JSON object");
  }
  const kind = KINDS.find((each) => each === at(value, ["kind"]));
  if (!kind) throw new ReplayError(file, number, "kind", `must be one of ${KINDS.join(", ")}`);
  const result = replayLine.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const { field, what } = issue ? describe(issue, value, kind) : { field: null, what: "is malformed" };
  throw new ReplayError(file, number, field, what);
};

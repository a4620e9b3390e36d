/** Reads a replay file line by line: a byte order mark, CRLF and blank lines are accepted, overlong and malformed lines are not. */
import { createReadStream } from "node:fs";
import { parse } from "lossless-json";
import type { z } from "zod";
import { type ReplayLine, replayLine } from "./records.ts";

/** An invalid replay file. Prevents startup. */
export class ReplayError extends Error {
  readonly file: string;
  /** 1-based; null when the file as a whole is at fault. */
  readonly line: number | null;
  /** Dotted path of the field; null when the line as a whole is at fault. */
  readonly field: string | null;

  constructor(file: string, line: number | null, field: string | null, what: string, cause?: unknown) {
    const place = [file, line === null ? "" : `line ${line}`, field ?? ""].filter((part) => part !== "").join(", ");
    super(`${place}: ${what}`, cause === undefined ? undefined : { cause });
    this.name = "ReplayError";
    this.file = file;
    this.line = line;
    this.field = field;
  }
}

/** Longer than any record; keeps a file without line ends from being read into memory. */
const MAX_LINE_CHARACTERS = 65_536;

export interface Line {
  /** 1-based, counting blank lines. */
  readonly number: number;
  readonly text: string;
}

const pieces = async function* (file: string): AsyncGenerator<Buffer> {
  try {
    // Without an encoding the stream yields only buffers.
    for await (const piece of createReadStream(file)) yield piece as Buffer;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${cause.code})` : "";
    throw new ReplayError(file, null, null, `cannot be read${code}`, cause);
  }
};

/**
 * The lines of a file, in order.
 * @throws ReplayError when the file cannot be read, a line is too long, or the text is not UTF-8
 */
export const readLines = async function* (file: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 0;
  let rest = "";
  const decode = (piece?: Buffer): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch (cause) {
      throw new ReplayError(file, number + 1, null, "is not UTF-8 here or shortly after", cause);
    }
  };
  const line = (text: string): Line | null => {
    number += 1;
    if (text.length > MAX_LINE_CHARACTERS) {
      throw new ReplayError(file, number, null, `is longer than ${MAX_LINE_CHARACTERS} characters`);
    }
    const trimmed = text.trim();
    return trimmed === "" ? null : { number, text: trimmed };
  };
  for await (const piece of pieces(file)) {
    const texts = (rest + decode(piece)).split("\n");
    rest = texts.pop() ?? "";
    for (const text of texts) {
      const found = line(text);
      if (found) yield found;
    }
    if (rest.length > MAX_LINE_CHARACTERS) line(rest);
  }
  const last = line(rest + decode());
  if (last) yield last;
};

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

/** JSON with the published digits preserved: numbers stay text until a schema converts them. */
import { parse } from "lossless-json";
import type { z } from "zod";
import { FeedError } from "../feed/error.ts";
import type { Reply } from "../feed/reply.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The body as text, without a byte order mark.
 * @throws FeedError when it is not UTF-8
 */
export const textOf = (reply: Pick<Reply, "bytes">): string => {
  try {
    return UTF8.decode(reply.bytes);
  } catch (cause) {
    throw new FeedError("payload", "the body is not UTF-8", { cause });
  }
};

/**
 * Validates a value; unknown fields are ignored.
 * @throws FeedError that names the first invalid field, never its value
 */
export const shaped = <S extends z.ZodType>(value: unknown, schema: S): z.output<S> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new FeedError("payload", `unexpected ${issue?.path.join(".") || "body"}: ${issue?.message ?? "invalid"}`);
};

/**
 * Parses and validates JSON.
 * @throws FeedError that names the first invalid field, never its value
 */
export const readJson = <S extends z.ZodType>(text: string, schema: S): z.output<S> => {
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw new FeedError("payload", "the body is not JSON", { cause });
  }
  return shaped(value, schema);
};

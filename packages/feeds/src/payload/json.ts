/** JSON with the published digits kept: numbers stay text until a schema says what they are. */
import { parse } from "lossless-json";
import type { z } from "zod";
import { FeedError } from "../feed-error.ts";
import type { Reply } from "../http/reply.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The body as text, a byte order mark left out.
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
 * Checks a value's shape; fields the schema does not name are ignored.
 * @throws FeedError that names the first field at fault, never its value
 */
export const shaped = <S extends z.ZodType>(value: unknown, schema: S): z.output<S> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new FeedError("payload", `unexpected ${issue?.path.join(".") || "body"}: ${issue?.message ?? "invalid"}`);
};

/**
 * Reads JSON and checks its shape.
 * @throws FeedError that names the first field at fault, never its value
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

/** The parts of a page that a walk needs, read from the body on the wire. */
import type { Answer } from "../core/answer.ts";
import { isRecord } from "../core/is-record.ts";

/** A page's rows and where the next one begins. */
export interface WirePage {
  readonly body: Readonly<Record<string, unknown>>;
  readonly rows: readonly unknown[];
  /** Null at the end. */
  readonly nextCursor: string | null;
}

/**
 * Reads a page.
 * @param answer its answer
 * @param items the field that holds the rows
 * @throws UnreadableAnswerError when it is no page
 */
export const readPage = (answer: Answer, items: string): WirePage => {
  const { body } = answer;
  if (!isRecord(body)) throw answer.unreadable("is no page");
  const rows: unknown = body[items];
  if (!Array.isArray(rows)) throw answer.unreadable(`has no ${items}`);
  const cursor = body.next_cursor;
  return { body, rows, nextCursor: typeof cursor === "string" ? cursor : null };
};

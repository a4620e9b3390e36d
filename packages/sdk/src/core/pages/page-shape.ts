/** Reads the parts of a page needed for paging from the body on the wire. */
import type { Answer } from "../answer.ts";
import { isRecord } from "../is-record.ts";

/** A page's rows and the cursor of the next one. */
export interface WirePage {
  readonly body: Readonly<Record<string, unknown>>;
  readonly rows: readonly unknown[];
  /** Null at the end. */
  readonly nextCursor: string | null;
}

/**
 * Parses a page.
 * @param answer its answer
 * @param items the field that holds the rows
 * @throws UnreadableAnswerError when it is not a page
 */
export const readPage = (answer: Answer, items: string): WirePage => {
  const { body } = answer;
  if (!isRecord(body)) throw answer.unreadable("is not a page");
  const rows: unknown = body[items];
  if (!Array.isArray(rows)) throw answer.unreadable(`has no ${items}`);
  const cursor = body.next_cursor;
  return { body, rows, nextCursor: typeof cursor === "string" ? cursor : null };
};

/** Pages through a list in wire order: newest first, by cursor. */
import type { Answer } from "../answer.ts";
import { AssayError } from "../errors.ts";
import type { Paging } from "../operation.ts";
import type { PageAnswer } from "./page-promise.ts";
import { readPage } from "./page-shape.ts";

/** Requests one page. */
export type Ask = (params: object) => Promise<Answer>;

/**
 * Requests a page; the next one is requested by its cursor.
 * @param ask requests one page
 * @param paging where its rows are
 * @param params parameters of the list
 */
export const walkNewestFirst = async (
  ask: Ask,
  paging: Paging,
  params: Readonly<Record<string, unknown>>,
): Promise<PageAnswer> => {
  const answer = await ask(params);
  const { nextCursor } = readPage(answer, paging.items);
  if (nextCursor === null) return { answer, next: null };
  if (nextCursor === params.cursor) throw new AssayError("The service returned the same cursor twice; the list would never end");
  return { answer, next: () => walkNewestFirst(ask, paging, { ...params, cursor: nextCursor }) };
};

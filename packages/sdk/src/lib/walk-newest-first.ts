/** Walks a list as the wire has it: newest first, by cursor. */
import { AssayError } from "../core/errors.ts";
import type { Paging } from "../core/operation.ts";
import type { PageAnswer } from "../core/page-promise.ts";
import { readPage } from "./page-shape.ts";
import type { Ask } from "./walk-pages.ts";

/**
 * Asks for a page; the next one is asked for by its cursor.
 * @param ask asks for one page
 * @param paging where its rows are
 * @param params of the list
 */
export const walkNewestFirst = async (
  ask: Ask,
  paging: Paging,
  params: Readonly<Record<string, unknown>>,
): Promise<PageAnswer> => {
  const answer = await ask(params);
  const { nextCursor } = readPage(answer, paging.items);
  if (nextCursor === null) return { answer, next: null };
  if (nextCursor === params.cursor) throw new AssayError("The service gave the same cursor twice; the list would never end");
  return { answer, next: () => walkNewestFirst(ask, paging, { ...params, cursor: nextCursor }) };
};

/** Pages through a list by its cursors, in the order that the service was asked for. */

import type { Answer } from "../answer.ts";
import { AssayError } from "../errors.ts";
import { isRecord } from "../is-record.ts";
import type { Operation, Paging } from "../operation.ts";
import type { PageAnswer } from "./page-promise.ts";

/** A page's rows and the cursor of the next one. */
interface WirePage {
  readonly body: Readonly<Record<string, unknown>>;
  readonly rows: readonly unknown[];
  /** Null at the end. */
  readonly nextCursor: string | null;
}

/** @throws UnreadableAnswerError when the answer is not a page */
const readPage = (answer: Answer, items: string): WirePage => {
  const { body } = answer;
  if (!isRecord(body)) throw answer.unreadable("is not a page");
  const rows: unknown = body[items];
  if (!Array.isArray(rows)) throw answer.unreadable(`has no ${items}`);
  const cursor = body.next_cursor;
  return { body, rows, nextCursor: typeof cursor === "string" ? cursor : null };
};

type RequestPage = (params: object) => Promise<Answer>;

/** Requests a page; the next one is requested by its cursor. */
const walk = async (request: RequestPage, paging: Paging, params: Readonly<Record<string, unknown>>): Promise<PageAnswer> => {
  const answer = await request(params);
  const { nextCursor } = readPage(answer, paging.items);
  if (nextCursor === null) return { answer, next: null };
  if (nextCursor === params.cursor) throw new AssayError("The service returned the same cursor twice; the list would never end");
  return { answer, next: () => walk(request, paging, { ...params, cursor: nextCursor }) };
};

/** A page without the rows that are not final. */
const onlyClosed = (answer: Answer, { items, closed }: Paging): Answer => {
  const { body, rows } = readPage(answer, items);
  if (closed === undefined) return answer;
  const isOpen = (row: unknown): boolean => isRecord(row) && row[closed] === false;
  return rows.some(isOpen) ? answer.withBody({ ...body, [items]: rows.filter((row) => !isOpen(row)) }) : answer;
};

/**
 * Requests the first page of a list.
 * @param request requests one page
 * @param operation the table's entry, with paging
 * @param params parameters of the list, and `closedOnly`
 * @returns the first page and a function for the next
 * @throws TypeError when the list does not have `closedOnly`, or pages
 */
export const walkPages = async (
  request: RequestPage,
  { paging, name }: Operation<unknown, unknown>,
  params: { readonly closedOnly?: unknown },
): Promise<PageAnswer> => {
  if (paging === undefined) throw new TypeError(`${name} has no pages`);
  const { closedOnly = false, ...rest } = params;
  if (typeof closedOnly !== "boolean") throw new TypeError("closedOnly must be true or false");
  if (closedOnly && paging.closed === undefined) throw new TypeError(`${name} has no closedOnly: its rows are all final`);
  const requestRows: RequestPage = closedOnly ? async (asked) => onlyClosed(await request(asked), paging) : request;
  return await walk(requestRows, paging, rest);
};

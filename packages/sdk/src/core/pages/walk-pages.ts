/** Pages through a list in the requested order. */
import type { Answer } from "../answer.ts";
import type { Operation, Paging } from "../operation.ts";
import type { PageAnswer } from "./page-promise.ts";
import { readPage } from "./page-shape.ts";
import { type Ask, walkNewestFirst } from "./walk-newest-first.ts";
import { walkOldestFirst } from "./walk-oldest-first.ts";

/** List parameters that the wire does not have. */
interface Ordered {
  readonly order?: unknown;
  readonly closedOnly?: unknown;
  readonly [name: string]: unknown;
}

/** A page without the rows that are not final. */
const onlyClosed = (answer: Answer, { items, closed }: Paging): Answer => {
  const { body, rows } = readPage(answer, items);
  if (closed === undefined) return answer;
  const isOpen = (row: unknown): boolean => typeof row === "object" && row !== null && Reflect.get(row, closed) === false;
  return rows.some(isOpen) ? answer.withBody({ ...body, [items]: rows.filter((row) => !isOpen(row)) }) : answer;
};

/**
 * Requests the first page of a list.
 * @param ask requests one page
 * @param operation the table's entry, with paging
 * @param params parameters of the list, and `order` ("desc", newest first, or "asc") and `closedOnly`
 * @returns the first page and a function for the next
 * @throws TypeError when order and cursor are both given, or the list does not support the order, rows or pages
 */
export const walkPages = async (ask: Ask, operation: Operation<unknown, unknown>, params: object): Promise<PageAnswer> => {
  const { paging, name } = operation;
  if (paging === undefined) throw new TypeError(`${name} has no pages`);
  const { order = "desc", closedOnly = false, ...rest } = params as Ordered; // these keys may be on any object
  if (order !== "asc" && order !== "desc") throw new TypeError('order must be "asc" or "desc"');
  if (order === "asc" && paging.step === undefined) throw new TypeError(`${name} is only sorted newest first`);
  if (typeof closedOnly !== "boolean") throw new TypeError("closedOnly must be true or false");
  if (closedOnly && paging.closed === undefined) throw new TypeError(`${name} has no closedOnly: its rows are all final`);
  const asking: Ask = closedOnly ? async (asked) => onlyClosed(await ask(asked), paging) : ask;
  if (order === "asc") return await walkOldestFirst(asking, operation, paging, rest);
  return await walkNewestFirst(asking, paging, rest);
};

/** Walks the pages of a list in the order asked for. */
import type { Answer } from "../core/answer.ts";
import type { Operation, Paging } from "../core/operation.ts";
import type { PageAnswer } from "../core/page-promise.ts";
import { readPage } from "./page-shape.ts";
import { walkNewestFirst } from "./walk-newest-first.ts";
import { walkOldestFirst } from "./walk-oldest-first.ts";

/** Asks for one page. */
export type Ask = (params: object) => Promise<Answer>;

/** The parameters of a list that the wire does not know. */
interface Ordered {
  readonly order?: unknown;
  readonly closedOnly?: unknown;
  readonly [name: string]: unknown;
}

/** A page without the rows that are not final yet. */
const onlyClosed = (answer: Answer, { items, closed }: Paging): Answer => {
  const { body, rows } = readPage(answer, items);
  if (closed === undefined) return answer;
  const isOpen = (row: unknown): boolean => typeof row === "object" && row !== null && Reflect.get(row, closed) === false;
  return rows.some(isOpen) ? answer.withBody({ ...body, [items]: rows.filter((row) => !isOpen(row)) }) : answer;
};

/**
 * Asks for the first page of a list.
 * @param ask asks for one page
 * @param operation the table's entry, with paging
 * @param params of the list, and `order` ("desc", newest first, or "asc") and `closedOnly`
 * @returns the first page and the way to the next
 * @throws TypeError when order and cursor contradict each other, or the list has no such order, rows or pages
 */
export const walkPages = async (ask: Ask, operation: Operation<unknown, unknown>, params: object): Promise<PageAnswer> => {
  const { paging, name } = operation;
  if (paging === undefined) throw new TypeError(`${name} has no pages`);
  const { order = "desc", closedOnly = false, ...rest } = params as Ordered; // any object has the keys it has
  if (order !== "asc" && order !== "desc") throw new TypeError('order must be "asc" or "desc"');
  if (order === "asc" && paging.step === undefined) throw new TypeError(`${name} has one order alone`);
  if (typeof closedOnly !== "boolean") throw new TypeError("closedOnly must be true or false");
  if (closedOnly && paging.closed === undefined) throw new TypeError(`${name} has no closedOnly: its rows are all final`);
  const asking: Ask = closedOnly ? async (asked) => onlyClosed(await ask(asked), paging) : ask;
  if (order === "asc") return await walkOldestFirst(asking, operation, paging, rest);
  return await walkNewestFirst(asking, paging, rest);
};

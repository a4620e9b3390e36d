/**
 * Pages through a list. The wire pages newest first, by cursor; oldest first goes one window at a time from the start, each
 * page reversed.
 */

import type { Answer } from "../answer.ts";
import { AssayError } from "../errors.ts";
import { isRecord } from "../is-record.ts";
import type { Operation, Paging } from "../operation.ts";
import type { PageAnswer } from "./page-promise.ts";

const DAY_MS = 86_400_000;
const UNIT_MS = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", DAY_MS],
  ["w", 7 * DAY_MS],
]);
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** Both ends are inclusive. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A parsed instant: its first and last millisecond. */
const spanOf = (value: unknown, wholeDays: boolean): Window | null => {
  if (value instanceof Date) {
    const ms = value.getTime();
    const dayMs = Math.floor(ms / DAY_MS) * DAY_MS;
    if (Number.isNaN(ms)) return null;
    return wholeDays ? { fromMs: dayMs, toMs: dayMs + DAY_MS - 1 } : { fromMs: ms, toMs: ms };
  }
  if (typeof value !== "string") return null;
  const isDate = DATE.test(value);
  if (!isDate && (wholeDays || !DATE_TIME.test(value))) return null;
  const fromMs = Date.parse(isDate ? `${value}T00:00:00Z` : /(Z|[+-]\d{2}:\d{2})$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(fromMs) ? null : { fromMs, toMs: isDate ? fromMs + DAY_MS - 1 : fromMs };
};

/**
 * Parses a window. A bare date starts at its UTC midnight and ends with its last millisecond.
 * @param from a Date or ISO-8601 text; one without an offset is UTC
 * @param to the same
 * @param wholeDays whether the list is queried by days
 * @returns null when an end cannot be parsed
 */
export const readWindow = (from: unknown, to: unknown, wholeDays: boolean): Window | null => {
  const first = spanOf(from, wholeDays);
  const last = spanOf(to, wholeDays);
  return first === null || last === null ? null : { fromMs: first.fromMs, toMs: last.toMs };
};

/**
 * Parses the length of an interval.
 * @param text such as 15m, 4h or 1d
 * @returns milliseconds; null when it cannot be parsed
 */
export const intervalMs = (text: unknown): number | null => {
  const match = typeof text === "string" ? /^([1-9]\d{0,3})([mhdw])$/.exec(text) : null;
  const unitMs = UNIT_MS.get(match?.[2] ?? "");
  return match === null || unitMs === undefined ? null : Number(match[1]) * unitMs;
};

/**
 * Formats a window as parameters.
 * @param window both ends
 * @param wholeDays whether the list is queried by days
 */
const writeWindow = ({ fromMs, toMs }: Window, wholeDays: boolean): { readonly from: string; readonly to: string } => {
  const length = wholeDays ? 10 : undefined;
  return { from: new Date(fromMs).toISOString().slice(0, length), to: new Date(toMs).toISOString().slice(0, length) };
};

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

/** Requests a page in wire order; the next one is requested by its cursor. */
const walkNewestFirst = async (
  request: RequestPage,
  paging: Paging,
  params: Readonly<Record<string, unknown>>,
): Promise<PageAnswer> => {
  const answer = await request(params);
  const { nextCursor } = readPage(answer, paging.items);
  if (nextCursor === null) return { answer, next: null };
  if (nextCursor === params.cursor) throw new AssayError("The service returned the same cursor twice; the list would never end");
  return { answer, next: () => walkNewestFirst(request, paging, { ...params, cursor: nextCursor }) };
};

/** The service's default when the parameter is omitted. */
const DEFAULT_LIMIT = 100;
const DEFAULT_INTERVAL = "1d";

interface Walk {
  readonly request: RequestPage;
  readonly paging: Paging;
  readonly params: Readonly<Record<string, unknown>>;
  readonly window: Window;
  readonly wholeDays: boolean;
  /** The length of a window that holds at most `limit` rows. */
  readonly stepMs: number;
}

const stepOf = (paging: Paging, params: Walk["params"], limit: unknown): number | null => {
  const { step } = paging;
  if (step === undefined) return null;
  const lengthMs = intervalMs("interval" in step ? step.interval : (params[step.parameter] ?? DEFAULT_INTERVAL));
  return lengthMs === null || typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 ? null : limit * lengthMs;
};

/** All rows of one window in one page, oldest first. A second page is unexpected, but its rows are not lost. */
const gather = async (first: PageAnswer, items: string): Promise<Answer> => {
  const { body } = readPage(first.answer, items);
  const rows = [...readPage(first.answer, items).rows];
  for (let page = first; page.next !== null; ) {
    page = await page.next();
    rows.push(...readPage(page.answer, items).rows);
  }
  return first.answer.withBody({ ...body, [items]: rows.reverse(), next_cursor: null });
};

/**
 * Finds the next page with rows. After an empty window the length doubles, so that a list that starts late or ends early costs
 * few requests; a window with more than one page is halved until it has one.
 */
const seek = async (walk: Walk, startMs: number): Promise<PageAnswer> => {
  const { items } = walk.paging;
  let lengthMs = walk.stepMs;
  let isGrowing = true;
  for (let fromMs = startMs; ; ) {
    const toMs = Math.min(walk.window.toMs, fromMs + lengthMs - 1);
    const asked = { ...walk.params, ...writeWindow({ fromMs, toMs }, walk.wholeDays) };
    const first = await walkNewestFirst(walk.request, walk.paging, asked);
    const isTooLong = first.next !== null && lengthMs > walk.stepMs;
    if (!isTooLong) {
      const answer = await gather(first, items);
      const isLast = toMs >= walk.window.toMs;
      if (isLast || readPage(answer, items).rows.length > 0) {
        return { answer, next: isLast ? null : () => seek(walk, toMs + 1) };
      }
      fromMs = toMs + 1;
    }
    isGrowing &&= !isTooLong;
    lengthMs = isGrowing ? lengthMs * 2 : Math.max(walk.stepMs, lengthMs / 2);
  }
};

/**
 * Requests the oldest page of a window; further pages lead to its end.
 * @throws TypeError when a cursor is given, since cursors lead the other way; the service's error for an invalid window
 */
const walkOldestFirst = async (
  request: RequestPage,
  operation: Operation<unknown, unknown>,
  paging: Paging,
  params: Walk["params"],
): Promise<PageAnswer> => {
  if (params.cursor !== undefined) throw new TypeError('cursor leads from newer to older; it cannot be used with order: "asc"');
  const { limit = DEFAULT_LIMIT, from, to } = params;
  const wholeDays = operation.parameters.from?.kind === "day";
  const window = readWindow(from, to, wholeDays);
  const stepMs = stepOf(paging, params, limit);
  if (window === null || stepMs === null || window.fromMs > window.toMs) {
    await request(params); // the service reports what is wrong with it
    throw new AssayError("This window cannot be read oldest first: from, to, limit or interval has an unknown form");
  }
  return await seek({ request, paging, params: { ...params, limit }, window, wholeDays, stepMs }, window.fromMs);
};

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
 * @param request requests one page
 * @param operation the table's entry, with paging
 * @param params parameters of the list, and `order` ("desc", newest first, or "asc") and `closedOnly`
 * @returns the first page and a function for the next
 * @throws TypeError when order and cursor are both given, or the list does not support the order, rows or pages
 */
export const walkPages = async (
  request: RequestPage,
  operation: Operation<unknown, unknown>,
  params: object,
): Promise<PageAnswer> => {
  const { paging, name } = operation;
  if (paging === undefined) throw new TypeError(`${name} has no pages`);
  const { order = "desc", closedOnly = false, ...rest } = params as Ordered; // these keys may be on any object
  if (order !== "asc" && order !== "desc") throw new TypeError('order must be "asc" or "desc"');
  if (order === "asc" && paging.step === undefined) throw new TypeError(`${name} is only sorted newest first`);
  if (typeof closedOnly !== "boolean") throw new TypeError("closedOnly must be true or false");
  if (closedOnly && paging.closed === undefined) throw new TypeError(`${name} has no closedOnly: its rows are all final`);
  const requestRows: RequestPage = closedOnly ? async (asked) => onlyClosed(await request(asked), paging) : request;
  if (order === "asc") return await walkOldestFirst(requestRows, operation, paging, rest);
  return await walkNewestFirst(requestRows, paging, rest);
};

/**
 * Pages through a list oldest first, which the wire does not support: one window at a time from the start, each page reversed.
 */
import type { Answer } from "../answer.ts";
import { AssayError } from "../errors.ts";
import type { Operation, Paging } from "../operation.ts";
import type { PageAnswer } from "./page-promise.ts";
import { readPage } from "./page-shape.ts";
import { type Ask, walkNewestFirst } from "./walk-newest-first.ts";
import { intervalMs, readWindow, type Window, writeWindow } from "./window.ts";

/** The service's default when the parameter is omitted. */
const DEFAULT_LIMIT = 100;
const DEFAULT_INTERVAL = "1d";

/** The state of one traversal. */
interface Walk {
  readonly ask: Ask;
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
    const first = await walkNewestFirst(walk.ask, walk.paging, asked);
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
 * @param ask requests one page
 * @param operation the table's entry
 * @param paging its pages
 * @param params parameters of the list
 * @throws TypeError when a cursor is given, since cursors lead the other way; the service's error for an invalid window
 */
export const walkOldestFirst = async (
  ask: Ask,
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
    await ask(params); // the service reports what is wrong with it
    throw new AssayError("This window cannot be read oldest first: from, to, limit or interval has an unknown form");
  }
  return await seek({ ask, paging, params: { ...params, limit }, window, wholeDays, stepMs }, window.fromMs);
};

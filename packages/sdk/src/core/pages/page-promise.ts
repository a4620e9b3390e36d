/** The promise a list returns: one page when awaited, all rows when iterated. */

import type { Answer } from "../answer.ts";
import { ApiPromise, type Present } from "../api-promise.ts";
import { checkCount } from "../checks.ts";
import { camelCase } from "../decode.ts";
import { isRecord } from "../is-record.ts";
import type { Operation } from "../operation.ts";
import { planOf } from "../request-plan.ts";

/** One page's answer, and a function that requests the next; null at the end. */
export interface PageAnswer {
  readonly answer: Answer;
  readonly next: (() => Promise<PageAnswer>) | null;
}

/** How a page is decoded. */
export interface PageReading<Page, Row> {
  readonly page: Present<Page>;
  readonly rows: (page: Page) => readonly Row[];
}

/** How a page is read, decoded and as on the wire. */
export interface PageReadings<Page, WirePage, Row, WireRow> {
  readonly decoded: PageReading<Page, Row>;
  readonly raw: PageReading<WirePage, WireRow>;
}

const answerOf = (page: PageAnswer): Answer => page.answer;

/**
 * A list in progress. Awaiting it returns the first page; `for await` yields the rows of all pages, requesting the next page
 * only when its rows are needed, and none after the loop ends.
 * @typeParam Page what awaiting returns
 * @typeParam WirePage the page as on the wire
 * @typeParam Row a row of it
 * @typeParam WireRow a row as on the wire
 */
export class PagePromise<Page, WirePage, Row, WireRow> extends ApiPromise<Page, WirePage> implements AsyncIterable<Row> {
  readonly #first: Promise<PageAnswer>;
  readonly #readings: PageReadings<Page, WirePage, Row, WireRow>;

  /** Created by the client. */
  constructor(first: Promise<PageAnswer>, readings: PageReadings<Page, WirePage, Row, WireRow>) {
    super(first.then(answerOf), readings.decoded.page);
    this.#first = first;
    this.#readings = readings;
  }

  /**
   * Returns the same list with pages and rows as on the wire. The first page is not requested again.
   * @returns a promise of the page, iterable like this one
   */
  override raw(): PagePromise<WirePage, WirePage, WireRow, WireRow> {
    return new PagePromise(this.#first, { decoded: this.#readings.raw, raw: this.#readings.raw });
  }

  /**
   * Iterates over the pages.
   * @returns an iterator that holds one page at a time
   * @throws the errors of any page's request
   */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const { page } = this.#readings.decoded;
    let current = await this.#first;
    while (true) {
      yield page(current.answer);
      if (current.next === null) return;
      current = await current.next();
    }
  }

  /**
   * Iterates over the rows of all pages.
   * @returns an iterator that holds one page at a time
   * @throws the errors of any page's request
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    const { rows } = this.#readings.decoded;
    for await (const page of this.pages()) yield* rows(page);
  }

  /**
   * Collects the rows of all pages in an array.
   * @param options `limit` is the most rows returned; all of them when omitted
   * @returns at most `limit` rows
   * @throws the errors of any page's request; RangeError when `limit` is not a whole number from 0 up
   */
  async toArray(options: { readonly limit?: number | undefined } = {}): Promise<Row[]> {
    const { limit = Number.POSITIVE_INFINITY } = options;
    checkCount("limit", limit, 0);
    const gathered: Row[] = [];
    if (limit === 0) return gathered;
    const { rows } = this.#readings.decoded;
    for await (const page of this.pages()) {
      for (const row of rows(page)) {
        gathered.push(row);
        if (gathered.length >= limit) return gathered;
      }
    }
    return gathered;
  }
}

/** `walkPages` checked that the rows exist; the table declares their type. */
const reading = <Page, Row>(present: Present<unknown>, field: string): PageReading<Page, Row> => ({
  page: present as Present<Page>,
  rows: (page) => (isRecord(page) && Array.isArray(page[field]) ? (page[field] as Row[]) : []),
});

/**
 * Returns how the pages of an operation are read.
 * @param operation the table's entry
 * @throws TypeError when it has no pages
 */
export const readPages = <Page, WirePage, Row, WireRow>(
  operation: Operation<Page, WirePage>,
): PageReadings<Page, WirePage, Row, WireRow> => {
  const { paging } = operation;
  if (paging === undefined) throw new TypeError(`${operation.name} has no pages`);
  return {
    decoded: reading(planOf(operation).present, camelCase(paging.items)),
    raw: reading((answer) => answer.body, paging.items),
  };
};

/** The promise a list gives: one page when awaited, all rows when iterated. */
import type { Answer } from "./answer.ts";
import { ApiPromise, type Present } from "./api-promise.ts";

/** One page's answer, and how to ask for the one behind it; null at the end. */
export interface PageAnswer {
  readonly answer: Answer;
  readonly next: (() => Promise<PageAnswer>) | null;
}

/** How a page is read. */
export interface PageReading<Page, Row> {
  readonly page: Present<Page>;
  readonly rows: (page: Page) => readonly Row[];
}

/** How a page is read decoded, and as it stands on the wire. */
export interface PageReadings<Page, WirePage, Row, WireRow> {
  readonly decoded: PageReading<Page, Row>;
  readonly raw: PageReading<WirePage, WireRow>;
}

const answerOf = (page: PageAnswer): Answer => page.answer;

/**
 * A list under way. Awaiting it gives the first page; `for await` gives the rows of all pages, asking for the next page
 * only when its rows are needed, and for no more once the loop is left.
 * @typeParam Page what awaiting gives
 * @typeParam WirePage the page as it stands on the wire
 * @typeParam Row a row of it
 * @typeParam WireRow a row as it stands on the wire
 */
export class PagePromise<Page, WirePage, Row, WireRow> extends ApiPromise<Page, WirePage> implements AsyncIterable<Row> {
  readonly #first: Promise<PageAnswer>;
  readonly #readings: PageReadings<Page, WirePage, Row, WireRow>;

  /** Made by the client. */
  constructor(first: Promise<PageAnswer>, readings: PageReadings<Page, WirePage, Row, WireRow>) {
    super(first.then(answerOf), readings.decoded.page);
    this.#first = first;
    this.#readings = readings;
  }

  /**
   * The same list with pages and rows as on the wire. The first page is not asked for again.
   * @returns a promise of the page, iterable as this one is
   */
  override raw(): PagePromise<WirePage, WirePage, WireRow, WireRow> {
    return new PagePromise(this.#first, { decoded: this.#readings.raw, raw: this.#readings.raw });
  }

  /**
   * The pages one after the other.
   * @returns an iterator that holds one page at a time
   * @throws the errors of any page's call
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
   * The rows of all pages one after the other.
   * @returns an iterator that holds one page at a time
   * @throws the errors of any page's call
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    const { rows } = this.#readings.decoded;
    for await (const page of this.pages()) yield* rows(page);
  }

  /**
   * Rows of all pages in one array.
   * @param options `limit` is the most rows wanted; all of them when left out
   * @returns at most `limit` rows
   * @throws the errors of any page's call; RangeError when `limit` is no whole number from 0 up
   */
  async toArray(options: { readonly limit?: number | undefined } = {}): Promise<Row[]> {
    const { limit = Number.POSITIVE_INFINITY } = options;
    if (!(limit >= 0) || (Number.isFinite(limit) && !Number.isInteger(limit))) {
      throw new RangeError("limit must be a whole number, 0 or more");
    }
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

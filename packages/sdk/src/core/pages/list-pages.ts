/** Calls list operations. Apart from the client, so that a bundle of resources without lists holds no pages. */
import { Client } from "../client.ts";
import type { Operation } from "../operation.ts";
import type { RequestOptions } from "../options.ts";
import { PagePromise, readPages } from "./page-promise.ts";
import { walkPages } from "./walk-pages.ts";

/**
 * Calls a list operation.
 * @param client sends its requests
 * @param operation the table's entry, with paging
 * @param params by their SDK names, and `closedOnly`
 * @param options settings of every request of the list
 * @returns a promise of the first page, iterable over the rows of all pages
 */
export const listPages = <Page, WirePage, Row, WireRow>(
  client: Client,
  operation: Operation<Page, WirePage>,
  params: object = {},
  options: RequestOptions = {},
): PagePromise<Page, WirePage, Row, WireRow> => {
  const readings = readPages<Page, WirePage, Row, WireRow>(operation);
  return new PagePromise(
    walkPages((asked) => client.ask(operation, asked, options), operation, params),
    readings,
  );
};

/** The client of every operation. */
export class ListClient extends Client {
  /** Calls a list operation, as `listPages` does. */
  page<Page, WirePage, Row, WireRow>(
    operation: Operation<Page, WirePage>,
    params: object = {},
    options: RequestOptions = {},
  ): PagePromise<Page, WirePage, Row, WireRow> {
    return listPages(this, operation, params, options);
  }
}

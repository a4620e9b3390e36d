/** How the pages of an operation are read, decoded and as they stand on the wire. */
import type { Present } from "../core/api-promise.ts";
import { camelCase } from "../core/camel-case.ts";
import { isRecord } from "../core/is-record.ts";
import type { Operation } from "../core/operation.ts";
import type { PageReading, PageReadings } from "../core/page-promise.ts";
import { planOf } from "../core/request-plan.ts";

/** The walk has seen to it that the rows are there; their type is the table's word. */
const reading = <Page, Row>(present: Present<unknown>, field: string): PageReading<Page, Row> => ({
  page: present as Present<Page>,
  rows: (page) => (isRecord(page) && Array.isArray(page[field]) ? (page[field] as Row[]) : []),
});

/**
 * How the pages of an operation are read.
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

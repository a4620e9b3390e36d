/** Reads the pages of an operation, decoded and as on the wire. */
import type { Present } from "../api-promise.ts";
import { camelCase } from "../camel-case.ts";
import { isRecord } from "../is-record.ts";
import type { Operation } from "../operation.ts";
import { planOf } from "../request-plan.ts";
import type { PageReading, PageReadings } from "./page-promise.ts";

/** `pageShape` checked that the rows exist; the table declares their type. */
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

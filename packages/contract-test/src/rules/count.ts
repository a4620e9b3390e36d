/** `meta.count` counts the rows of an answer. */
import type { Route } from "@assay/contract";
import { fieldsOf } from "../wire/exchange.ts";
import { isSuccess, type Rule } from "./rule.ts";

/** The number of rows: of the list that the route is of, of its only list, or of the one row that may be null. */
const rowsIn = ({ paging, formats }: Route, { meta: _, ...body }: Readonly<Record<string, unknown>>): number | null => {
  const named = body[paging?.items ?? formats?.csv ?? ""];
  if (Array.isArray(named)) return named.length;
  const lists = Object.values(body).filter(Array.isArray);
  if (lists.length > 0) return lists.length === 1 ? (lists[0]?.length ?? null) : null;
  const rows = Object.values(body).filter((value) => typeof value === "object");
  return rows.length === 1 ? rows.filter((row) => row !== null).length : null;
};

/** The rule; it does not apply to answers that count nothing. */
export const count: Rule = {
  title: "count",
  says: "meta.count is the number of rows in the response",
  judge: (subject) => {
    const body = fieldsOf(subject.exchange.json);
    const { count: stated } = fieldsOf(body.meta);
    if (!isSuccess(subject) || typeof stated !== "number") return null;
    const rows = rowsIn(subject.route, body);
    if (rows === null) return null;
    return rows === stated ? [] : [`meta.count is ${stated}, and there are ${rows} rows`];
  },
};

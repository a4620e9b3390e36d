/** The lists of an answer: as long as it says, and in the order that is declared. */
import type { Route } from "@assay/contract";
import { z } from "zod";
import { fieldsOf } from "../wire/exchange.ts";
import { ofRows } from "./row.ts";
import type { AnswerObject, Rule, Subject } from "./rule.ts";

/** The rows of a list that `meta.count` counts, or the one row that may be null; null where that is not known. */
const countedIn = (listed: string | undefined, { meta: _, ...body }: AnswerObject): number | null => {
  const named = body[listed ?? ""];
  if (Array.isArray(named)) return named.length;
  const lists = Object.values(body).filter(Array.isArray);
  if (lists.length > 0) return lists.length === 1 ? (lists[0]?.length ?? null) : null;
  const rows = Object.values(body).filter((value) => typeof value === "object");
  return rows.length === 1 ? rows.filter((row) => row !== null).length : null;
};

const count = ofRows("count", "meta.count is the number of rows in the response", (row, { route }) => {
  const { count: stated } = fieldsOf(row.meta);
  const rows = countedIn(route.paging?.items ?? route.formats?.csv, row);
  if (typeof stated !== "number" || rows === null) return null;
  return rows === stated ? [] : [`meta.count is ${stated}, and there are ${rows} rows`];
});

/** Whether a request turns the order round. */
const isTurned = ({ exchange: { sent } }: Subject): boolean =>
  /[?&]order=asc\b|%22order%22(?::|%3A)%22asc%22|"order":"asc"/.test(`${sent.url} ${sent.body ?? ""}`);

/** The lists of a route by the order in their declarations: -1 for newest first, 1 for oldest first. */
const ordersOf = ({ output }: Route): [name: string, order: number][] => {
  const fields = output instanceof z.ZodObject ? Object.entries(output.shape as Record<string, z.ZodType>) : [];
  return fields.flatMap(([name, field]) => {
    const [, first] = /^(Newest|Oldest) first/.exec(field.description ?? "") ?? [];
    return first === undefined ? [] : [[name, first === "Newest" ? -1 : 1]];
  });
};

/** The fields that date a row, where no paging names one. */
const DATES = ["date", "settlement_date", "bar_start", "created_at"];

const order = ofRows(
  "rows in order",
  "a list is newest or oldest first, as declared, and no day or bar is there twice",
  (row, subject) => {
    const { route } = subject;
    const faults = ordersOf(route).flatMap(([name, declared]) => {
      const direction = isTurned(subject) ? -declared : declared;
      const { [name]: rows } = row;
      const at = route.paging?.at ?? DATES.find((date) => Array.isArray(rows) && date in fieldsOf(rows[0]));
      if (!Array.isArray(rows) || at === undefined) return [];
      const moments = rows.map((each) => Date.parse(String(fieldsOf(each)[at])) * direction);
      // Of what may be made at one moment, several are.
      const isStrict = at !== "created_at" && (route.paging === undefined || "order" in route.input.shape);
      const wrong = moments.findIndex((moment, index) => {
        const before = moments[index - 1] ?? Number.NEGATIVE_INFINITY;
        return moment < before || (isStrict && moment === before);
      });
      return [
        wrong === -1 ? "" : `row ${wrong + 1} of ${name} is not ${direction < 0 ? "older" : "newer"} than the one before it`,
      ];
    });
    return faults.length === 0 ? null : faults.filter((fault) => fault !== "");
  },
);

export const LISTS: readonly Rule[] = [count, order];

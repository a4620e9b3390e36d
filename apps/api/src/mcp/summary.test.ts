/** A list in a few figures, by hand. */
import { expect, test } from "vitest";
import { attentionOf, summaryOf } from "./summary.ts";

test("has the ends, the least and the greatest of their own figures, and the change, exact", () => {
  const bar = (day: string, low: string, high: string, close: string) => ({ day, low, high, close });
  const rows = [
    bar("d", "9.5", "12", "10.05"),
    bar("c", "9", "10", "9.9"),
    bar("b", "9.00", "12.0", "11"),
    bar("a", "9.9", "11", "9.8"),
  ];
  const [last, , middle, first] = rows;
  expect(summaryOf(rows, { list: "bars", figure: "close", least: "low", greatest: "high" })).toEqual({
    count: 4,
    first,
    last,
    least: middle,
    greatest: middle,
    change: "0.25",
    change_percent: "2.55",
  });
});

test("takes a bar of its close alone by its close", () => {
  const rows = [
    { low: null, high: null, close: "8" },
    { low: "9", high: "11", close: "10" },
  ];
  const summed = summaryOf(rows, { list: "bars", figure: "close", least: "low", greatest: "high" });
  expect(summed).toMatchObject({ least: rows[0], greatest: rows[1], change: "-2", change_percent: "-20.00" });
});

test("leaves out rows without a figure, and says no more than the count when there is none", () => {
  const rows = [{ price: null }, { price: "2" }, { price: "0" }];
  const summed = summaryOf(rows, { list: "points", figure: "price" });
  expect(summed).toEqual({ count: 3, first: rows[2], last: rows[1], least: rows[2], greatest: rows[1], change: "2" });
  expect(summaryOf([], { list: "points", figure: "price" })).toEqual({ count: 0 });
});

test("counts rows that are as they should be, of lists and of records", () => {
  const late = { status: "late" };
  const outage = { incidents: [{ from: "2026-11-20T00:00:00Z" }] };
  const output = {
    status: "degraded",
    feeds: { a: { status: "ok" }, b: late },
    sources: [{ incidents: [] }, outage, { incidents: [] }],
  };
  expect(attentionOf(output, { feeds: { field: "status", is: "ok" }, sources: { field: "incidents", is: [] } })).toEqual({
    status: "degraded",
    feeds: { b: late },
    sources: [outage],
    healthy: { feeds: 1, sources: 2 },
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contract, EncodedList, encodedFormatWriter, formatWriter, type Route } from "../index.ts";

type Row = Readonly<Record<string, unknown>>;
type ListFormat = "csv" | "beancount" | "ledger";

const encode = (rows: readonly Row[]): string => rows.map((row) => JSON.stringify(row)).join(",");
/** An answer as a list of two pieces, the first with as many rows. */
const listOf = (field: string, answer: Row & { readonly [name: string]: unknown }, first: number): EncodedList => {
  const rows = answer[field] as readonly Row[]; // what the tests give it
  const [before = "", after = ""] = JSON.stringify({ ...answer, [field]: ["here"] }).split('"here"');
  const [head, tail] = [encode(rows.slice(0, first)), encode(rows.slice(first))];
  const pieces = [head !== "" && tail !== "" ? `${head},` : head, tail];
  return new EncodedList(
    before,
    pieces.map((piece) => new TextEncoder().encode(piece)),
    after,
  );
};
const writtenBy = (route: Route, format: ListFormat, list: EncodedList): string | null => {
  const written = encodedFormatWriter(route, format)?.(list);
  return written ? new TextDecoder().decode(written.body) : null;
};

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(..."=+-@\t\",;'1.a＝") }),
  fc.constantFrom("4003.20", "-1.5", "2026-11-20T00:00:00Z"),
);
const text = anyText.filter((each) => !JSON.stringify(each).includes("\\"));
const figure = fc.option(text);
const bar = fc.record({
  bar_start: fc.constantFrom("2026-11-20T00:00:00Z", "1996-01-02T00:00:00Z"),
  open: figure,
  high: figure,
  low: figure,
  close: figure,
  volume: figure,
  is_closed: fc.boolean(),
});
const page = fc.record({
  symbol: fc.constantFrom("XAU-USD-SPOT", "GC"),
  interval: fc.constant("1d"),
  bars: fc.array(bar),
  next_cursor: fc.option(text),
  meta: fc.record({ tier: fc.constant("pro"), count: fc.nat(), source_id: figure }),
});

const point = fc.record({ date: text, ratio: text, numerator_close: text, denominator_close: text });
const day = fc.record({
  date: text,
  open: figure,
  high: figure,
  low: figure,
  close: figure,
  volume: fc.constant(null),
  is_stale: fc.boolean(),
  is_closed: fc.boolean(),
});

describe("a list written from its encoded rows", () => {
  test.each(["csv", "beancount", "ledger"] as const)("as %s is what is written from the parsed answer", (format) => {
    const write = formatWriter(contract.bars.list, format);
    fc.assert(
      fc.property(page, fc.nat(10), (answer, first) => {
        expect(writtenBy(contract.bars.list, format, listOf("bars", answer, first))).toBe(write(answer));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["ratios", contract.ratios.list, "points", point],
    ["the history", contract.prices.history, "series", day],
  ] as const)("as CSV of %s, too", (_, route, field, row) => {
    const write = formatWriter(route, "csv");
    fc.assert(
      fc.property(fc.array(row as fc.Arbitrary<Row>), fc.nat(10), (rows, first) => {
        const answer = { symbol: "GC", [field]: rows, meta: {} };
        expect(writtenBy(route, "csv", listOf(field, answer, first))).toBe(write(answer));
      }),
    );
  });

  test("comes with the rest of the answer, its list empty", () => {
    const answer = { symbol: "GC", interval: "1d", bars: [{ bar_start: "x" }], next_cursor: "abc", meta: {} };
    expect(encodedFormatWriter(contract.bars.list, "csv")?.(listOf("bars", answer, 1)).envelope).toEqual({ ...answer, bars: [] });
  });

  test("is no bare figure", () => {
    expect(encodedFormatWriter(contract.bars.latest, "text")).toBeNull();
  });
});

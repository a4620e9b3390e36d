import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { csvCell, csvHeader, EOL } from "./csv.ts";
import { csvListReader } from "./read-csv.ts";

const row = z.object({
  id: z.string().optional(),
  count: z.int().optional(),
  size: z.object({ high: z.string().optional(), wide: z.string().optional() }).optional(),
});
const read = csvListReader(row);

describe("a list", () => {
  test("comes out of CSV as it went in, whatever its text", () => {
    // Text that a spreadsheet would run is marked on its way out.
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((each) => !/[\r\n=+\-@＝＋－＠]/.test(each));
    const size = fc.record({ high: text, wide: text }, { requiredKeys: ["high"] });
    const member = fc
      .record({ id: text, count: fc.nat(), size }, { requiredKeys: [] })
      .filter((each) => Object.keys(each).length > 0);
    fc.assert(
      fc.property(fc.array(member), (list) => {
        const lines = list.map(({ id, count, size }) => [id, count, size?.high, size?.wide].map(csvCell).join(",") + EOL);
        expect(read(csvHeader(["id", "count", "size_high", "size_wide"]) + lines.join(""))).toEqual(list);
      }),
    );
  });

  test("is read as spreadsheets save it: names in any case, blanks after commas, and columns without a name at the end", () => {
    expect(read("ID, Count, Size_High,\na, 7,,\n b,8,x\n,,,,\n")).toEqual([
      { id: "a", count: 7 },
      { id: " b", count: 8, size: { high: "x" } },
    ]);
    expect(() => read("id,,count\na,,7\n")).toThrow('"" is not a column');
    expect(() => read("id,count,\na,7,8\n")).toThrow("it has 3 fields, and the header has 2");
  });

  test("has numbers where its schema has them, and text that is none left for the schema to refuse", () => {
    expect(read("count,id\n7,7\n7.5,a\n-1,b\n")).toEqual([
      { count: 7, id: "7" },
      { count: "7.5", id: "a" },
      { count: "-1", id: "b" },
    ]);
  });
});

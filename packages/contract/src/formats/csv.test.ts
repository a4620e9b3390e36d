import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvWriter } from "./csv.ts";

/** Of the first plane; the library's own unit lists all 1.1 million characters first, which takes seconds. */
const anyCharacter = fc.nat({ max: 0xd7_ff }).map((code) => String.fromCharCode(code));

const write = csvWriter(["name", "price", "buy.venue"]);
const HEADER = "name,price,buy.venue\r\n";

describe("a list as CSV", () => {
  test("is a header row of the field names and a line per row, each ended by CRLF", () => {
    const rows = [
      { name: "XAU", price: "4003.20", buy: { venue: "kalshi" } },
      { name: "XAG", price: null, buy: null },
    ];
    expect(write(rows)).toBe(`${HEADER}XAU,4003.20,kalshi\r\nXAG,,\r\n`);
  });

  test("is the header row alone when there are no rows", () => {
    expect(write([])).toBe(HEADER);
    expect(write(null)).toBe(HEADER);
  });

  test("quotes what holds a comma, a semicolon, a quote, a tab or a line break", () => {
    const names = ["a,b", "a;b", 'say "x"', "a\tb", "two\r\nlines", "two\nlines", "two\rlines", " as it is "];
    expect(write(names.map((name) => ({ name })))).toBe(
      `${HEADER}"a,b",,\r\n"a;b",,\r\n"say ""x""",,\r\n"a\tb",,\r\n"two\r\nlines",,\r\n"two\nlines",,\r\n"two\rlines",,\r\n as it is ,,\r\n`,
    );
  });

  test("keeps the digits of numbers, and writes lists as JSON", () => {
    expect(write([{ name: ["kalshi", "a"], price: 182.4, buy: { venue: true } }])).toBe(
      `${HEADER}"[""kalshi"",""a""]",182.4,true\r\n`,
    );
    expect(write([{ name: -0.5, price: 1e-7, buy: { venue: [] } }])).toBe(`${HEADER}-0.5,1e-7,[]\r\n`);
  });

  test.each(["=1+1", "+1", "-x", "-1-1", "@SUM(A1)", "＝1", '=HYPERLINK("http://x","y")', "-", "--1"])(
    "marks %j as text, so that a spreadsheet does not run it",
    (text) => {
      const [, [cell = ""] = []] = parse(write([{ name: text }]), { record_delimiter: "\r\n" }) as string[][];
      expect(cell).toBe(`'${text}`);
    },
  );

  test.each([
    ["a;=cmd|'/C calc'!A0", "a;'=cmd|'/C calc'!A0"],
    ["a,=1", "a,'=1"],
    ["a\t@x", "a\t'@x"],
    ["a\n+1", "a\n'+1"],
    ["\r=1", "\r'=1"],
    [";-x;-5;=1", ";'-x;-5;'=1"],
    ['"=1";"=2"', `"'=1";"'=2"`],
  ])("marks every part of %j that a spreadsheet may split off and run", (text, marked) => {
    const [, [cell = ""] = []] = parse(write([{ name: text }]), { record_delimiter: "\r\n" }) as string[][];
    expect(cell).toBe(marked);
  });

  test("marks the texts in a list, which stays JSON", () => {
    const [, [cell = ""] = []] = parse(write([{ name: ["a", "=1", -5] }])) as string[][];
    expect(JSON.parse(cell)).toEqual(["a", "'=1", -5]);
  });

  test.each(["-104.2", "-0", "4003.20", "XAU", "a=b", "1-2", ""])("leaves %j as it is", (text) => {
    expect(write([{ name: text }])).toBe(`${HEADER}${text},,\r\n`);
  });

  const value = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom(..."=+-@\t\r\n\",;'1.a") }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string()),
  );
  const row = fc.record({ name: value, price: value, buy: fc.option(fc.record({ venue: value })) }, { requiredKeys: [] });

  test("reads back in another parser as it was written but for the marks, and holds no formula however it is split", () => {
    const textOf = (given: unknown): string =>
      given === null || given === undefined ? "" : typeof given === "string" ? given : JSON.stringify(given);
    const unmarked = (text: string): string => text.replaceAll("'", "");
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const [header, ...lines] = parse(write(rows), { record_delimiter: "\r\n" }) as string[][];
        expect(header).toEqual(["name", "price", "buy.venue"]);
        expect(lines).toHaveLength(rows.length);
        for (const [index, cells] of lines.entries()) {
          const { name, price, buy } = rows[index] ?? {};
          for (const [column, given] of [name, price, buy?.venue].entries()) {
            const cell = cells[column] ?? "";
            expect(unmarked(cell)).toBe(unmarked(textOf(given)));
            if (typeof given === "number") expect(cell).toBe(textOf(given));
            for (const part of typeof given === "number" ? [] : cell.split(/[;,\t\r\n]/)) {
              if (!/^"*-\d+(\.\d+)?"*\]?$/.test(part)) expect(part).not.toMatch(/^[="+\-@]*[=+\-@]/);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

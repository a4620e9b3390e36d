import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitRows } from "./source-file.ts";

const rowsOf = async (chunks: readonly string[]): Promise<string[][]> => {
  const rows: string[][] = [];
  const text = async function* () {
    yield* chunks;
  };
  for await (const some of splitRows(text(), ",")) rows.push(...some);
  return rows;
};

const field = fc.oneof(fc.string({ unit: "grapheme", maxLength: 6 }), fc.constantFrom("4003.20", "", "ä", "\ufeff"));
const plain = field.filter((text) => !/[",\r\n]/.test(text));
const written = fc.oneof(
  { weight: 8, arbitrary: plain },
  { weight: 1, arbitrary: field.map((text) => `"${text.replaceAll('"', '""')}"`) },
);

test("rows are those the CSV parser finds, quoted or not, however the file is cut into chunks", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(written, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.integer({ min: 1, max: 40 }),
      async (lines, end, size) => {
        const text = lines.map((line) => line.join(",") + end).join("");
        const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
        let expected: string[][];
        try {
          expected = parse(text, { relax_column_count: true });
        } catch {
          await expect(rowsOf(chunks)).rejects.toThrow("not valid CSV");
          return;
        }
        expect(await rowsOf(chunks)).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
});

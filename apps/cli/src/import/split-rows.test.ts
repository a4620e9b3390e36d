import { Readable } from "node:stream";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitRows } from "./split-rows.ts";

const rowsOf = async (chunks: readonly Buffer[]): Promise<string[][]> => {
  const rows: string[][] = [];
  for await (const some of splitRows(Readable.from(chunks, { objectMode: false }), ",")) rows.push(...some);
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
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      async (lines, end, hasMark, size) => {
        const text = (hasMark ? "\ufeff" : "") + lines.map((line) => line.join(",") + end).join("");
        const bytes = Buffer.from(text);
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        let expected: string[][];
        try {
          expected = parse(bytes, { bom: true, relax_column_count: true });
        } catch {
          await expect(rowsOf(chunks)).rejects.toThrow("not CSV");
          return;
        }
        expect(await rowsOf(chunks)).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
});

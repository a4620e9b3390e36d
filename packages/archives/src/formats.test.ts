/** Both formats, read back with DuckDB. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ArchiveBatch, CsvArchive, ParquetArchive, unscaled } from "./formats.ts";
import { askDuckDb, parquetColumns, readParquetBars } from "./testing/read-parquet.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-formats-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Row {
  readonly startMs: number;
  readonly price: number;
  readonly volume: string | null;
  readonly isCloseOnly: boolean;
}

const batchOf = (rows: readonly Row[]): ArchiveBatch => {
  const prices = BigInt64Array.from(rows, ({ price }) => BigInt(price));
  const text = (price: number): string => `${Math.floor(price / 1e6)}.${String(price % 1e6).padStart(6, "0")}`;
  const known = rows.some((row) => row.isCloseOnly)
    ? rows.map(({ price, isCloseOnly }) => (isCloseOnly ? null : BigInt(price)))
    : prices;
  const line = ({ startMs, price, volume, isCloseOnly }: Row): string => {
    const figures = [1, 2, 3].map(() => (isCloseOnly ? "" : text(price)));
    return `${new Date(startMs).toISOString().replace(".000Z", "Z")},${figures.join(",")},${text(price)},${volume ?? ""},true\n`;
  };
  return {
    rows: rows.length,
    csv: Buffer.from(rows.map(line).join("")),
    startsMs: BigInt64Array.from(rows, ({ startMs }) => BigInt(startMs)),
    open: known,
    high: known,
    low: known,
    close: prices,
    volume: rows.map(({ volume }) => volume),
  };
};

const rowsOf = fc.array(
  fc.record({
    startMs: fc.integer({ min: 0, max: 60_000_000 }).map((minutes) => 820_454_400_000 + minutes * 1_000),
    price: fc.integer({ min: 1, max: 999_999_999_999 }),
    volume: fc.option(fc.bigInt({ min: 0n, max: 10n ** 26n }).map(String), { nil: null }),
    isCloseOnly: fc.boolean(),
  }),
  { minLength: 1, maxLength: 300 },
);

describe("an archive", () => {
  test("reads the same in DuckDB as CSV and as Parquet, figure by figure, in order, over several row groups", async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf, fc.integer({ min: 1, max: 120 }), async (rows, size) => {
        const csv = new CsvArchive();
        const parquet = new ParquetArchive();
        for (let at = 0; at < rows.length; at += size) {
          const batch = batchOf(rows.slice(at, at + size));
          csv.add(batch);
          parquet.add(batch);
        }
        await writeFile(join(folder, "a.csv"), csv.finish());
        await writeFile(join(folder, "a.parquet"), parquet.finish());
        const read = await readParquetBars(join(folder, "a.parquet"));
        const same = (await askDuckDb(`
          select strftime(bar_start, '%Y-%m-%dT%H:%M:%SZ') as bar_start, open::varchar as open, high::varchar as high,
            low::varchar as low, close::varchar as close, volume::varchar as volume, is_closed
          from read_csv('${join(folder, "a.csv")}', columns = {bar_start: 'timestamptz', open: 'decimal(18,6)', high: 'decimal(18,6)',
            low: 'decimal(18,6)', close: 'decimal(18,6)', volume: 'decimal(38,9)', is_closed: 'boolean'})`)) as unknown;
        expect(read).toEqual(same);
        expect(read.map((bar) => Date.parse(bar.bar_start))).toEqual(rows.map(({ startMs }) => startMs));
        expect(read.map((bar) => bar.open && unscaled(bar.open, 6))).toEqual(
          rows.map(({ price, isCloseOnly }) => (isCloseOnly ? null : BigInt(price))),
        );
      }),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 25 : 8 },
    );
  });

  test("has real decimals and UTC instants as Parquet", async () => {
    const parquet = new ParquetArchive();
    parquet.add(batchOf([{ startMs: 0, price: 4_003_200_000, volume: "8123400.5", isCloseOnly: false }]));
    await writeFile(join(folder, "types.parquet"), parquet.finish());
    expect(await parquetColumns(join(folder, "types.parquet"))).toEqual({
      bar_start: "TIMESTAMP WITH TIME ZONE",
      open: "DECIMAL(18,6)",
      high: "DECIMAL(18,6)",
      low: "DECIMAL(18,6)",
      close: "DECIMAL(18,6)",
      volume: "DECIMAL(38,9)",
      is_closed: "BOOLEAN",
    });
    expect(await askDuckDb(`select sum(close)::varchar as sum from '${join(folder, "types.parquet")}'`)).toEqual([
      { sum: "4003.200000" },
    ]);
  });
});

describe("decimal text", () => {
  test.each([
    ["1.5", 6, 1_500_000n],
    ["0", 9, 0n],
    ["0.0000000005", 9, 1n],
    ["0.0000000004", 9, 0n],
    ["8123400", 9, 8_123_400_000_000_000n],
    ["12345678901234567890.123456789", 9, 12345678901234567890123456789n],
  ])("%s at %i places is %i", (text, scale, units) => {
    expect(unscaled(text, scale)).toBe(units);
  });
});

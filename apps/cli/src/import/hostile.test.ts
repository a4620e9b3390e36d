/** Malformed files: each is refused with its error, in little memory. */
import { statSync, truncateSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { type CheckOptions, checkFile, type FileSummary } from "./check/check-file.ts";
import { type ImportRequest, planImport } from "./run-import.ts";
import { NOW_MS, openScratch, refusalOf, zoneNamed } from "./testing/trial.ts";

const scratch = openScratch();
afterAll(() => scratch.remove());

const HEADER = "time,Open,High,Low,Close,Volume";
const START_MS = Date.UTC(2025, 4, 15, 7);
const rowAt = (minute: number, figures = "3145.5,3146.62,3145.17,3146.49,103"): string =>
  `${new Date(START_MS + minute * 60_000).toISOString().slice(0, 19).replace("T", " ")},${figures}`;
const rows = (count: number): string[] => Array.from({ length: count }, (_, minute) => rowAt(minute));

let files = 0;
const fileOf = (lines: readonly string[] | Uint8Array, end = "\n"): string => {
  files += 1;
  return scratch.write(`file-${files}.csv`, lines instanceof Uint8Array ? lines : lines.map((line) => line + end).join(""));
};

const check = async (path: string, change: Partial<ImportRequest> = {}, options: CheckOptions = {}): Promise<FileSummary> => {
  const request: ImportRequest = {
    symbol: "GC",
    interval: "1m",
    files: [path],
    isAggregating: true,
    isForced: false,
    zone: zoneNamed("UTC"),
    ...change,
  };
  const [source] = await planImport(request, NOW_MS);
  if (!source) throw new Error("no source");
  return checkFile(source, options);
};

describe("a hostile file", () => {
  it("is reported with all its bad rows at once, the first twenty by name and the others by number", async () => {
    const lines = [HEADER, ...rows(200)];
    for (let line = 10; line < 60; line += 1) lines[line] = rowAt(line, "1e400,3146.62,3145.17,3146.49,103");
    lines[70] = rowAt(70, "3145.5,3146.62,NaN,3146.49,103");
    const path = fileOf(lines);
    const message = (await refusalOf(check(path))).split("\n");
    expect(message).toHaveLength(21);
    expect(message[0]).toBe(`${path} line 11, open: "1e400" is not a plain decimal`);
    expect(message[19]).toBe(`${path} line 30, open: "1e400" is not a plain decimal`);
    expect(message[20]).toBe("and 31 more bad rows");
  });

  it("is read without its bad rows when they are to be skipped, and without a second row for a bar", async () => {
    const lines = [
      HEADER,
      ...rows(20),
      rowAt(3),
      rowAt(21, "-1,3146.62,3145.17,3146.49,103"),
      rowAt(22, '"3,145.5O",3146.62,3145.17,3146.49,1'),
    ];
    const summary = await check(fileOf(lines), { isSkippingBadRows: true });
    expect(summary).toMatchObject({ rows: 20, bad: { count: 3 } });
    expect(summary.bad.lines().map((line) => line.replace(/^.*? line /, ""))).toEqual([
      "22, bar_start: the bar of 2025-05-15T07:03:00.000Z is already on an earlier line",
      "23, open: -1 is not above zero",
      '24, open: "3,145.5O" is not a plain decimal',
    ]);
  });

  it("is refused with more bad rows than good ones, and when it is not CSV, even if bad rows are skipped", async () => {
    const mostly = fileOf([HEADER, rowAt(0), "x", "y"]);
    expect(await refusalOf(check(mostly, { isSkippingBadRows: true }))).toMatch(
      `${mostly}: 2 bad rows and 1 good one; too many to skip\n`,
    );
    const quoted = fileOf([HEADER, ...rows(5), `${rowAt(6)}"`]);
    expect(await refusalOf(check(quoted, { isSkippingBadRows: true }))).toMatch(`${quoted} line 7, row: not valid CSV`);
  });

  it("is read without rows of zero volume when those are dropped, whatever else they hold", async () => {
    const lines = [HEADER, ...rows(10), rowAt(10, ",,,,"), rowAt(11, "1,1,1,1,0"), rowAt(12, "1,1,1,1,0.00")];
    expect(await check(fileOf(lines), { isDroppingEmptyVolume: true })).toMatchObject({ rows: 10, dropped: 3 });
    const none = fileOf(["Date,Open,High,Low,Close", "2025-05-15,3001,3002,3000,3001"]);
    expect(await refusalOf(check(none, { interval: "1d", isDroppingEmptyVolume: true }))).toBe(
      `${none}: it has no volume column, which --drop-empty-volume needs; pass --map volume=NAME`,
    );
  });

  it.each([
    [
      "binary",
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 10, 44, 44]),
      "it is not text; CSV is UTF-8, or UTF-16 with a byte order mark",
    ],
    ["empty", Buffer.alloc(0), "the file is empty"],
    ["a header alone", Buffer.from(`${HEADER}\n`), "contains no bars"],
    [
      "UTF-16 without a mark",
      Buffer.from(`${HEADER}\n${rowAt(0)}\n`, "utf16le"),
      "it is not text; CSV is UTF-8, or UTF-16 with a byte order mark",
    ],
  ])("is refused when it is %s", async (_what, bytes, message) => {
    const path = fileOf(bytes);
    expect(await refusalOf(check(path))).toBe(`${path}: ${message}`);
  });

  it("is refused for a NUL in a row, by its line", async () => {
    const path = fileOf([HEADER, ...rows(900), rowAt(900, "3145.5,3146.62,3145.17,3146\u0000.49,103")]);
    expect(await refusalOf(check(path))).toBe(`${path} line 902, close: "3146\\u0000.49" is not a plain decimal`);
  });

  it("is refused at the line that is a gigabyte long, without holding it in memory", async () => {
    const path = fileOf([HEADER, ...rows(700)]);
    truncateSync(path, 1 << 30);
    const before = process.memoryUsage().rss;
    expect(await refusalOf(check(path))).toBe(`${path} line 702, row: the line is longer than 4096 characters`);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20);
  });

  const good = `${HEADER}\n${rowAt(0)}\n`;
  const TOO_LONG = "the line is longer than 4096 characters";
  it.each([
    ["a line of millions of commas", good, ",", `line 3, row: ${TOO_LONG}`],
    ["such a line behind a quoted one", `${good}"${rowAt(1).replaceAll(",", '","')}"\n`, ",", `line 4, row: ${TOO_LONG}`],
    ["a header of millions of columns", HEADER, ",c", `line 1, row: ${TOO_LONG}`],
    ["rows of thousands of commas", good, `${",".repeat(4_000)}\n`, "line 3, row: it has more than 256 fields"],
    ["a quote that never closes", `${good}"`, "a", `line 3, row: ${TOO_LONG}`],
    ["a quote that closes lines later", `${good}"`, "a\n", "line 3, row: not valid CSV: a quote inside a field, or one that is"],
    ["millions of blank lines", good, "\n", "line 1003, row: more than 1000 blank lines in a row"],
    ["millions of bad rows", good, "x\n", "line 3, row: it has 1 columns instead of 6"],
  ])("of %s is refused at its bound, by line, with most of the file unread", async (_what, start, part, message) => {
    // A gzip file may have many members: 512 MiB in half a megabyte.
    const member = gzipSync(part.repeat((8 << 20) / part.length));
    const path = fileOf(Buffer.concat([gzipSync(start), ...new Array<Buffer>(64).fill(member)]));
    let bytes = 0;
    const onBytes = (read: number): void => {
      bytes += read;
    };
    expect((await refusalOf(check(path, {}, { onBytes }))).split("\n")[0]).toMatch(`${path} ${message}`);
    expect(bytes).toBeLessThan(statSync(path).size / 2);
  });

  it("is refused at the row in which its delimiter changes", async () => {
    const path = fileOf([HEADER, rowAt(0), rowAt(1).replaceAll(",", ";")]);
    expect(await refusalOf(check(path))).toBe(`${path} line 3, row: it has 1 columns instead of 6`);
  });

  it("is refused at the first bad cell when its header is right", async () => {
    const path = fileOf([
      "Data;Otwarcie;Najwyzszy;Najnizszy;Zamkniecie",
      "15/05/2025;1;2;1;2",
      "2025-05-16;3001;3002,5;3000;3001",
    ]);
    expect((await refusalOf(check(path, { interval: "1d" }))).split("\n")).toEqual([
      `${path} line 2, bar_start: "15/05/2025" may begin with the month or the day; pass --dates mdy or --dates dmy`,
      `${path} line 3, high (column "Najwyzszy"): "3002,5" is not a plain decimal; pass --decimal comma if the comma separates decimals`,
    ]);
  });

  it("is named in messages of a bounded length", async () => {
    const path = fileOf([HEADER, rowAt(0, `${"9".repeat(3_000)},3146.62,3145.17,3146.49,103`)]);
    expect((await refusalOf(check(path))).length).toBeLessThan(path.length + 200);
  });

  it("is read whatever its line ends, mark, quotes, compression and order", async () => {
    const lines = [HEADER, ...rows(12)];
    const variants = [
      fileOf(lines, "\r\n"),
      fileOf([`\ufeff${HEADER}`, ...rows(12)]),
      fileOf(
        lines.map((line) =>
          line
            .split(",")
            .map((cell) => `"${cell}"`)
            .join(","),
        ),
      ),
      fileOf(gzipSync(lines.join("\n"))),
      fileOf(lines, "\r"),
      fileOf(Buffer.from(`\ufeff${lines.join("\n")}`, "utf16le")),
      fileOf(Buffer.from(`\ufeff${lines.join("\n")}`, "utf16le").swap16()),
      fileOf(gzipSync(Buffer.from(`\ufeff${lines.join("\r\n")}`, "utf16le").swap16())),
      fileOf([HEADER, ...rows(12).toReversed()]),
    ];
    for (const path of variants) expect(await check(path)).toMatchObject({ rows: 12 });
  });
});

describe("the checks of a file as a whole", () => {
  const days = (count: number, step: number, price: number, from = Date.UTC(2024, 0, 1)): string[] => [
    "Date,Open,High,Low,Close",
    ...Array.from({ length: count }, (_, index) => {
      const day = new Date(from + index * step * 86_400_000).toISOString().slice(0, 10);
      return `${day},${price},${price + 0.5},${price - 0.5},${price}`;
    }),
  ];
  const daily = { interval: "1d" } as const;

  it.each([
    ["silver filled with gold's file", "XAG-USD-SPOT", 2_350],
    ["gold filled with silver's file", "XAU-USD-SPOT", 28],
    ["copper filled with silver's file", "HG", 28],
    ["prices times a hundred", "XAU-USD-SPOT", 235_000],
    ["prices of a gram", "XAU-USD-SPOT", 75],
  ] as const)("refuse %s, naming the check and what to do", async (_what, symbol, price) => {
    const path = fileOf(days(30, 1, price));
    for (const isSkippingBadRows of [false, true]) {
      const message = await refusalOf(check(path, { ...daily, symbol, isSkippingBadRows }));
      expect(message).toMatch(
        `${path}: the price check failed for 30 of 30 rows: these are not prices of ${symbol}; pass the right --symbol, or ` +
          `convert them to USD per its unit with --scale (0.01 for cents). The first is ${path} line 2, `,
      );
    }
  });

  it("refuse gold's prices of 2003 as silver, which today's bounds would allow", async () => {
    const path = fileOf(days(30, 1, 360, Date.UTC(2003, 0, 1)));
    expect(await refusalOf(check(path, { ...daily, symbol: "XAG-USD-SPOT" }))).toContain(
      "the price check failed for 30 of 30 rows",
    );
    expect(await check(path, { ...daily, symbol: "XAU-USD-SPOT" })).toMatchObject({ rows: 30 });
  });

  it("name a single price that the market never had as a bad row", async () => {
    const path = fileOf([HEADER, ...rows(20), rowAt(20, "3145.5,31460.2,3145.17,3146.49,103")]);
    expect(await refusalOf(check(path))).toBe(
      `${path} line 22, high: the price check failed: 31460.2 is not between 1000 and 12000 USD, where GC was around 2025`,
    );
  });

  it.each([
    [7, "7d", "there is no such interval"],
    [30, "30d", "figures of months are averages, and no bars of a day"],
  ])("refuse bars %d days apart given as daily ones", async (step, apart, advice) => {
    const path = fileOf(days(20, step, 2_350, Date.UTC(2023, 0, 2)));
    expect(await refusalOf(check(path, daily))).toBe(
      `${path}: the spacing check failed: most of its 20 bars lie ${apart} apart (19 of 19 gaps), but --interval is 1d; ${advice}`,
    );
  });

  it("allow a thin market's bars, some of which are consecutive", async () => {
    const lines = [HEADER, ...Array.from({ length: 40 }, (_, index) => rowAt(index * 3 + (index % 10 === 9 ? -2 : 0)))];
    expect(await check(fileOf(lines))).toMatchObject({ rows: 40 });
  });

  it("ask for the zone of a broker's times, naming the usual ones, and not for that of days", async () => {
    const path = fileOf([HEADER, ...rows(5)]);
    const message = await refusalOf(check(path, { zone: undefined }));
    expect(message).toMatch(
      `${path}: its times have no time zone, and the metatrader format does not define one; pass --timezone: `,
    );
    for (const zone of ["America/New_York+07:00", "Europe/Athens", "+02:00", "UTC"]) expect(message).toContain(zone);
    expect(await check(fileOf(days(5, 1, 2_350)), { ...daily, zone: undefined })).toMatchObject({ rows: 5 });
  });
});

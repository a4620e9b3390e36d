/** Files of every form give the same bars; malformed ones are refused with file, line and field. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Interval } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { afterAll, describe, expect, it } from "vitest";
import { checkFile } from "../check/check-file.ts";
import { fixture, NOW_MS, openScratch, refusalOf, zoneNamed } from "../testing/trial.ts";
import type { ImportFormat } from "./formats.ts";
import { recogniseLayout } from "./layout.ts";
import { type BarSource, readFileBars } from "./read-bars.ts";
import { headOf, inspectFile } from "./source-file.ts";

const scratch = openScratch();
afterAll(() => scratch.remove());

interface How {
  readonly format?: ImportFormat;
  readonly zone?: string;
  readonly interval?: Interval;
  readonly nowMs?: number;
}

const sourceOf = async (path: string, { format, zone, interval = "1m", nowMs = NOW_MS }: How = {}): Promise<BarSource> => {
  const file = await inspectFile(path);
  const layout = recogniseLayout(path, await headOf(file), { format, isZoneNamed: zone !== undefined });
  return { file, layout, symbol: "GC", interval, zone: zoneNamed(zone ?? layout.form.zone ?? "UTC"), nowMs };
};

const read = async (path: string, how?: How): Promise<BarRow[]> => {
  const bars: BarRow[] = [];
  for await (const batch of readFileBars(await sourceOf(path, how))) bars.push(...batch.map(({ bar }) => bar));
  return bars;
};

const check = async (path: string, how?: How) => checkFile(await sourceOf(path, how));

const minute = (offset: number, [open, high, low, close]: readonly string[], volume: string | null, format: string) => ({
  symbol: "GC",
  interval: "1m",
  barStartMs: Date.UTC(2025, 4, 15, 7, 35 + offset),
  open,
  high,
  low,
  close,
  volume,
  isClosed: true,
  sourceId: `import:${format}`,
});

const FIGURES = [
  ["3145.50", "3146.62", "3145.17", "3146.49", "103"],
  ["3146.49", "3146.64", "3144.61", "3144.81", "126"],
  ["3144.81", "3145.02", "3143.90", "3144.20", "98"],
  ["3144.21", "3145.75", "3144.21", "3145.30", "111"],
  ["3145.30", "3145.30", "3144.05", "3144.12", "87"],
] as const;
const FIXTURES: readonly [name: string, format: ImportFormat, how?: How][] = [
  ["assay.csv", "assay"],
  ["assay-archive.csv", "assay"],
  ["stooq-minutes.csv", "stooq"],
  ["metatrader-script.csv", "metatrader"],
  ["metatrader-5.csv", "metatrader"],
  ["metatrader-4.csv", "metatrader", { format: "metatrader" }],
  ["metatrader-ticks.csv", "metatrader"],
  ["tradingview.csv", "tradingview"],
  ["tradingview-iso.csv", "tradingview"],
  ["kaggle.csv", "kaggle"],
  ["stooq-polish.csv", "stooq"],
  ["stooq-bulk.csv", "stooq"],
  ["frame.csv", "csv"],
  ["dukascopy-gmt.csv", "dukascopy"],
  ["dukascopy-local.csv", "dukascopy"],
  ["dukascopy-node.csv", "dukascopy"],
];

describe("a file's bars", () => {
  it.each(FIXTURES)("are the same in the form of %s", async (name, format, how) => {
    const expected = FIGURES.map(([open, high, low, close, volume], offset) =>
      minute(offset, [open, high, low, close], volume, format),
    );
    expect(await read(fixture(name), how)).toEqual(expected);
  });

  it("have no volume and are five hours behind UTC in HistData's summer", async () => {
    const expected = FIGURES.map(([open, high, low, close], offset) =>
      minute(offset, [open, high, low, close], null, "histdata"),
    );
    expect(await read(fixture("histdata.csv"))).toEqual(expected);
  });

  it("are in the zone given, whatever the format's own", async () => {
    const start = async (name: string, zone: string) =>
      new Date((await read(fixture(name), { zone }))[0]?.barStartMs ?? 0).toISOString();
    expect(await start("metatrader-4.csv", "Europe/Athens")).toBe("2025-05-15T04:35:00.000Z");
    expect(await start("metatrader-5.csv", "+02:00")).toBe("2025-05-15T05:35:00.000Z");
    expect(await start("histdata.csv", "America/New_York")).toBe("2025-05-15T06:35:00.000Z");
    expect(await start("dukascopy-gmt.csv", "+02:00")).toBe("2025-05-15T07:35:00.000Z");
  });

  it("are days by the written date, whatever the zone", async () => {
    const days = await read(fixture("stooq-days.csv"), { interval: "1d", zone: "America/New_York" });
    expect(days.map(({ barStartMs }) => new Date(barStartMs).toISOString())).toEqual(
      ["12", "13", "14", "15"].map((day) => `2025-05-${day}T00:00:00.000Z`),
    );
    expect(days[3]).toMatchObject({ open: "3177.15", volume: null, isClosed: true, sourceId: "import:stooq" });
    const local = scratch.write(
      "local-days.csv",
      "Local time,Open,High,Low,Close,Volume\n15.05.2025 00:00:00.000 GMT+0200,3003,3004,3002,3003,1\n",
    );
    expect((await read(local, { interval: "1d" }))[0]?.barStartMs).toBe(Date.UTC(2025, 4, 15));
  });

  it("are the same compressed, in several gzip members, in UTF-16, with a byte order mark, and without a final newline", async () => {
    const plain = readFileSync(fixture("metatrader-5.csv"));
    const expected = await read(fixture("metatrader-5.csv"));
    const variants = {
      "a.csv.gz": gzipSync(plain),
      "b.csv": gzipSync(plain),
      "c.gz": Buffer.concat([gzipSync(plain.subarray(0, 100)), gzipSync(plain.subarray(100))]),
      "d.csv": Buffer.from(`\ufeff${plain.toString()}`, "utf16le"),
      "e.csv": Buffer.from(`\ufeff${plain.toString()}`),
      "f.csv": plain.toString().trimEnd(),
      "g.csv": `${plain.toString()}\r\n\r\n`,
      "h.csv": plain.toString().replaceAll("\r", ""),
      "i.csv": plain.toString().replaceAll("\n", ""),
    };
    for (const [name, bytes] of Object.entries(variants)) expect(await read(scratch.write(name, bytes)), name).toEqual(expected);
  });

  it("are forming while their time is not over, and when the file says so", async () => {
    const closed = async (name: string, nowMs: number) => (await read(fixture(name), { nowMs })).map(({ isClosed }) => isClosed);
    expect(await closed("assay.csv", Date.UTC(2025, 4, 15, 7, 40))).toEqual([true, true, true, true, true]);
    expect(await closed("assay.csv", Date.UTC(2025, 4, 15, 7, 40) - 1)).toEqual([true, true, true, true, false]);
    const stated = scratch.write(
      "stated.csv",
      "bar_start,open,high,low,close,volume,is_closed\n2025-05-15T07:35:00Z,3003,3004,3002,3003,,false\n2025-05-15T07:36:00Z,3003,3004,3002,3003,,true\n",
    );
    expect((await read(stated)).map(({ isClosed, volume }) => [isClosed, volume])).toEqual([
      [false, null],
      [true, null],
    ]);
  });

  it("appear twice in a repeated hour, and not at all in one that clocks skipped", async () => {
    const rows = ["00:59", "01:00", "01:59", "01:00", "01:59", "02:00"].map((time) => `2025.11.02,${time},3003,3004,3002,3003,1`);
    const path = scratch.write("autumn.csv", `${rows.join("\n")}\n`);
    const bars = await read(path, { zone: "America/New_York" });
    expect(bars.map(({ barStartMs }) => new Date(barStartMs).toISOString().slice(11, 16))).toEqual([
      "04:59",
      "05:00",
      "05:59",
      "06:00",
      "06:59",
      "07:00",
    ]);
    const spring = scratch.write(
      "spring.csv",
      "2025.03.09,01:59,3003,3004,3002,3003,1\n2025.03.09,02:00,3003,3004,3002,3003,1\n",
    );
    expect(await refusalOf(read(spring, { zone: "America/New_York" }))).toBe(
      `${spring} line 2, bar_start: "2025.03.09 02:00" was skipped by the clocks of America/New_York`,
    );
  });
});

const HEADER = "time,Open,High,Low,Close,Volume";
const GOOD = "2025-05-15 07:35:00,3145.5,3146.62,3145.17,3146.49,103";

describe("a broken file", () => {
  it.each([
    ["2025-05-15 07:36:00,abc,3146.64,3144.61,3144.81,126", 'open: "abc" is not a plain decimal'],
    ["2025-05-15 07:36:00,3146.49,,3144.61,3144.81,126", 'high: "" is not a plain decimal'],
    ["2025-05-15 07:36:00,3146.49,3146.64,3.1e400,3144.81,126", 'low: "3.1e400" is not a plain decimal'],
    ["2025-05-15 07:36:00,3146.49,3146.64,3144.61, 3144.81,126", 'close: " 3144.81" is not a plain decimal'],
    ["2025-05-15 07:36:00,3146.49,3146.64,3144.61,NaN,126", 'close: "NaN" is not a plain decimal'],
    [
      '2025-05-15 07:36:00,"3,146",3146.64,3144.61,3144.81,126',
      'open: "3,146" may be thousands or decimals; pass --decimal point',
    ],
    ["2025-05-15 07:36:00,3146.49,3146.64,0.00,3144.81,126", "low: 0.00 is not above zero"],
    ["2025-05-15 07:36:00,-1,3146.64,-2,3144.81,126", "open: -1 is not above zero"],
    ["2025-05-15 07:36:00,3146.49,3146.64,3144.61,3144.81,-126", "volume: -126 is below zero"],
    ["2025-05-15 07:36:00,3146.49,3146.64,3144.61,3144.81,1.2.3", 'volume: "1.2.3" is not a plain decimal'],
    ["2025-05-15 07:36:00,3147.49,3146.64,3144.61,3144.81,126", "open: 3147.49 above high 3146.64"],
    ["2025-05-15 07:36:00,3146.49,3146.64,3144.61,3144.60,126", "close: 3144.60 below low 3144.61"],
    ["2025-05-15 07:36:00,3146.49,3144.60,3144.61,3144.60,126", "open: 3146.49 above high 3144.60"],
    [
      "2025-05-15 07:36:30,3146.49,3146.64,3144.61,3144.81,126",
      "bar_start: 2025-05-15T07:36:30Z is not the start of a 1m bar in UTC; check --interval and --timezone",
    ],
    ["2025-02-30 07:36:00,3146.49,3146.64,3144.61,3144.81,126", 'bar_start: "2025-02-30 07:36:00" is not a valid date and time'],
    [
      "15.05.2025 07:36:00,3146.49,3146.64,3144.61,3144.81,126",
      'bar_start: "15.05.2025 07:36:00" is not a time of the metatrader format, such as 2025-05-15 07:35:00',
    ],
    ["2025-05-15,3146.49,3146.64,3144.61,3144.81,126", 'bar_start: "2025-05-15" is a day without a time, but --interval is 1m'],
    [
      "2026-01-01 00:01:00,3146.49,3146.64,3144.61,3144.81,126",
      "bar_start: 2026-01-01T00:01:00Z is in the future; check --timezone",
    ],
    [
      "2025-05-15 07:35:00,3146.49,3146.64,3144.61,3144.81,126",
      "bar_start: the bar of 2025-05-15T07:35:00.000Z is already on an earlier line",
    ],
    ["2025-05-15 07:36:00,3146.49,99993146640000,3144.61,3144.81,126", "high: 99993146640000 is too large"],
    ["2025-05-15 07:36:00,3146.49,3146.64,3144.61,3144.81", "row: it has 5 columns instead of 6"],
    ["2025-05-15 07:36:00,3146.49,3146.64,3144.61,3144.81,126,1", "row: it has 7 columns instead of 6"],
    ["   ", "row: it has 1 columns instead of 6"],
    [
      '2025-05-15 07:36:00,3146.49,3146.64,3144.61,3144.81,"126',
      "row: not valid CSV: a quote inside a field, or one that is not",
    ],
    [
      '2025-05-15 07:36:00,3146.49,3146.64,3144.61,3144.81,"126"x',
      "row: not valid CSV: a quote inside a field, or one that is not",
    ],
    [`2025-05-15 07:36:00,${"9".repeat(5_000)},3146.64,3144.61,3144.81,126`, "row: the line is longer than 4096 characters"],
    [`2025-05-15 07:36:00${",1".repeat(256)}`, "row: it has more than 256 fields"],
  ])("with the row %s is refused by file, line and field", async (row, message) => {
    // The blank line counts, as in an editor.
    const path = scratch.write(
      "broken.csv",
      `${HEADER}\n${GOOD}\n\n${row}\n2025-05-15 07:37:00,3144.81,3145.02,3143.90,3144.20,98\n`,
    );
    expect(await refusalOf(check(path))).toMatch(`${path} line 4, ${message}`);
  });

  it("is refused at the line it breaks in, however far down", async () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => {
      const time = new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString().slice(0, 19).replace("T", " ");
      return `${time},3145.5,3146.62,3145.17,${index === 28_765 ? "oops" : "3146.49"},103`;
    });
    const path = scratch.write("far.csv.gz", gzipSync(`${HEADER}\n${rows.join("\n")}\n`));
    expect(await refusalOf(check(path))).toBe(`${path} line 28767, close: "oops" is not a plain decimal`);
  });

  it("is refused when is_closed is neither true nor false", async () => {
    const path = scratch.write(
      "odd.csv",
      "bar_start,open,high,low,close,volume,is_closed\n2025-05-15T07:35:00Z,3003,3004,3002,3003,,yes\n",
    );
    expect(await refusalOf(check(path))).toBe(`${path} line 2, is_closed: "yes" is neither true nor false`);
  });

  it("is refused when a daily bar begins within the day", async () => {
    const path = scratch.write(
      "days.csv",
      `${HEADER}\n2025-05-15 00:00:00,3003,3004,3002,3003,1\n2025-05-16 17:00:00,3003,3004,3002,3003,1\n`,
    );
    expect(await refusalOf(check(path, { interval: "1d" }))).toBe(
      `${path} line 3, bar_start: "2025-05-16 17:00:00" is not the start of a daily bar (00:00); check --interval`,
    );
  });

  it("is refused when its bars are longer than --interval says", async () => {
    const rows = Array.from(
      { length: 12 },
      (_, hour) => `2025-05-15 ${String(hour).padStart(2, "0")}:00:00,3003,3004,3002,3003,1`,
    );
    const path = scratch.write("hours.csv", `${HEADER}\n${rows.join("\n")}\n`);
    expect(await refusalOf(check(path))).toBe(
      `${path}: the spacing check failed: most of its 12 bars lie 1h apart (11 of 11 gaps), but --interval is 1m; ` +
        "if they are 1h bars, pass --interval 1h",
    );
    expect(await check(path, { interval: "1h" })).toMatchObject({ rows: 12, isAscending: true });
  });

  it("is refused when more rows are out of order than can be sorted", async () => {
    const path = scratch.write("reverse.csv", `${HEADER}\n${GOOD.replace("07:35", "07:36")}\n${GOOD}\n`);
    expect(await refusalOf(sourceOf(path).then((source) => checkFile(source, {}, 1)))).toBe(
      `${path}: its 2 rows are not in chronological order; sort them, oldest first (the import itself sorts up to 1 rows)`,
    );
    expect(await check(path)).toMatchObject({ rows: 2, isAscending: false });
  });

  it("is refused when it is empty or has only a header", async () => {
    const header = scratch.write("header.csv", `${HEADER}\n`);
    expect(await refusalOf(check(header))).toBe(`${header}: contains no bars`);
    const empty = scratch.write("empty.csv", "");
    expect(await refusalOf(check(empty))).toBe(`${empty}: the file is empty`);
  });

  it("is refused when its gzip is cut short or damaged, whole rows before the damage notwithstanding", async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => {
      const time = new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString().slice(0, 19).replace("T", " ");
      return `${time},3145.5,3146.62,3145.17,3146.49,${(index * 7_919) % 9_973}`;
    });
    const whole = gzipSync(`${HEADER}\n${rows.join("\n")}\n`);
    const cut = scratch.write("cut.csv.gz", whole.subarray(0, -1_000));
    expect(await refusalOf(check(cut))).toBe(`${cut}: the gzip file is cut short or damaged (unexpected end of file)`);
    const damaged = Buffer.from(whole);
    damaged.fill(0xa5, whole.length - 2_000, whole.length - 1_000);
    expect(await refusalOf(check(scratch.write("damaged.csv.gz", damaged)))).toMatch(
      /: the gzip file is .* damaged | line \d+, /,
    );
  });

  it("is refused when it does not exist, or is a folder or a compressed file other than gzip", async () => {
    const missing = `${scratch.folder}/missing.csv`;
    expect(await refusalOf(read(missing))).toBe(`${missing}: no such file`);
    expect(await refusalOf(read(scratch.folder))).toBe(`${scratch.folder}: it is a folder`);
    const zip = scratch.write("DAT_ASCII.csv", "PK\u0003\u0004rest");
    expect(await refusalOf(read(zip))).toBe(`${zip}: a zip archive; unpack it first`);
    const zst = scratch.write("bars.csv.zst", Buffer.from("28b52ffd0458", "hex"));
    expect(await refusalOf(read(zst))).toBe(`${zst}: compressed with zstd; unpack it first`);
  });

  it("is refused when it changed after it was checked", async () => {
    const path = scratch.write("changing.csv", `${HEADER}\n${GOOD}\n`);
    const source = await sourceOf(path);
    const drain = async () => {
      for await (const _ of readFileBars(source, { digest: "0".repeat(64) }));
    };
    expect(await refusalOf(drain())).toBe(`${path}: the file changed while it was being read; run the import again`);
  });
});

/** Files as analysts have them: each is read with the options its error names, and never by a guess. */
import { INTERVALS } from "@assay/contract";
import { readEncodedBars, type Store, upsertBars } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readColumnMap } from "./read/layout.ts";
import type { ImportRequest } from "./run-import.ts";
import { fixture, NOW_MS, openScratch, read, refusalOf, seriesOf, tryImport, zoneNamed } from "./testing/trial.ts";

const scratch = openScratch();
afterAll(() => scratch.remove());

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

describe("a file with decimal commas", () => {
  const path = fixture("decimal-comma.csv");

  it("is read with --decimal comma, thousands separators included", async () => {
    expect(await read(path, { decimal: "comma" })).toMatchObject([
      { barStartMs: day("2024-05-13"), open: "2360.10", high: "2363.00", low: "2332.20", close: "2336.00" },
      { barStartMs: day("2024-05-14"), open: "2336.00", high: "2359.00", low: "2334.00", close: "2358.10" },
    ]);
  });

  it("is refused without it, by an error that names it", async () => {
    expect(await refusalOf(read(path))).toBe(
      `${path} line 2, open: "2.360,10" is not a plain decimal; pass --decimal comma if the comma separates decimals`,
    );
  });
});

describe("a file with the month first, thousands separators and percentages", () => {
  const path = fixture("month-first.csv");
  const map = readColumnMap("close=Price");

  it("is read with --map and --dates mdy", async () => {
    expect(await read(path, { map, dates: "mdy" })).toMatchObject([
      { barStartMs: day("2024-05-10"), open: "2346.20", high: "2378.40", low: "2345.00", close: "2360.50" },
      { barStartMs: day("2024-05-09"), open: "2309.00", high: "2347.60", low: "2306.50", close: "2346.30" },
    ]);
  });

  it("is read with the day first when --dates says so", async () => {
    const [first] = await read(path, { map, dates: "dmy" });
    expect(first?.barStartMs).toBe(day("2024-10-05"));
  });

  it("is refused without them, by errors that name both", async () => {
    expect(await refusalOf(read(path))).toBe(
      `${path}: its header has no column for close; name it with --map, as in --map close=NAME; its dates need --dates mdy or ` +
        `--dates dmy; the header is ${JSON.stringify('"Date","Price","Open","High","Low","Vol.","Change %"')}`,
    );
    expect(await refusalOf(read(path, { map }))).toBe(
      `${path} line 2, bar_start: "05/10/2024" may begin with the month or the day; pass --dates mdy or --dates dmy`,
    );
    expect(await refusalOf(read(path, { dates: "mdy" }))).toContain("no column for close; name it with --map");
  });

  it("is refused at a date that does not exist in the order given, and at one of another form", async () => {
    const file = (date: string) => scratch.write("dates.csv", `Date,Open,High,Low,Close\n${date},2360,2363,2332,2336\n`);
    expect(await refusalOf(read(file("15/05/2024"), { dates: "mdy" }))).toContain('"15/05/2024" is not a valid date and time');
    expect(await refusalOf(read(file("2024-05-15"), { dates: "mdy" }))).toContain(
      '"2024-05-15" is not a time of the csv format, such as 05/15/2025 07:35:00',
    );
    expect(await read(file("5/9/2024"), { dates: "dmy" })).toMatchObject([{ barStartMs: day("2024-09-05") }]);
  });
});

describe("a publisher's own file of closes", () => {
  const closesOf = async (text: string, change: Partial<ImportRequest> = {}) => {
    const bars = await read(scratch.write("published.csv", text), { isCloseOnly: true, ...change });
    return bars.map(({ barStartMs, open, close }) => [new Date(barStartMs).toISOString().slice(0, 10), open, close]);
  };

  it("of FRED is read, days without a price left out, from before 1996 as well", async () => {
    expect(await closesOf("observation_date,GOLDPMGBD228NLBM\n2019-01-01,\n2019-01-02,1287.200\n")).toEqual([
      ["2019-01-02", null, "1287.200"],
    ]);
    expect(await closesOf("DATE,GOLDAMGBD228NLBM\n1968-04-05,36.900\n1968-04-08,.\n")).toEqual([["1968-04-05", null, "36.900"]]);
  });

  it("of the LBMA is read, newest first, by the column that is named", async () => {
    const map = readColumnMap("close=USD (PM)");
    const text = "Date,USD (AM),USD (PM),EURO (PM)\n2019-03-15,1304.35,1303.3,1149.9\n2019-03-14,1301.75,1295.2,1145.86\n";
    expect(await closesOf(text, { map })).toEqual([
      ["2019-03-15", null, "1303.3"],
      ["2019-03-14", null, "1295.2"],
    ]);
    expect(await refusalOf(closesOf(text))).toContain("name it with --map, as in --map close=NAME");
  });

  it("of the World Bank is refused, as averages of months", async () => {
    expect(await refusalOf(closesOf(",Gold\n1960M01,35.27\n1960M02,35.27\n"))).toContain(
      'line 2, bar_start: "1960M01" is a month: its figure is an average, and no bar of a day',
    );
  });

  it("whose dates are in a column without a name is read, unless two have none", async () => {
    expect(await closesOf(",Gold\n2024-05-10,2360.5\n")).toEqual([["2024-05-10", null, "2360.5"]]);
    expect(await refusalOf(closesOf(",Gold,\n2024-05-10,2360.5,\n"))).toContain("not in a known format");
  });
});

describe("a time with two zones", () => {
  it.each(["+00:00Z", "Z+02:00", "+0200 UTC"])("such as %s is refused, naming both", async (zones) => {
    const path = scratch.write("zones.csv", `time,open,high,low,close\n2024-05-13T00:00:00${zones},2360.1,2363,2332.2,2336\n`);
    expect(await refusalOf(read(path))).toMatch(
      /line 2, bar_start: "2024-05-13T00:00:00\S+(?: UTC)?" has two time zones, \S+ and \S+; remove one of them from the file$/,
    );
  });
});

describe("a file of closes alone", () => {
  const path = fixture("close-only.csv");

  it("is refused without --close-only, by an error that names it", async () => {
    expect(await refusalOf(read(path))).toBe(
      `${path}: its header has no column for open, high, low, close; pass --close-only if it has closes alone, or name the ` +
        'columns with --map, as in --map close=NAME; the header is "DATE,PM USD"',
    );
  });

  it("is read with --close-only: its one column of figures has the closes, and days without one are left out", async () => {
    expect((await read(path, { isCloseOnly: true })).map(({ close }) => close)).toEqual(["2360.50", "2338.05", "2373.00"]);
  });

  it("needs --map where several columns could be the close", async () => {
    const several = scratch.write("several.csv", "DATE,USD AM,USD PM\n2024-05-13,2340.1,2338.05\n");
    expect(await refusalOf(read(several, { isCloseOnly: true }))).toContain("no column for close; name it with --map");
    const [bar] = await read(several, { isCloseOnly: true, map: readColumnMap("close=USD PM") });
    expect(bar).toMatchObject({ open: null, high: null, low: null, close: "2338.05" });
  });

  it("has its closes checked like any other price", async () => {
    const cents = scratch.write("cents.csv", "DATE,PM USD\n2024-05-13,233805\n");
    expect(await refusalOf(read(cents, { isCloseOnly: true }))).toContain(
      'line 2, close (column "PM USD"): the price check failed: 233805 is not between',
    );
  });
});

describe.each(testEngines)("closes alone on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  afterAll(() => store.close());

  it("are stored as bars without open, high and low, counted as such, and null on the wire", async () => {
    const path = fixture("close-only.csv");
    const gold = { symbol: "XAU-USD-SPOT", interval: "1d", isCloseOnly: true } as const;
    const { said } = await tryImport(store, [path], gold);
    expect(said.join("\n")).toContain("  closes only: 3 bars without open, high and low\n  dropped: 1 row without a close");
    const bars = await seriesOf(store, "XAU-USD-SPOT", "1d");
    expect(bars.map(({ open, high, low, close }) => [open, high, low, close])).toEqual([
      [null, null, null, "2360.50"],
      [null, null, null, "2338.05"],
      [null, null, null, "2373.00"],
    ]);
    const wire = await readEncodedBars(store, "XAU-USD-SPOT", "1d");
    expect(JSON.parse(`[${Buffer.from(wire.bytes).toString()}]`)[0]).toEqual({
      bar_start: "2024-05-15T00:00:00Z",
      open: null,
      high: null,
      low: null,
      close: "2373.00",
      volume: null,
      is_closed: true,
    });
  });

  it("are read back from an archive that has them among others", async () => {
    const header = "bar_start,open,high,low,close,volume,is_closed";
    const rows = ["2020-01-02T00:00:00Z,,,,1529.13,,true", "2020-01-03T00:00:00Z,1529.13,1553.00,1528.00,1552.20,,true"];
    const path = scratch.write("2020.csv", [header, ...rows, ""].join("\n"));
    const { said } = await tryImport(store, [path], { symbol: "GC", interval: "1d" });
    expect(said.join("\n")).toContain("closes only: 1 bar without open, high and low");
    expect(await seriesOf(store, "GC", "1d")).toMatchObject([
      { open: null, close: "1529.13" },
      { open: "1529.13", close: "1552.20" },
    ]);
    const partly = scratch.write("partly.csv", [header, rows[0]?.replace(",,,,", ",1520,,,"), ""].join("\n"));
    expect(await refusalOf(read(partly))).toContain('line 2, high: "" is not a plain decimal');
  });

  it("build longer intervals of closes alone", async () => {
    const rows = Array.from({ length: 120 }, (_, minute) => {
      const start = new Date(Date.UTC(2025, 4, 15, 7, minute)).toISOString();
      return `${start},${(3145 + minute / 100).toFixed(2)}`;
    });
    const path = scratch.write("minutes.csv", `time,price\n${rows.join("\n")}\n`);
    await tryImport(store, [path], { symbol: "SI", isCloseOnly: true, scale: "0.01" });
    for (const interval of INTERVALS) {
      const bars = await seriesOf(store, "SI", interval);
      expect(new Set(bars.flatMap(({ open, high, low }) => [open, high, low]))).toEqual(new Set([null]));
      expect(bars.at(-1)?.close).toBe("31.4619");
    }
  });

  it("leave the prices of a bar that is forming from ticks, and take its later close", async () => {
    const nowMs = NOW_MS - 3_600_000;
    const today = new Date(nowMs).toISOString().slice(0, 10);
    const ticks = { open: "28", high: "31", low: "27", close: "30", volume: null, isClosed: false, sourceId: "composed" };
    await upsertBars(store, [{ symbol: "XAG-USD-SPOT", interval: "1d", barStartMs: day(today), ...ticks }]);
    const path = scratch.write("today.csv", `DATE,USD\n${today},29\n`);
    await tryImport(store, [path], { symbol: "XAG-USD-SPOT", interval: "1d", isCloseOnly: true }, { clock: () => nowMs });
    expect(await seriesOf(store, "XAG-USD-SPOT", "1d")).toMatchObject([{ open: "28", high: "31", low: "27", close: "30" }]);
  });
});

describe("a file as a website or program writes it", () => {
  const TWO_DAYS = [
    ["2024-05-13T00:00", "2336.5"],
    ["2024-05-14T00:00", "2358.1"],
  ];
  const HEADER = "Date,Open,High,Low,Close";
  const readCloses = async (text: string, change: Partial<ImportRequest> = {}) => {
    const bars = await read(scratch.write("form.csv", text), change);
    return bars.map(({ barStartMs, close, volume }) => {
      const start = new Date(barStartMs).toISOString().slice(0, 16);
      return volume === null ? [start, close] : [start, close, volume];
    });
  };
  /** A table of both days. */
  const table = (first: string, second: string, header = HEADER, more = ["", ""]): string =>
    `${header}\n${first},2360.1,2361.0,2332.0,2336.5${more[0]}\n${second},2336.5,2359.2,2334.1,2358.1${more[1]}\n`;

  it.each([
    ["a year of two digits after a month's name", table("13-May-24", "14-May-24")],
    ["weekdays", table('"Mon, May 13, 2024"', '"Tuesday, May 14, 2024"')],
    ["dates of RFC 2822", table('"Mon, 13 May 2024 00:00:00 GMT"', '"Tue, 14 May 2024 00:00:00 +0000"')],
    ["the last price for the close", table("2024-05-13", "2024-05-14", "Time,Open,High,Low,Last,Change", [",-23.6", ",21.6"])],
    [
      "rows that a spreadsheet has cleared",
      table("2024-05-13", "2024-05-14").replaceAll("\n", "\n,,,,\n").replace("\n,,,,", "\n"),
    ],
    ["Excel's line that names the delimiter", `sep=;\n${table("2024-05-13", "2024-05-14").replaceAll(",", ";")}`],
  ])("%s", async (_, text) => {
    expect(await readCloses(text)).toEqual(TWO_DAYS);
  });

  it("a year of two digits after a day and a month, once their order is named", async () => {
    const text = table("05/13/24", "5/14/24");
    expect(await readCloses(text, { dates: "mdy" })).toEqual(TWO_DAYS);
    expect(await refusalOf(readCloses(text))).toContain('"05/13/24" may begin with the month or the day; pass --dates mdy');
    expect(await readCloses(table("12/30/75", "12/31/75"), { dates: "mdy", symbol: "XAU-USD-SPOT" }).catch(String)).toContain(
      "around 1975",
    );
  });

  it("compact dates with clocks, one or two blanks apart", async () => {
    const text = table("20240513  09:30:00", "20240513 09:31:00", HEADER.toLowerCase());
    expect(await readCloses(text, { interval: "1m", zone: zoneNamed("UTC") })).toEqual([
      ["2024-05-13T09:30", "2336.5"],
      ["2024-05-13T09:31", "2358.1"],
    ]);
  });

  it("volumes in thousands and millions, exactly", async () => {
    expect(
      await readCloses(table("2024-05-13", "2024-05-14", `${HEADER},Vol.`, [",210.45K", ",1.2M"]), { symbol: "GC" }),
    ).toEqual([
      ["2024-05-13T00:00", "2336.5", "210450"],
      ["2024-05-14T00:00", "2358.1", "1200000"],
    ]);
  });

  it.each([
    ["day numbers", table("45425", "45426"), '"45425" is a spreadsheet\'s day number; show the column as dates'],
    ["bytes that are not UTF-8", table("2024-05-13", "2024-05-14", "Datum,Er\ufffdffnung,Hoch,Tief,Schluss"), "it is not UTF-8"],
    ["no header", "1715592600,2360.1,2361.0,2332.0,2336.5,12.5,12\n", "if it has no header, write one above it"],
  ])("is refused for %s, with what to do", async (_, text, words) => {
    expect(await refusalOf(readCloses(text))).toContain(words);
  });
});

/** Files as other people's programs and spreadsheets write them: read, or refused by an error that says what to do. */
import { afterAll, describe, expect, test } from "vitest";
import { readColumnMap } from "./read/layout.ts";
import { readZone } from "./read/zone.ts";
import type { ImportRequest } from "./run-import.ts";
import { openScratch, read, refusalOf } from "./testing/trial.ts";

const scratch = openScratch();
afterAll(() => scratch.remove());

const OHLC = "Date,Open,High,Low,Close";
const ROW = "2360,2363,2332,2336";
const settle = { map: readColumnMap("close=Settle") };
const zone = readZone("UTC");
const utc = { interval: "1h", ...(zone && { zone }) } as const;

interface Case {
  readonly what: string;
  readonly file: string;
  readonly change?: Partial<ImportRequest>;
  /** Each bar's start and close. */
  readonly bars: readonly (readonly [start: string, close: string])[];
}

const CASES: readonly Case[] = [
  {
    what: "months by name, before the day",
    file: '"Date","Price","Open","High","Low"\n"May 10, 2024","2,360.50","2,346.20","2,378.40","2,345.00"\n"Sept 9, 2024","2346.3","2309","2347.6","2306.5"',
    change: { map: readColumnMap("close=Price") },
    bars: [
      ["2024-05-10", "2360.50"],
      ["2024-09-09", "2346.3"],
    ],
  },
  {
    what: "months by name, after the day",
    file: `${OHLC}\n13-May-2024,${ROW}\n14 June 2024,${ROW}`,
    bars: [
      ["2024-05-13", "2336"],
      ["2024-06-14", "2336"],
    ],
  },
  ...["/", "-", "."].map((mark) => ({
    what: `years first, without leading zeros, with ${mark}`,
    file: `${OHLC}\n2024${mark}5${mark}9,${ROW}\n2024${mark}5${mark}10,${ROW}`,
    bars: [
      ["2024-05-09", "2336"],
      ["2024-05-10", "2336"],
    ] as const,
  })),
  {
    what: "hours without a leading zero",
    file: `${OHLC}\n2024-05-13 7:00,${ROW}\n2024-05-13 10:00:00,${ROW}`,
    change: utc,
    bars: [
      ["2024-05-13T07", "2336"],
      ["2024-05-13T10", "2336"],
    ],
  },
  {
    what: "a clock of twelve hours",
    file: `${OHLC}\n5/13/2024 12:00:00 AM,${ROW}\n5/13/2024 1:00 am,${ROW}\n5/13/2024 12:00:00 PM,${ROW}\n5/13/2024 1:00:00 p.m.,${ROW}`,
    change: { ...utc, dates: "mdy" },
    bars: ["00", "01", "12", "13"].map((hour) => [`2024-05-13T${hour}`, "2336"] as const),
  },
  {
    what: "instants in seconds, milli-, micro- and nanoseconds",
    file: `timestamp,open,high,low,close\n${["1735776000", "1735779600000", "1735783200000000", "1735786800000000000"].map((at) => `${at},${ROW}`).join("\n")}`,
    change: { interval: "1h" },
    bars: ["00", "01", "02", "03"].map((hour) => [`2025-01-02T${hour}`, "2336"] as const),
  },
  {
    what: "rows without figures, when they are left out",
    file: `${OHLC},Volume\n2024-05-13,${ROW},1200\n2024-05-14,null,null,null,null,null\n2024-05-15,NaN,NaN,NaN,NaN,NaN\n2024-05-16,${ROW},1`,
    change: { isDroppingEmptyVolume: true },
    bars: [
      ["2024-05-13", "2336"],
      ["2024-05-16", "2336"],
    ],
  },
  {
    what: "figures with an exponent, exactly",
    file: `${OHLC}\n2024-05-13,2.3601E+03,2.363E+03,2.3322e3,2.336E+03\n2024-05-14,23361E-1,2359,2334,2.3581E+03`,
    bars: [
      ["2024-05-13", "2336"],
      ["2024-05-14", "2358.1"],
    ],
  },
  {
    what: "prices with a dollar sign",
    file: `Date,Close/Last,Open,High,Low\n05/14/2024,"$2,358.00",$2336.00,$2359.00,US$ 2334.00`,
    change: { dates: "mdy", map: readColumnMap("close=Close/Last") },
    bars: [["2024-05-14", "2358.00"]],
  },
  {
    what: "a row of units below the header",
    file: `Date,Open,High,Low,Settle\n,USD,USD,USD,USD\n2024-05-13,${ROW}\n2024-05-14,${ROW}`,
    change: { ...settle, isSkippingBadRows: true },
    bars: [
      ["2024-05-13", "2336"],
      ["2024-05-14", "2336"],
    ],
  },
  {
    what: "yfinance's header of three lines",
    file: "Price,Close,High,Low,Open,Volume\nTicker,GC=F,GC=F,GC=F,GC=F,GC=F\nDate,,,,,\n2024-05-13,2336,2363,2332,2360,1200\n2024-05-14,2358,2359,2334,2336,900",
    change: { symbol: "GC" },
    bars: [
      ["2024-05-13", "2336"],
      ["2024-05-14", "2358"],
    ],
  },
];

test.each(CASES)("reads $what", async ({ file, change, bars }) => {
  const got = await read(scratch.write("file.csv", file), change);
  const expected = bars.map(([start, close]) => [Date.parse(start.includes("T") ? `${start}:00Z` : start), close]);
  expect(got.map(({ barStartMs, close }) => [barStartMs, close])).toEqual(expected);
});

describe("a file is refused", () => {
  test.each([
    ["its rows without figures are not left out", `${OHLC},Volume\n2024-05-13,null,1,1,1,0`, {}, "--drop-empty-volume"],
    ["its prices are in another currency", `${OHLC}\n2024-05-13,€2360,€2363,€2332,€2336`, {}, "is not in USD"],
    ["a title is above its header", `Gold futures\nSource: example\n\n${OHLC}\n2024-05-13,${ROW}`, {}, "remove the lines above"],
    ["its hour is none of twelve", `${OHLC}\n2024-05-13 13:00 PM,${ROW}`, utc, "13:00 PM"],
    ["it has another month", `${OHLC}\n13-Mai-2024,${ROW}`, {}, "is not a valid date"],
    ["a figure has a long exponent", `${OHLC}\n2024-05-13,1e400,2363,2332,2336`, {}, "is not a plain decimal"],
  ] as const)("because %s", async (_, file, change, said) => {
    expect(await refusalOf(read(scratch.write("file.csv", file), change))).toContain(said);
  });
});

import { describe, expect, it } from "vitest";
import { ImportError } from "../import-error.ts";
import { FORMS, IMPORT_FORMATS, type ImportFormat } from "./formats.ts";
import { readColumnMap, recogniseLayout } from "./layout.ts";

const recognise = (head: string, format?: ImportFormat, isZoneNamed = false) =>
  recogniseLayout("a.csv", head, { format, isZoneNamed });
const HISTORY_CENTER = "2025.05.15,07:35,3145.50,3146.62,3145.17,3146.49,103\n";

describe("recogniseLayout", () => {
  it.each(FORMS.map((form) => [form.format, form.example.split("\n").at(-1), form] as const))(
    "finds the example of %s: %s",
    (format, _row, form) => {
      const layout = recognise(`${form.example}\n`, format);
      expect(layout.form).toBe(FORMS.find(({ example, format: of }) => of === format && example === form.example));
      const row = form.example.split("\n").at(-1)?.split(layout.delimiter) ?? [];
      expect(row).toHaveLength(layout.width);
      expect(Number(row[layout.high])).toBeGreaterThan(Number(row[layout.low]));
    },
  );

  it.each(FORMS.filter(({ example }) => !example.startsWith("2025.05.15,")).map(({ format, example }) => [format, example]))(
    "needs no --format for %s: %s",
    (format, example) => {
      expect(recognise(`${example}\r\n`).form.format).toBe(format);
    },
  );

  it("refuses to choose between MetaTrader's and HistData's zone", () => {
    expect(() => recognise(HISTORY_CENTER)).toThrow(
      "a.csv: it may be in the metatrader or the histdata format, which differ in their time zone; " +
        "pass --format or --timezone",
    );
    expect(recognise(HISTORY_CENTER, "histdata").form.zone).toBe("-05:00");
    expect(recognise(HISTORY_CENTER, "metatrader").form.zone).toBeNull();
    expect(recognise(HISTORY_CENTER, undefined, true).form.format).toBe("metatrader");
  });

  it("reads headers in any case, order and quotes, and finds the columns by name", () => {
    const layout = recognise('"VOLUME","Close","Low","High","Open","Date"\n"1","2","3","4","5","2025-05-15"\n');
    expect(layout).toMatchObject({ date: 5, open: 4, high: 3, low: 2, close: 1, volume: 0, time: -1, isClosed: -1, width: 6 });
  });

  it("prefers the real volume to the tick count, and takes the tick count otherwise", () => {
    const exported = "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>";
    expect(recognise(`${exported}\n`).volume).toBe(7);
    expect(recognise(`${exported.replace("\t<VOL>", "")}\n`).volume).toBe(6);
  });

  it.each([
    ["no table at all", "<!DOCTYPE html><html>\n<body>"],
    ["a broken quote", '"Date,Open\n'],
  ])("does not recognise a file with %s, and shows the line", (_what, head) => {
    expect(() => recognise(head)).toThrow(
      `a.csv: not in a known format (${IMPORT_FORMATS.join(", ")}); its first line is ${JSON.stringify(head.split("\n")[0])}`,
    );
  });

  it.each([
    ["a missing column", "Date,Open,High,Low\n2025-05-15,1,2,1\n", "no column for close", "close"],
    ["columns of other names", "Date,Price,Open,High,Low\n2025-05-15,1,2,1,2\n", "no column for close", "close"],
    ["a column that appears twice", "Date,Open,High,Low,Close,Close\n2025-05-15,1,2,1,2,2\n", "two columns for close", "close"],
    ["a column named like what every object has", "constructor,open,high,low,close\nx,1,2,1,2\n", "no column for date", "date"],
  ])("says what a header with %s lacks, and how to name it", (_what, head, fault, column) => {
    expect(() => recognise(head)).toThrow(
      `a.csv: its header has ${fault}; name it with --map, as in --map ${column}=NAME; the header is "${head.split("\n")[0]}"`,
    );
  });

  it("ignores columns of other names, and says which", () => {
    const layout = recognise(",Date,Open,High,Low,Close,Adj Close,Volume\n0,2025-05-15,1,2,1,2,2,3\n");
    expect(layout).toMatchObject({ form: { format: "stooq" }, date: 1, close: 5, volume: 7, passedOver: ["", "Adj Close"] });
  });

  it.each([
    ["epoch seconds under timestamp", "timestamp,open,high,low,close\n1747294500,1,2,1,2\n", "csv"],
    ["a zone of +00:00", "Date,Open,High,Low,Close\n2025-05-15 07:35:00+00:00,1,2,1,2\n", "csv"],
    ["days alone", "timestamp;open;high;low;close\n2025-05-15;1;2;1;2\n", "csv"],
    ["TradingView's indicators", "time,open,high,low,close,Volume,Volume MA\n1747294500,1,2,1,2,3,4\n", "tradingview"],
    ["TradingView's ISO times", "time,open,high,low,close\n2025-05-15T09:35:00+02:00,1,2,1,2\n", "tradingview"],
    [
      "a broker's ticks under Date",
      "Date\tOpen\tHigh\tLow\tClose\ttick_volume\n2025-05-15 07:35:00\t1\t2\t1\t2\t3\n",
      "metatrader",
    ],
    ["Polish letters", "Data;Otwarcie;Najwyższy;Najniższy;Zamknięcie\n2025-05-15;1;2;1;2\n", "stooq"],
  ])("reads %s", (_what, head, format) => {
    expect(recognise(head)).toMatchObject({ form: { format }, timesRead: 1 });
  });

  it("recognises a format by its header, whatever its first row holds", () => {
    expect(recognise("Date,Open,High,Low,Close\n15/05/2025,1,2,1,2\n")).toMatchObject({
      form: { format: "stooq" },
      timesRead: 0,
    });
  });

  it("finds columns as they are mapped, in any case, and the others by their usual names", () => {
    const map = readColumnMap('TIME=When,"close=Last, USD"');
    const head = 'When,Open,High,Low,"Last, USD",Close,Volume\n2025.05.15 07:35,1,2,1,2,9,3\n';
    expect(recogniseLayout("a.csv", head, { map, isZoneNamed: false })).toMatchObject({
      form: { format: "csv" },
      date: 0,
      time: -1,
      open: 1,
      close: 4,
      volume: 6,
      passedOver: ["Close"],
    });
    expect(() => recogniseLayout("a.csv", "Date,Open\n1,2\n", { map, isZoneNamed: false })).toThrow(
      'a.csv: --map names the column "when", which the header lacks; its columns are Date, Open',
    );
  });

  it.each(["time", "time=", "when=Date", "open=A,open=B", "open=A,close=A", '"open=A'])("refuses the map %s", (text) => {
    expect(() => readColumnMap(text)).toThrow(ImportError);
  });

  it("says that a file is not text", () => {
    expect(() => recognise("\u007fELF\u0000\u0001,\n")).toThrow(
      "a.csv: it is not text; CSV is UTF-8, or UTF-16 with a byte order mark",
    );
  });

  it("says when a file is not in the format it is said to be", () => {
    expect(() => recognise("Date,Open,High,Low,Close\n2025-05-15,1,2,1,2\n", "histdata")).toThrow(
      'a.csv: not in the histdata format; its first line is "Date,Open,High,Low,Close"',
    );
  });

  it("cuts a long line short", () => {
    expect(() => recognise("x".repeat(500))).toThrow(`${"x".repeat(90)}…"`);
  });

  it("says that a file is empty", () => {
    expect(() => recognise("\n \n")).toThrow("a.csv: the file is empty");
  });
});

import { describe, expect, it } from "vitest";
import type { ImportFormat } from "./form.ts";
import { FORMS } from "./forms.ts";
import { recogniseLayout } from "./layout.ts";

const recognise = (head: string, format?: ImportFormat, isZoneNamed = false) =>
  recogniseLayout("a.csv", head, { format, isZoneNamed });
const HISTORY_CENTER = "2025.05.15,07:35,3145.50,3146.62,3145.17,3146.49,103\n";

describe("recogniseLayout", () => {
  it.each(FORMS.map((form) => [form.format, form.example.split("\n").at(-1), form] as const))(
    "finds the example of %s: %s",
    (format, _row, form) => {
      const layout = recognise(`${form.example}\n`, format);
      expect(layout.form).toBe(FORMS.find(({ example, format: of }) => of === format && example === form.example));
      const row = form.example.split("\n").at(-1)?.split(form.delimiter) ?? [];
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
      "a.csv: its form is that of metatrader and of histdata, which differ in their time zone; " +
        "name one with --format, or the zone with --timezone",
    );
    expect(recognise(HISTORY_CENTER, "histdata").form.zone).toBe("-05:00");
    expect(recognise(HISTORY_CENTER, "metatrader").form.zone).toBe("UTC");
    expect(recognise(HISTORY_CENTER, undefined, true).form.format).toBe("metatrader");
  });

  it("reads headers in any case, order and quotes, and finds the columns by name", () => {
    const layout = recognise('\ufeff"VOLUME","Close","Low","High","Open","Date"\n"1","2","3","4","5","2025-05-15"\n');
    expect(layout).toMatchObject({ date: 5, open: 4, high: 3, low: 2, close: 1, volume: 0, time: -1, isClosed: -1, width: 6 });
  });

  it("takes the real volume before the count of ticks, and the count where there is no other", () => {
    const exported = "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>";
    expect(recognise(`${exported}\n`).volume).toBe(7);
    expect(recognise(`${exported.replace("\t<VOL>", "")}\n`).volume).toBe(6);
  });

  it.each([
    ["an unknown column", "Date,Open,High,Low,Close,Adj Close\n2025-05-15,1,2,1,2,2\n"],
    ["a missing column", "Date,Open,High,Low\n2025-05-15,1,2,1\n"],
    ["a column that stands twice", "Date,Open,High,Low,Close,Close\n2025-05-15,1,2,1,2,2\n"],
    ["epoch seconds", "timestamp,open,high,low,close\n1747294500,1,2,1,2\n"],
    ["another order of the date", "Date,Open,High,Low,Close\n15/05/2025,1,2,1,2\n"],
    ["a column named like what every object has", "constructor,open,high,low,close\n2025-05-15,1,2,1,2\n"],
    ["no table at all", "<!DOCTYPE html><html>\n<body>"],
    ["a broken quote", '"Date,Open\n'],
  ])("knows no form with %s, and shows the line", (_what, head) => {
    expect(() => recognise(head)).toThrow(
      `a.csv: of no form that is known (assay, stooq, metatrader, dukascopy, histdata); its first line is ${JSON.stringify(head.split("\n")[0])}`,
    );
  });

  it("says when a file is not of the form it is said to be of", () => {
    expect(() => recognise("Date,Open,High,Low,Close\n2025-05-15,1,2,1,2\n", "histdata")).toThrow(
      'a.csv: not of a histdata form; its first line is "Date,Open,High,Low,Close"',
    );
  });

  it("cuts a long line short", () => {
    expect(() => recognise("x".repeat(500))).toThrow(`${"x".repeat(90)}…"`);
  });

  it("says that a file is empty", () => {
    expect(() => recognise("\n \n")).toThrow("a.csv: the file is empty");
  });
});

/** What of the simulated history is still to be built. */
import { BAR_SYMBOLS, INTERVALS } from "@assay/contract";
import { bucketStart, type HistoryGap } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { dueBars, type StoredSeries } from "./due-bars.ts";

const XAU = "XAU-USD-SPOT";
const at = (iso: string): number => Date.parse(iso);
const END_MS = at("2026-11-20T12:00:31Z");

/** Every series, as a service stopped at an instant leaves them. */
const stoppedAt = (atMs: number): StoredSeries[] =>
  BAR_SYMBOLS.flatMap((symbol) =>
    INTERVALS.map((interval) => ({ symbol, interval, latestStartMs: bucketStart(atMs, interval) })),
  );

const dailyFrom = (gaps: readonly HistoryGap[]) => gaps.find(({ symbol, bars }) => symbol === XAU && bars === "daily")?.fromMs;

const spans = (gaps: readonly HistoryGap[]) =>
  gaps
    .filter(({ symbol, bars }) => symbol === XAU && bars === "intraday")
    .map(({ fromMs, untilMs }) => [fromMs, untilMs].map((ms) => new Date(ms).toISOString()));

describe("the history of an empty store", () => {
  it("begins in 1996 by the day, and the given days ago below a day: two days at once, the others later", () => {
    const due = dueBars([], [], { historyDays: 30, endMs: END_MS, tradedMs: END_MS });
    expect(dailyFrom(due.newest)).toBe(at("1996-01-01T00:00:00Z"));
    expect(spans(due.newest)).toEqual([["2026-11-19T00:00:00.000Z", "2026-11-20T12:00:31.000Z"]]);
    expect(spans(due.older)).toEqual([["2026-10-21T00:00:00.000Z", "2026-11-19T00:00:00.000Z"]]);
    expect(new Set(due.older.map(({ symbol }) => symbol))).toEqual(new Set(BAR_SYMBOLS));
  });

  it("leaves nothing for later when it is short", () => {
    expect(dueBars([], [], { historyDays: 1, endMs: END_MS, tradedMs: END_MS }).older).toEqual([]);
  });

  it("is ready on a Sunday with the Friday before it, and the day before that", () => {
    const sunday = { endMs: at("2026-11-22T12:00:31Z"), tradedMs: at("2026-11-20T22:00:00Z") };
    const due = dueBars([], [], { historyDays: 2, ...sunday });
    expect(spans(due.newest)).toEqual([["2026-11-19T00:00:00.000Z", "2026-11-22T12:00:31.000Z"]]);
    expect(spans(due.older)).toEqual([["2026-11-18T00:00:00.000Z", "2026-11-19T00:00:00.000Z"]]);
  });
});

describe("the history of a store that has one", () => {
  it("continues from the bars that were forming, whatever else is stored", () => {
    const due = dueBars(stoppedAt(at("2026-11-20T11:59:58Z")), [], { historyDays: 30, endMs: END_MS, tradedMs: END_MS });
    expect(dailyFrom(due.newest)).toBe(at("2026-11-20T00:00:00Z"));
    expect(spans(due.newest)).toEqual([["2026-11-20T11:59:00.000Z", "2026-11-20T12:00:31.000Z"]]);
    expect(due.older).toEqual([]);
  });

  it("builds the forming minute again after a stop within it", () => {
    const due = dueBars(stoppedAt(at("2026-11-20T12:00:07Z")), [], { historyDays: 30, endMs: END_MS, tradedMs: END_MS });
    expect(spans(due.newest)).toEqual([["2026-11-20T12:00:00.000Z", "2026-11-20T12:00:31.000Z"]]);
  });

  it("fills what a stop of days left out behind the newest days, even if a new store's history would be shorter", () => {
    const due = dueBars(stoppedAt(at("2026-11-10T07:30:30Z")), [], { historyDays: 1, endMs: END_MS, tradedMs: END_MS });
    expect(spans(due.newest)).toEqual([["2026-11-19T00:00:00.000Z", "2026-11-20T12:00:31.000Z"]]);
    expect(spans(due.older)).toEqual([["2026-11-10T07:30:00.000Z", "2026-11-19T00:00:00.000Z"]]);
  });

  it("continues an interrupted run, and leaves the days alone that have been written live since", () => {
    const left: HistoryGap = {
      symbol: XAU,
      bars: "intraday",
      fromMs: at("2026-10-21T00:00:00Z"),
      untilMs: at("2026-11-02T00:00:00Z"),
    };
    const due = dueBars(stoppedAt(at("2026-11-17T09:00:00Z")), [left], { historyDays: 30, endMs: END_MS, tradedMs: END_MS });
    expect(spans(due.older)).toEqual([
      ["2026-10-21T00:00:00.000Z", "2026-11-02T00:00:00.000Z"],
      ["2026-11-17T09:00:00.000Z", "2026-11-19T00:00:00.000Z"],
    ]);
  });

  it("is rebuilt where an interval was not written before a stop", () => {
    const stored = stoppedAt(at("2026-11-20T11:59:58Z")).filter(({ interval }) => interval !== "4h");
    const due = dueBars(stored, [], { historyDays: 3, endMs: END_MS, tradedMs: END_MS });
    expect(spans(due.older)).toEqual([["2026-11-17T00:00:00.000Z", "2026-11-19T00:00:00.000Z"]]);
  });

  it("leaves out what no caller can read any more", () => {
    const due = dueBars(stoppedAt(at("2026-05-01T07:00:00Z")), [], { historyDays: 1, endMs: END_MS, tradedMs: END_MS });
    expect(spans(due.older)).toEqual([["2026-10-21T00:00:00.000Z", "2026-11-19T00:00:00.000Z"]]);
    expect(dailyFrom(due.newest)).toBe(at("2026-05-01T00:00:00Z"));
  });
});

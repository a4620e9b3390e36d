/** Which price is current, and for how long. */
import { MINUTE_MS } from "@assay/contract";
import { describe, expect, it } from "vitest";
import type { BarRow } from "../bars/bar.ts";
import type { SettlementRow } from "../futures/settlement.ts";
import type { Tick } from "./compose.ts";
import type { PriceSource } from "./price-source.ts";
import { closePrice, type StaleReason, type StandingPrice, settlementPrice, staleness, standingPrice } from "./standing-price.ts";

const CLOSE_MS = Date.parse("2026-11-20T22:00:00Z");

const tick = (computedAtMs: number, change: Partial<Tick> = {}): Tick => ({
  instrument: "XAU-USD-FUTURES",
  seq: 1,
  price: "4001.5",
  conf: "0.1",
  basis: "primary",
  sources: [],
  divergenceBps: null,
  computedAtMs,
  freshUntilMs: computedAtMs + MINUTE_MS,
  ...change,
});
const council = (observedAtMs: number): PriceSource => ({
  source: "fix",
  displayName: "Fix",
  license: "attribution",
  role: "council",
  price: "3990",
  observedAtMs,
  freshUntilMs: observedAtMs + 36 * 60 * MINUTE_MS,
});
const settlement = (observedAtMs: number, settlementDate = "2026-11-20"): SettlementRow => ({
  symbol: "GC",
  futuresContract: "GCZ26",
  settlementDate,
  price: "4012.5",
  volume: null,
  openInterest: null,
  source: "yahoo-chart",
  sourceType: "proxy_daily_close",
  observedAtMs,
  fetchedAtMs: observedAtMs,
});
/** The last minute before the close. */
const bar: BarRow = {
  symbol: "GC",
  interval: "1m",
  barStartMs: CLOSE_MS - MINUTE_MS,
  open: "4002",
  high: "4002",
  low: "4002",
  close: "4002",
  volume: "3",
  isClosed: true,
  sourceId: "composed",
};

describe("the current price", () => {
  it("is missing where nothing is known", () => {
    expect(standingPrice({ tick: null, settlement: null, close: null })).toBeNull();
  });

  it("is the tick itself, unless a settlement was published after it", () => {
    const published = tick(CLOSE_MS);
    expect(standingPrice({ tick: published, settlement: settlement(CLOSE_MS), close: null })).toBe(published);
    expect(standingPrice({ tick: published, settlement: settlement(CLOSE_MS + 1), close: null })?.basis).toBe("settlement");
  });

  it("is a close only where its bar began after what else is known", () => {
    const stand = (tickMs: number | null, settledMs: number | null) =>
      standingPrice({
        tick: tickMs === null ? null : tick(tickMs),
        settlement: settledMs === null ? null : settlement(settledMs),
        close: bar,
      })?.basis;
    expect(stand(null, null)).toBe("close");
    expect(stand(bar.barStartMs - 1, bar.barStartMs)).toBe("close");
    expect(stand(bar.barStartMs, null)).toBe("primary");
    expect(stand(null, bar.barStartMs + 1)).toBe("settlement");
  });

  it("is not a council rate set before the close, however late it is published", () => {
    const late = (observedAtMs: number) =>
      tick(CLOSE_MS + 60 * MINUTE_MS, { basis: "council", sources: [council(observedAtMs)] });
    expect(standingPrice({ tick: late(CLOSE_MS - 7 * 60 * MINUTE_MS), settlement: null, close: bar })?.basis).toBe("close");
    expect(standingPrice({ tick: late(CLOSE_MS + MINUTE_MS), settlement: null, close: bar })?.basis).toBe("council");
  });

  it("is the same object while nothing changes", () => {
    const [settled, closed] = [settlement(CLOSE_MS), bar];
    expect(settlementPrice(settled)).toBe(settlementPrice(settled));
    expect(closePrice(closed)).toBe(closePrice(closed));
  });
});

describe("a settlement's price", () => {
  it("names its source with its terms, and is dated with what the source says", () => {
    expect(settlementPrice(settlement(CLOSE_MS))).toEqual({
      price: "4012.5",
      basis: "settlement",
      divergenceBps: null,
      computedAtMs: CLOSE_MS,
      freshUntilMs: Date.parse("2026-11-24T11:00:00Z"),
      sources: [
        {
          source: "yahoo-chart",
          displayName: "Yahoo Finance chart",
          license: "personal-use-only",
          role: "primary",
          price: "4012.5",
          observedAtMs: CLOSE_MS,
          freshUntilMs: Date.parse("2026-11-24T11:00:00Z"),
        },
      ],
    });
  });

  it.each([
    ["a Thursday", "2026-11-19", "2026-11-21T11:00:00Z"],
    ["a Friday", "2026-11-20", "2026-11-24T11:00:00Z"],
    ["the day before a holiday", "2026-11-25", "2026-11-28T11:00:00Z"],
    ["a Friday in summer", "2026-07-17", "2026-07-21T10:00:00Z"],
  ])("of %s is fresh until six hours after the next business day is over in New York", (_, day, until) => {
    expect(settlementPrice(settlement(CLOSE_MS, day)).freshUntilMs).toBe(Date.parse(until));
  });
});

describe("a close's price", () => {
  it("is dated with the bar's end, and is never fresh", () => {
    expect(closePrice(bar)).toEqual({
      price: "4002",
      basis: "close",
      sources: [],
      divergenceBps: null,
      computedAtMs: CLOSE_MS,
      freshUntilMs: CLOSE_MS - 1,
    });
  });
});

const UNTIL = 1_000;
const live = { role: "live", isStale: false } as const;
const dollar = { role: "identity", isStale: false } as const;
const judged = (
  basis: StandingPrice["basis"] | null,
  fx: Parameters<typeof staleness>[1],
  atMs: number,
  isOpen: boolean,
): StaleReason | null => {
  const stale = staleness(basis && { basis, freshUntilMs: UNTIL }, fx, atMs, isOpen);
  return stale.isStale ? stale.reason : null;
};

describe("staleness", () => {
  it.each<[string, Parameters<typeof staleness>[1], number, boolean, StaleReason | null]>([
    ["a fresh price in dollars", dollar, UNTIL, true, null],
    ["a fresh price while the market is closed", dollar, UNTIL, false, null],
    ["a fresh price at a fresh live rate", live, UNTIL, true, null],
    ["a fresh price without a rate", null, UNTIL, true, "fx_fallback"],
    ["a fresh price at a peg", { role: "peg", isStale: false }, UNTIL, true, null],
    ["a fresh price at the daily reference", { role: "reference", isStale: false }, UNTIL, true, "fx_fallback"],
    ["a fresh price at a stale live rate", { role: "live", isStale: true }, UNTIL, true, "fx_fallback"],
    ["a price past its window while the market is open", live, UNTIL + 1, true, "feed_down"],
    ["a price past its window while the market is closed", live, UNTIL + 1, false, "market_closed"],
    ["a price past its window at the daily reference", { role: "reference", isStale: false }, UNTIL + 1, true, "feed_down"],
  ])("of %s", (_, fx, atMs, marketOpen, reason) => {
    expect(judged("primary", fx, atMs, marketOpen)).toBe(reason);
    expect(judged("council", fx, atMs, marketOpen)).toBe(reason);
    expect(judged("close", fx, atMs, marketOpen)).toBe(reason);
  });

  it.each<[string, Parameters<typeof judged>, StaleReason | null]>([
    ["no price in an open market", [null, live, UNTIL, true], "feed_down"],
    ["no price in a closed market", [null, live, UNTIL, false], "market_closed"],
    ["neither price nor rate", [null, null, UNTIL, false], "market_closed"],
    ["an old price without a rate", ["primary", null, UNTIL + 1, true], "feed_down"],
    ["a settlement within its window, the market being closed", ["settlement", dollar, UNTIL, false], null],
    ["a settlement past its window", ["settlement", dollar, UNTIL + 1, true], "feed_down"],
    ["a settlement past its window while the market is closed", ["settlement", dollar, UNTIL + 1, false], "feed_down"],
  ])("of %s", (_, price, reason) => {
    expect(judged(...price)).toBe(reason);
  });
});

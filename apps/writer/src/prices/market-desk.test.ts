/** The desk: which readings become ticks, bars and rates, and when. */
import type { BarObservation, FxObservation, SettlementObservation } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { BarKeeper } from "../bars/bar-keeper.ts";
import { gold, source } from "../testing/readings.ts";
import { isEmpty, MarketDesk } from "./market-desk.ts";

const NOON_MS = Date.parse("2026-11-20T12:00:00Z");
const SOURCES = new Map(
  [source("a"), source("b"), source("fix", "council"), source("token", "informational")].map((each) => [each.key, each]),
);

const fx = (observedAtMs: number, rate = "0.86"): FxObservation => ({
  kind: "fx",
  source: "fx",
  role: "live",
  base: "USD",
  rates: { EUR: rate },
  observedAtMs,
  freshForMs: 180_000,
});

const desk = ({ isOpen = () => true, seq = 0 }: { isOpen?: (atMs: number) => boolean; seq?: number } = {}): MarketDesk =>
  new MarketDesk({
    sources: SOURCES,
    bars: new BarKeeper("composed"),
    seqs: seq > 0 ? new Map([["XAU-USD-SPOT", seq]]) : new Map(),
    isOpen,
  });

describe("a moment", () => {
  it("holds one tick per touched instrument, numbered on from the last published one", () => {
    const numbered = desk({ seq: 41 });
    const first = numbered.take([gold("a", "4000.00", NOON_MS), gold("b", "4002.00", NOON_MS)], NOON_MS);
    expect(first.ticks).toMatchObject([{ instrument: "XAU-USD-SPOT", price: "4001.00", seq: 42, computedAtMs: NOON_MS }]);
    const second = numbered.take([gold("a", "4004.00", NOON_MS + 1_000)], NOON_MS + 1_000);
    expect(second.ticks).toMatchObject([{ price: "4003.00", seq: 43 }]);
  });

  it("is empty when a reading only repeats the one before", () => {
    const repeated = desk();
    repeated.take([gold("a", "4000.00", NOON_MS), fx(NOON_MS)], NOON_MS);
    expect(isEmpty(repeated.take([gold("a", "4000.00", NOON_MS), fx(NOON_MS)], NOON_MS + 1_000))).toBe(true);
  });

  it("ignores a reading that is older than what is known of its source", () => {
    const known = desk();
    known.take([gold("a", "4000.00", NOON_MS)], NOON_MS);
    expect(known.take([gold("a", "3990.00", NOON_MS - 5_000)], NOON_MS + 1_000).ticks).toEqual([]);
  });

  it("updates all eight intervals from a tick and closes the minute with the first tick of the next", () => {
    const growing = desk();
    expect(growing.take([gold("a", "4000.00", NOON_MS)], NOON_MS).bars).toHaveLength(8);
    const next = growing.take([gold("a", "4001.00", NOON_MS + 60_000)], NOON_MS + 60_000);
    expect(next.bars.filter((bar) => bar.interval === "1m")).toMatchObject([
      { barStartMs: NOON_MS, close: "4000.00", isClosed: true },
      { barStartMs: NOON_MS + 60_000, open: "4001.00", isClosed: false },
    ]);
  });

  it("names the rates beside its ticks, and says how a day began: once, also after a new term", () => {
    const midnightMs = Math.ceil(NOON_MS / 86_400_000) * 86_400_000;
    const dayBegins = (taken: ReturnType<MarketDesk["take"]>) =>
      taken.dayPairs?.map(({ day, opens, before }) => [day, opens.price, opens.rateSet, before?.price, before?.rateSet]);
    const turning = desk();
    const [first, second] = ["2026-11-20", "2026-11-21"];
    const last = turning.take([gold("a", "4000.00", midnightMs - 1_000), fx(midnightMs - 1_000)], midnightMs - 1_000);
    expect(last).toMatchObject({ ticks: [{ rateSet: 1 }], rateSets: [{ id: 1 }] });
    expect(dayBegins(last)).toEqual([[first, "4000.00", 1, undefined, undefined]]);
    const next = turning.take([gold("a", "4001.00", midnightMs), fx(midnightMs)], midnightMs);
    expect(dayBegins(next)).toEqual([[second, "4001.00", 2, "4000.00", 1]]);
    expect(dayBegins(turning.take([gold("a", "4002.00", midnightMs + 1_000)], midnightMs + 1_000))).toBeUndefined();
    const taken = { sources: SOURCES, bars: new BarKeeper("composed"), seqs: new Map(), isOpen: () => true, newest: next.ticks };
    const later = new MarketDesk({ ...taken, rateSets: next.rateSets ?? [] });
    expect(dayBegins(later.take([gold("a", "4003.00", midnightMs + 2_000)], midnightMs + 2_000))).toBeUndefined();
  });

  it("closes a bar at its end though no tick comes", () => {
    const quiet = desk();
    quiet.take([gold("a", "4000.00", NOON_MS)], NOON_MS);
    const closed = quiet.take([], NOON_MS + 60_000).bars;
    expect(closed).toMatchObject([{ interval: "1m", barStartMs: NOON_MS, isClosed: true }]);
  });

  it("builds no bar while the market is closed, and none from a council rate", () => {
    expect(desk({ isOpen: () => false }).take([gold("a", "4000.00", NOON_MS)], NOON_MS)).toMatchObject({ bars: [] });
    const council = desk().take([gold("fix", "3990.00", NOON_MS)], NOON_MS);
    expect(council.ticks).toMatchObject([{ basis: "council", price: "3990.00" }]);
    expect(council.bars).toEqual([]);
  });

  it("falls back to the council when the last primary falls out of its freshness, at that very instant", () => {
    const falling = desk();
    falling.take([gold("fix", "3990.00", NOON_MS), gold("a", "4000.00", NOON_MS)], NOON_MS);
    expect(falling.nextChangeMs).toBe(NOON_MS + 180_001);
    expect(falling.take([], falling.nextChangeMs).ticks).toMatchObject([{ basis: "council", price: "3990.00" }]);
  });

  it("keeps the last price over a closed market instead of going back to the council's", () => {
    let open = true;
    const weekend = desk({ isOpen: () => open });
    weekend.take([gold("fix", "3990.00", NOON_MS), gold("a", "4000.00", NOON_MS)], NOON_MS);
    open = false;
    expect(weekend.take([], NOON_MS + 200_000).ticks).toEqual([]);
  });

  it("publishes nothing for a token that keeps trading while the market is closed", () => {
    let open = true;
    const night = desk({ isOpen: () => open });
    night.take([gold("a", "4000.00", NOON_MS), gold("token", "3999.00", NOON_MS)], NOON_MS);
    expect(night.take([gold("token", "3998.00", NOON_MS + 1_000)], NOON_MS + 1_000).ticks).toHaveLength(1);
    open = false;
    expect(night.take([gold("token", "3997.00", NOON_MS + 2_000)], NOON_MS + 2_000).ticks).toEqual([]);
  });

  it("publishes nothing while sources are far apart, and resumes when they agree again", () => {
    const cold = desk();
    const slipped = [gold("a", "40000.00", NOON_MS), gold("b", "4000.00", NOON_MS)];
    expect(cold.take(slipped, NOON_MS).ticks).toEqual([]);
    expect(cold.take([gold("a", "4002.00", NOON_MS + 1_000)], NOON_MS + 1_000).ticks).toMatchObject([
      { price: "4001.00", seq: 1 },
    ]);
  });

  const day: BarObservation = {
    kind: "bar",
    source: "bars",
    symbol: "GLD",
    interval: "1d",
    barStartMs: Date.parse("2026-11-20T00:00:00Z"),
    open: "370.10",
    high: "372.00",
    low: "369.50",
    close: "371.20",
    volume: "8123400",
    observedAtMs: NOON_MS,
  };

  it("leaves a reported day to the history while that is filled, and takes it the next time", () => {
    const filling = desk();
    expect(filling.take([day], NOON_MS, { grows: false }).bars).toEqual([]);
    expect(filling.take([day], NOON_MS + 1_000).bars).toMatchObject([{ sourceId: "bars" }]);
  });

  it("closes a day that was reported before its end, when its end comes", () => {
    const reported = desk();
    expect(reported.take([day], NOON_MS).bars).toMatchObject([{ isClosed: false, sourceId: "bars" }]);
    expect(reported.take([], Date.parse("2026-11-21T00:00:00Z")).bars).toMatchObject([{ isClosed: true, close: "371.20" }]);
  });
});

describe("the rules", () => {
  it("flag a price that contradicts the others and the past, but pass it on", () => {
    const judging = desk();
    judging.take([gold("a", "4000.00", NOON_MS), gold("b", "4001.00", NOON_MS)], NOON_MS);
    expect(judging.judge(gold("b", "4500.00", NOON_MS + 1), NOON_MS + 1)).toMatchObject({ ok: true, doubted: { rule: "jump" } });
    expect(judging.judge(gold("b", "4010.00", NOON_MS + 1), NOON_MS + 1)).toEqual({ ok: true });
  });

  it("take a table again only when it was restated", () => {
    const judging = desk();
    expect(judging.take([fx(NOON_MS)], NOON_MS).fx).toHaveLength(1);
    expect(judging.take([fx(NOON_MS)], NOON_MS + 1_000).fx).toEqual([]);
    const restated = { ...fx(NOON_MS), rates: { EUR: "0.87", GBP: "0.75" } };
    expect(judging.take([restated], NOON_MS + 2_000).fx).toEqual([restated]);
    expect(judging.rateOf("EUR", NOON_MS + 2_000)?.rate).toBeDefined();
  });

  it("leave out one currency of a table that moved too far, and report it", () => {
    const judging = desk();
    judging.take([fx(NOON_MS)], NOON_MS);
    const judgement = judging.judge({ ...fx(NOON_MS + 60_000), rates: { EUR: "1.86", GBP: "0.75" } }, NOON_MS + 60_000);
    expect(judgement).toMatchObject({ ok: true, observation: { rates: { GBP: "0.75" } } });
    expect(judgement.ok && judgement.refused?.map(({ detail }) => detail.slice(0, 4))).toEqual(["EUR:"]);
  });
});

describe("what was written before a restart", () => {
  it("is compared with, produces no tick again, and still expires", () => {
    const restarted = desk({ seq: 7 });
    restarted.learn([gold("a", "4000.00", NOON_MS), gold("b", "4010.00", NOON_MS - 60_000)], NOON_MS);
    expect(restarted.take([gold("a", "4000.00", NOON_MS)], NOON_MS + 1_000).ticks).toEqual([]);
    expect(restarted.take([], restarted.nextChangeMs).ticks).toMatchObject([{ price: "4000.00", seq: 8 }]);
  });
});

describe("ready-made figures", () => {
  const settlement = (change: Partial<SettlementObservation> = {}): SettlementObservation => ({
    kind: "settlement",
    source: "a",
    sourceType: "proxy_daily_close",
    symbol: "GC",
    futuresContract: "GCZ26",
    settlementDate: "2026-11-19",
    price: "4010.50",
    volume: 10,
    openInterest: null,
    observedAtMs: NOON_MS - 3_600_000,
    ...change,
  });
  const platinum: BarObservation = {
    kind: "bar",
    source: "a",
    symbol: "XPT-USD-SPOT",
    interval: "1d",
    barStartMs: Date.parse("2026-11-20T00:00:00Z"),
    open: "1600",
    high: "1600",
    low: "1600",
    close: "1600",
    volume: null,
    observedAtMs: NOON_MS,
  };

  it("are accepted with the time they arrived, once however often they are repeated", () => {
    const taking = desk();
    expect(taking.take([settlement()], NOON_MS).settlements).toMatchObject([{ price: "4010.50", fetchedAtMs: NOON_MS }]);
    expect(isEmpty(taking.take([settlement()], NOON_MS + 60_000))).toBe(true);
    expect(taking.take([platinum], NOON_MS).bars).toMatchObject([{ close: "1600", isClosed: false }]);
    expect(isEmpty(taking.take([platinum], NOON_MS + 1_000))).toBe(true);
  });

  it("are accepted again when they are corrected, beside others of their source", () => {
    const taking = desk();
    const february = settlement({ futuresContract: "GCG27", price: "4048.90" });
    expect(taking.take([settlement(), february], NOON_MS).settlements).toHaveLength(2);
    const later = settlement({ observedAtMs: NOON_MS, price: "4011.00" });
    expect(taking.take([settlement(), february, later], NOON_MS).settlements).toMatchObject([{ price: "4011.00" }]);
    expect(taking.take([settlement({ openInterest: 5 })], NOON_MS).settlements).toMatchObject([{ openInterest: 5 }]);
  });

  it("of several days are published once, even if their source repeats them all", () => {
    const taking = desk();
    const week = [1, 2, 3].map((back) => ({ ...platinum, barStartMs: platinum.barStartMs - back * 86_400_000 }));
    expect(taking.take(week, NOON_MS).bars).toHaveLength(3);
    expect(isEmpty(taking.take(week, NOON_MS + 900_000))).toBe(true);
  });

  it("close with their day, even if their source falls silent", () => {
    const taking = desk();
    taking.take([platinum], NOON_MS);
    expect(taking.take([], Date.parse("2026-11-21T00:00:00Z")).bars).toMatchObject([{ symbol: "XPT-USD-SPOT", isClosed: true }]);
  });

  it("are refused for a broken rule", () => {
    expect(desk().judge(settlement({ price: "0" }), NOON_MS)).toMatchObject({ ok: false, rule: "not_positive" });
  });
});

/** Alerts judged on ticks: what fires, when and in which view. */
import { DELAY_MS, MINUTE_MS, SECOND_MS } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { unknownBelief } from "../belief/belief-state.ts";
import { JudgedMarket, priceTick } from "../testing/judged-market.ts";
import type { Alert, AlertEvent, JudgeView } from "./alert.ts";
import { Judge } from "./judge.ts";
import { firstMemory } from "./watch.ts";

const START = Date.UTC(2026, 10, 16, 14);
const GOLD = "XAU-USD-SPOT";

const alertOf = (alert: Partial<Alert> = {}): Alert => ({
  id: "al_1",
  name: "gold",
  symbol: GOLD,
  kind: "above",
  threshold: "4000",
  windowSeconds: null,
  direction: null,
  once: false,
  state: "armed",
  hasFired: false,
  seenSeq: 0,
  memory: null,
  ...alert,
});

/** Prices a second apart, judged as they come; returns what fired, as `type seq`. */
class Run {
  readonly market = new JudgedMarket();
  readonly judge = new Judge(this.market);
  nowMs = START;
  seq = 0;

  put(alert: Partial<Alert>, view: JudgeView = "live"): AlertEvent[] {
    return this.judge.put({ ...alertOf(alert), revision: 1 }, view, this.nowMs);
  }

  price(...prices: string[]): string[] {
    return prices.flatMap((price) => {
      this.nowMs += SECOND_MS;
      this.seq += 1;
      this.judge.take([priceTick(GOLD, this.seq, price, this.nowMs)]);
      return this.wait(0);
    });
  }

  wait(ms: number): string[] {
    this.nowMs += ms;
    return this.judge.advance(this.nowMs).map(({ type, seq }) => `${type} ${seq}`);
  }
}

describe("a threshold", () => {
  test("fires when the price crosses it, and again only after it was back by 0.1 %", () => {
    const run = new Run();
    run.put({ kind: "above" });
    expect(run.price("3999", "4000", "4000.01", "4100")).toEqual(["price.above 3"]);
    run.wait(MINUTE_MS);
    expect(run.price("3996.01", "4001")).toEqual([]);
    expect(run.price("3996", "4000", "4000.01")).toEqual(["price.above 9"]);
  });

  test("from above fires below it, with the margin on the other side", () => {
    const run = new Run();
    run.put({ kind: "below" });
    expect(run.price("4001", "4000", "3999.99", "4003.99", "3990")).toEqual(["price.below 3"]);
    run.wait(MINUTE_MS);
    expect(run.price("4004", "3999.99")).toEqual(["price.below 7"]);
  });

  test("fires once a minute at most, and then at the first price that is beyond it", () => {
    const run = new Run();
    run.put({});
    expect(run.price("4001", "3990", "4001", "3990", "4002")).toEqual(["price.above 1"]);
    const { memory, ...standing } = run.judge.takeChanged(run.nowMs).get("al_1") ?? {};
    run.put({ ...standing, memory: memory ?? null });
    run.wait(MINUTE_MS - 5 * SECOND_MS);
    expect(run.price("4003", "4004")).toEqual(["price.above 6"]);
    expect(run.price("3990")).toEqual([]);
  });

  test("with `once` fires once", () => {
    const run = new Run();
    run.put({ once: true });
    expect(run.price("4001", "3900", "4001")).toEqual(["price.above 1"]);
    expect(run.judge.takeChanged(run.nowMs).get("al_1")).toMatchObject({ state: "fired", hasFired: true, seenSeq: 1 });
  });

  test("that the price is beyond when it is made fires once the price has been back, by no margin", () => {
    const run = new Run();
    run.put({ state: "waiting" });
    expect(run.price("4010", "4000.01", "4000", "4000.01")).toEqual(["price.above 4"]);
  });

  test("is compared exactly, digit for digit", () => {
    const run = new Run();
    run.put({ id: "al_1", threshold: "4000.004999999999999999999999999999" });
    run.put({ id: "al_2", threshold: "4000.005000000000000000000000000001" });
    expect(run.judge.size).toBe(2);
    // 4000.0050 rounds half up to 4000.01 as it is published, and 4000.0049 down.
    expect(run.price("4000.0049")).toEqual([]);
    expect(run.price("4000.0050")).toEqual(["price.above 2", "price.above 2"]);
  });

  test("is compared with the price as it is published in its currency", () => {
    const run = new Run();
    run.market.rates.set("EUR", "0.9");
    run.put({ symbol: "XAU-EUR-SPOT", threshold: "3600" });
    expect(run.price("4000", "4000.01")).toEqual(["price.above 2"]);
  });
});

describe("a move", () => {
  const moved = { kind: "moved", threshold: "1", windowSeconds: 60, direction: "either" } as const;

  test("fires the way it is asked for alone, and says from which price, and by how much", () => {
    const run = new Run();
    run.put({ ...moved, id: "up", direction: "up" });
    run.put({ ...moved, id: "down", direction: "down" });
    const fired = (price: string) => {
      run.nowMs += SECOND_MS;
      run.seq += 1;
      run.judge.take([priceTick(GOLD, run.seq, price, run.nowMs)]);
      return run.judge.advance(run.nowMs).map(({ alert, moved: move }) => ({ id: alert.id, ...move }));
    };
    expect(fired("4000")).toEqual([]);
    expect(fired("4040.5")).toEqual([{ id: "up", reference: "4000.00", percent: "1.0125" }]);
    expect(fired("4000")).toEqual([{ id: "down", reference: "4040.50", percent: "-1.0024" }]);
  });

  test("fires when the price differs by its percentage from the lowest or highest of the window, which then restarts", () => {
    const run = new Run();
    run.put(moved);
    expect(run.price("4000", "3990", "4029.89")).toEqual([]);
    expect(run.price("4029.90", "4060")).toEqual(["price.moved 4"]);
    run.wait(50 * SECOND_MS);
    // Of 4029.90, which is still in the window, and 4060.
    expect(run.price(...Array(8).fill("4060"), "4019")).toEqual(["price.moved 14"]);
  });

  test("does not see prices that have left the window", () => {
    const run = new Run();
    run.put(moved);
    run.price("4000");
    run.wait(61 * SECOND_MS);
    expect(run.price("4100", "4141")).toEqual(["price.moved 3"]);
  });

  test("is measured from the price that its owner saw", () => {
    const run = new Run();
    run.price("4000");
    run.put({ ...moved, seenSeq: 1 });
    expect(run.price("4040")).toEqual(["price.moved 2"]);
  });
});

describe("staleness", () => {
  test("is reported when the symbol goes stale, and when it is fresh again", () => {
    const run = new Run();
    run.put({ kind: "stale", threshold: null });
    run.price("4000");
    expect(run.wait(MINUTE_MS)).toEqual([]);
    expect(run.wait(SECOND_MS)).toEqual(["price.stale 1"]);
    expect(run.wait(SECOND_MS)).toEqual([]);
    expect(run.price("4000")).toEqual(["price.fresh 2"]);
  });

  test("with `once` is reported once, together with its end", () => {
    const run = new Run();
    run.put({ kind: "stale", threshold: null, once: true });
    run.price("4000");
    expect(run.wait(MINUTE_MS + SECOND_MS)).toEqual(["price.stale 1"]);
    expect(run.price("4000")).toEqual(["price.fresh 2"]);
    expect(run.judge.takeChanged(run.nowMs).get("al_1")).toMatchObject({ state: "fired" });
    expect(run.wait(5 * MINUTE_MS)).toEqual([]);
  });

  test("is not reported when the market is closed", () => {
    const run = new Run();
    run.put({ kind: "stale", threshold: null });
    run.price("4000");
    run.market.open = false;
    expect(run.wait(DELAY_MS)).toEqual([]);
  });

  test("of a market that opens is not reported until its first price has had a minute to come", () => {
    const run = new Run();
    run.put({ kind: "stale", threshold: null });
    run.price("4000");
    run.market.open = false;
    run.wait(DELAY_MS);
    run.market.open = true;
    run.market.openSinceMs = run.nowMs;
    expect(run.wait(0)).toEqual([]);
    expect(run.wait(MINUTE_MS - SECOND_MS)).toEqual([]);
    expect(run.wait(SECOND_MS)).toEqual(["price.stale 1"]);
    expect(run.price("4001")).toEqual(["price.fresh 2"]);
  });

  test("between two ticks that are judged together is reported all the same", () => {
    const run = new Run();
    run.put({ kind: "stale", threshold: null });
    run.price("4000");
    run.nowMs += 5 * MINUTE_MS;
    expect(run.price("4000")).toEqual(["price.stale 1", "price.fresh 2"]);
  });

  test("that was there when the alert was made is not reported, nor its end", () => {
    const run = new Run();
    run.price("4000");
    run.wait(2 * MINUTE_MS);
    run.put({ kind: "stale", threshold: null, state: "waiting", seenSeq: 1 });
    expect(run.wait(SECOND_MS)).toEqual([]);
    expect(run.price("4000")).toEqual([]);
    expect(run.wait(2 * MINUTE_MS)).toEqual(["price.stale 2"]);
  });
});

describe("nothing fires on a price", () => {
  test("that is unconfirmed, and the first confirmed one is judged as the crossing", () => {
    const run = new Run();
    run.put({});
    run.market.beliefs.set(GOLD, {
      ...unknownBelief(GOLD),
      probation: { fromSeq: 1, fromMs: 0, by: [], untilMs: null, bars: [] },
    });
    expect(run.price("4001")).toEqual([]);
    run.market.beliefs.set(GOLD, unknownBelief(GOLD));
    expect(run.price("4001")).toEqual(["price.above 2"]);
  });

  test("that is withdrawn, or hidden", () => {
    const run = new Run();
    run.put({});
    const probation = { fromSeq: 2, fromMs: 0, by: [], untilMs: START * 2, bars: [] };
    run.market.beliefs.set(GOLD, {
      ...unknownBelief(GOLD),
      withdrawn: [{ fromSeq: 1, toSeq: 1, atMs: START }],
      probation,
      hidden: true,
    });
    expect(run.price("4001", "4001")).toEqual([]);
  });

  test.each(["4001", "3999"])("after one that was withdrawn, on which the alert was made: %s", (next) => {
    const run = new Run();
    const probation = { fromSeq: 1, fromMs: START, by: [], untilMs: START * 2, bars: [] };
    run.market.beliefs.set(GOLD, { ...unknownBelief(GOLD), probation });
    run.price("3500");
    const made = { seenSeq: 1, memory: firstMemory(1) };
    run.put(made);
    // Another one is noticed after the withdrawal.
    run.market.beliefs.set(GOLD, { ...unknownBelief(GOLD), withdrawn: [{ fromSeq: 1, toSeq: 1, atMs: run.nowMs }] });
    run.judge.withdraw({ instrument: GOLD, fromSeq: 1, toSeq: 1 });
    run.put({ ...made, id: "al_2" });
    expect(run.price(next)).toEqual([]);
    expect(run.price("3999", "4001")).toEqual(["price.above 4", "price.above 4"]);
  });

  test("that is stale when it is published, as with a rate of yesterday", () => {
    const run = new Run();
    run.market.rates.set("EUR", "0.9");
    run.market.role = "reference";
    run.put({ symbol: "XAU-EUR-SPOT", threshold: "3600" });
    expect(run.price("4100")).toEqual([]);
  });
});

test("a delayed view judges the same ticks 15 minutes later", () => {
  const run = new Run();
  run.put({}, "delayed");
  expect(run.price("3999", "4001")).toEqual([]);
  expect(run.wait(DELAY_MS - SECOND_MS)).toEqual([]);
  expect(run.wait(SECOND_MS)).toEqual(["price.above 2"]);
});

test("an alert that is noticed late is judged on everything since its owner looked", () => {
  const run = new Run();
  run.put({ id: "al_other", threshold: "9000" });
  run.price("3999", "4001", "3999");
  expect(run.put({ seenSeq: 1 }).map(({ seq }) => seq)).toEqual([2]);
});

test("an alert on a symbol that the catalogue does not have stays silent", () => {
  const run = new Run();
  expect(run.put({ symbol: "ZZZ-USD-SPOT" })).toEqual([]);
  expect(run.judge.size).toBe(0);
});

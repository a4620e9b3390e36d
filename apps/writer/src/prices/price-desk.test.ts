/** What is published, withdrawn and undone as sources come and go. */
import { INTERVALS } from "@assay/contract";
import {
  type BarRow,
  barEnd,
  type Instrument,
  isShown,
  type SourceInfo,
  type SpotObservation,
  type Tick,
  tickAsBelieved,
  unknownBelief,
  verdictOf,
} from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { BarKeeper } from "../bars/bar-keeper.ts";
import { MomentBatch } from "../moments/moment-writer.ts";
import { gold, source } from "../testing/readings.ts";
import { MarketDesk, type PriceMoment } from "./market-desk.ts";
import type { PriceDeskOptions } from "./price-desk.ts";

const GOLD = "XAU-USD-SPOT";
const NOON_MS = Date.parse("2026-11-20T12:00:00Z");
const sourcesOf = (...list: SourceInfo[]) =>
  new Map(list.map((each) => [each.key, { ...each, instruments: ["XAU-USD-SPOT"] as const }]));
const TWO = sourcesOf(source("a"), source("b"), source("fix", "council"));
const ONE = sourcesOf(source("a"), source("fix", "council"));

/** A desk with everything it has written, as a store would hold it. */
const market = (sources: ReadonlyMap<string, SourceInfo>, more: Partial<PriceDeskOptions> = {}) => {
  const refused: string[] = [];
  const keeper = new BarKeeper("composed");
  const desk = new MarketDesk({
    sources,
    bars: keeper,
    seqs: new Map<Instrument, number>(),
    isOpen: () => true,
    refuse: (key, rule) => refused.push(`${key} ${rule}`),
    ...more,
  });
  const stored = new Map<string, BarRow>();
  const write = (moment: PriceMoment): PriceMoment => {
    const batch = new MomentBatch();
    batch.add(moment);
    for (const { symbol, fromMs } of batch.undo)
      for (const [name, bar] of stored) if (bar.symbol === symbol && barEnd(bar) > fromMs) stored.delete(name);
    for (const bar of batch.read().bars) stored.set(`${bar.interval} ${bar.barStartMs}`, bar);
    return moment;
  };
  const take = (readings: readonly SpotObservation[], atMs: number): PriceMoment => write(desk.take(readings, atMs));
  const highs = (): (string | null)[] => [...stored.values()].map(({ high }) => high);
  return { desk, keeper, refused, stored, take, highs };
};

describe("a cold start with two primaries", () => {
  it("waits for the second one, and the bars keep the first one's readings once it proves right", () => {
    const { take, stored, desk } = market(TWO);
    expect(take([gold("a", "4390.00", NOON_MS + 1_000)], NOON_MS + 1_000).ticks).toEqual([]);
    expect(desk.nextChangeMs).toBe(NOON_MS + 31_000);
    expect(take([gold("a", "4395.00", NOON_MS + 11_000)], NOON_MS + 11_000).ticks).toEqual([]);
    const { ticks } = take([], NOON_MS + 31_000);
    expect(ticks).toMatchObject([{ price: "4395.00", seq: 1 }]);
    expect(stored.get(`1m ${NOON_MS}`)).toMatchObject({ open: "4390.00", high: "4395.00" });
  });

  it("forgets what it waited with once that is disputed, so that no bar of then appears hours later", () => {
    const { take, stored } = market(TWO);
    take([gold("a", "4390.00", NOON_MS)], NOON_MS);
    take([gold("b", "439.00", NOON_MS + 1_000)], NOON_MS + 1_000);
    const laterMs = NOON_MS + 3 * 3_600_000;
    expect(take([gold("a", "4395.00", laterMs), gold("b", "4396.00", laterMs)], laterMs).ticks).toHaveLength(1);
    expect([...stored.values()].map(({ open }) => open)).toEqual(INTERVALS.map(() => "4395.50"));
  });

  it("publishes nothing wrong when the bad one comes first, and counts each of its readings once", () => {
    const { take, refused, highs, desk } = market(TWO);
    const bad = gold("a", "43920.00", NOON_MS);
    expect(desk.judge(bad, NOON_MS)).toEqual({ ok: true });
    expect(take([bad], NOON_MS).ticks).toEqual([]);
    expect(take([gold("b", "4392.00", NOON_MS + 2_000)], NOON_MS + 2_000).ticks).toEqual([]);
    expect(take([gold("fix", "4390.60", NOON_MS + 2_000)], NOON_MS + 3_000).ticks).toMatchObject([
      { price: "4392.00", divergenceBps: null },
    ]);
    take([gold("b", "4393.00", NOON_MS + 4_000)], NOON_MS + 4_000);
    expect(refused.filter((each) => each.startsWith("a "))).toEqual(["a dispute"]);
    expect(highs().every((high) => Number(high) < 4_400)).toBe(true);
  });
});

describe("a price that turns out wrong", () => {
  it("is withdrawn with the bars it made, those that closed meanwhile among them", () => {
    const { take, stored, highs, desk } = market(ONE);
    // A single wrong source: without a reference, it is published.
    expect(take([gold("a", "43920.00", NOON_MS)], NOON_MS).ticks).toHaveLength(1);
    take([gold("a", "43930.00", NOON_MS + 70_000)], NOON_MS + 70_000);
    expect(highs()).toContain("43930.00");
    // Then the council publishes, and the source corrects itself.
    const disputed = take([gold("fix", "4390.60", NOON_MS + 80_000)], NOON_MS + 80_000);
    expect(disputed.beliefs).toMatchObject([{ hidden: true }]);
    expect(desk.priceOf("XAU-USD-SPOT")).toBeNull();
    const right = take([gold("a", "4391.00", NOON_MS + 130_000)], NOON_MS + 130_000);
    expect(right).toMatchObject({ ticks: [{ price: "4391.00", seq: 3 }], undo: [{ symbol: "XAU-USD-SPOT", fromMs: NOON_MS }] });
    const [state] = right.beliefs ?? [];
    expect([1, 2, 3].map((seq) => isShown(state, seq))).toEqual([false, false, true]);
    expect(highs()).toEqual(INTERVALS.map(() => "4391.00"));
    expect(stored.get(`1h ${NOON_MS}`)).toMatchObject({ open: "4391.00", low: "4391.00" });
  });

  it("leaves the bars before it as they were", () => {
    const later = NOON_MS + 600_000;
    const first = market(TWO);
    first.take([gold("a", "4390.00", NOON_MS), gold("b", "4392.00", NOON_MS)], NOON_MS);
    // The reference is forgotten, as for a service whose history was never confirmed; the bars are kept.
    const again = market(sourcesOf(source("a"), source("fix", "council")), {
      bars: first.keeper,
      seqs: new Map([["XAU-USD-SPOT", 1]]),
    });
    again.take([gold("a", "43920.00", later)], later);
    const { bars } = again.take([gold("fix", "4391.00", later), gold("a", "4393.00", later + 1_000)], later + 1_000);
    const hour = bars.findLast(({ interval }) => interval === "1h");
    expect(hour).toMatchObject({ open: "4391.00", high: "4393.00", low: "4391.00", close: "4393.00" });
  });

  it("leaves the minute before it, which had closed while it waited", () => {
    const keys = ["a", "b", "c", "d", "e"];
    const { take, stored } = market(sourcesOf(...keys.map((key) => source(key))), {
      beliefs: new Map([[GOLD, unknownBelief(GOLD, { price: "4390.00", atMs: NOON_MS - 60_000, by: [] })]]),
    });
    const say = (price: string, second: number, ...by: string[]): PriceMoment => {
      const atMs = NOON_MS + second * 1_000;
      return take(
        by.map((key) => gold(key, price, atMs)),
        atMs,
      );
    };
    say("4390.00", 0, "a", "b", "e");
    say("4391.00", 170, "a");
    say("4392.00", 175, "b");
    // The last but one is forgotten, and then the last: what contradicts them waits from 12:05:55 on.
    expect(say("4391.00", 351).ticks).toMatchObject([{ price: "4392.00" }]);
    say("3290.00", 353, "c");
    for (const second of [356, 357]) say("3290.00", second, "c", "d");
    const minute = stored.get(`1m ${NOON_MS + 300_000}`);
    expect(minute).toMatchObject({ close: "4392.00" });
    const [lie] = [360, 370, 380, 390].flatMap((second) => say("3290.00", second).ticks);
    expect(lie).toMatchObject({ price: "3290.00" });
    say("4393.00", 400, "a", "b", "e");
    expect(stored.get(`1m ${NOON_MS + 300_000}`)).toEqual({ ...minute, isClosed: true });
    expect(stored.get(`1m ${NOON_MS + 360_000}`)).toMatchObject({ low: "4393.00" });
  });

  it("is hidden in a closed market too, though no council rate takes its place there", () => {
    const closedMs = NOON_MS + 60_000;
    const { take, desk } = market(ONE, { isOpen: (atMs) => atMs < closedMs });
    take([gold("a", "43920.00", NOON_MS)], NOON_MS);
    const atMs = NOON_MS + 3_600_000;
    expect(take([gold("fix", "4390.60", atMs)], atMs).ticks).toEqual([]);
    expect(desk.prices.beliefs.of("XAU-USD-SPOT").hidden).toBe(true);
  });

  it("is remembered after a restart, which publishes none of it again", () => {
    const { take, desk } = market(ONE);
    take([gold("a", "43920.00", NOON_MS)], NOON_MS);
    const { beliefs } = take([gold("fix", "4390.60", NOON_MS + 1_000)], NOON_MS + 1_000);
    const restored = new Map(JSON.parse(JSON.stringify(beliefs?.map((state) => [state.instrument, state]))));
    expect(desk.prices.beliefs.of("XAU-USD-SPOT").hidden).toBe(true);
    const again = market(ONE, {
      beliefs: restored as PriceDeskOptions["beliefs"] & object,
      seqs: new Map([["XAU-USD-SPOT", 1]]),
    }); // its own JSON
    expect(again.take([gold("a", "43925.00", NOON_MS + 9_000)], NOON_MS + 9_000).ticks).toEqual([]);
    expect(again.take([gold("fix", "4390.60", NOON_MS + 12_000)], NOON_MS + 12_000).ticks).toEqual([]);
  });
});

describe("a source whose newer readings are doubted", () => {
  const HOUR_MS = 3_600_000;
  const slow = (key: string): SourceInfo => ({ ...source(key), freshForMs: 36 * HOUR_MS });
  const anchor = { price: "4390.00", atMs: NOON_MS - HOUR_MS, by: [] };
  const known = { beliefs: new Map([[GOLD, unknownBelief(GOLD, anchor)]]) };

  it("is not fresh by its older one, and so the price is stale, until it is believed again", () => {
    const { take, desk } = market(sourcesOf(slow("a")), known);
    const [first] = take([gold("a", "4392.00", NOON_MS)], NOON_MS).ticks;
    const atMs = NOON_MS + HOUR_MS;
    const { ticks, beliefs } = take([gold("a", "43920.00", atMs)], atMs);
    expect([ticks, beliefs]).toMatchObject([[], [{ hidden: false, doubted: [{ seq: 1, sources: [{ source: "a", atMs }] }] }]]);
    const shown = first && tickAsBelieved(beliefs?.[0], first);
    expect([shown?.freshUntilMs, shown?.sources[0]?.freshUntilMs]).toEqual([atMs - 1, atMs - 1]);
    // Whatever it says next changes nothing, and a new tick has a freshness of its own.
    expect(take([gold("a", "43921.00", atMs + 1_000)], atMs + 1_000).beliefs).toBeUndefined();
    const [again] = take([gold("a", "4393.00", atMs + 2_000)], atMs + 2_000).ticks;
    expect(again && tickAsBelieved(desk.prices.beliefs.of(GOLD), again)).toBe(again);
  });

  it("leaves a price as fresh as the others that set it", () => {
    const { take } = market(sourcesOf(slow("a"), source("b"), source("c")), known);
    const [first] = take([gold("a", "4392.00", NOON_MS), gold("b", "4391.00", NOON_MS)], NOON_MS).ticks;
    // Now nothing has a majority, but the second has said nothing new.
    const atMs = NOON_MS + 1_000;
    const { ticks, beliefs } = take([gold("a", "43920.00", atMs), gold("c", "439.20", atMs)], atMs);
    expect([ticks, first && tickAsBelieved(beliefs?.[0], first).freshUntilMs]).toEqual([[], NOON_MS + 180_000]);
  });
});

describe("a bad source beside good ones", () => {
  it("is flagged at validation, and trusted again as soon as it is right", () => {
    const { take, desk } = market(TWO);
    take([gold("a", "4392.00", NOON_MS), gold("b", "4391.00", NOON_MS)], NOON_MS);
    const bad = gold("a", "439.20", NOON_MS + 5_000);
    expect(desk.judge(bad, NOON_MS + 5_000)).toMatchObject({ ok: true, doubted: { rule: "jump" } });
    expect(take([bad], NOON_MS + 5_000).ticks).toMatchObject([
      { price: "4391.00", sources: [{ source: "a", rule: "jump" }, { source: "b" }] },
    ]);
    expect(take([gold("a", "4393.00", NOON_MS + 9_000)], NOON_MS + 9_000).ticks).toMatchObject([{ price: "4392.00" }]);
  });

  it("does not let the volume of unpublished readings grow without end", () => {
    const { desk } = market(sourcesOf(source("a"), source("b")));
    const futures = (key: string, price: string, atMs: number): SpotObservation => ({
      ...gold(key, price, atMs),
      instrument: "XAU-USD-FUTURES",
      volume: "2",
    });
    for (let second = 0; second < 3; second++)
      desk.take([futures("a", "43920", NOON_MS + second), futures("b", "4392", NOON_MS + second)], NOON_MS + second);
    const { ticks } = desk.take([futures("a", "4393", NOON_MS + 5)], NOON_MS + 5);
    expect(ticks).toMatchObject([{ volume: "8" }]);
  });
});

describe("the sources of a price", () => {
  const list = sourcesOf(
    source("a"),
    source("b"),
    source("c"),
    { ...source("b-copy"), origin: "unknown:b" },
    source("far"),
    source("frozen"),
    source("late"),
    source("never"),
    source("fix", "council"),
    source("token", "informational"),
  );
  /** What became of each, by name, and the rule that refused it. */
  const verdictsOf = (tick: Tick | undefined) => {
    if (!tick) throw new Error("no tick");
    const listed = tick.sources.map((part) => [part.source, [verdictOf(tick, part), part.rule].join(" ").trim()]);
    const absent = (tick.absent ?? []).map(({ source: name, rule }) => [name, rule === undefined ? "silent" : `refused ${rule}`]);
    return Object.fromEntries([...listed, ...absent]);
  };

  it("say what became of each, and the median of the believed is the price", () => {
    const { desk, take } = market(list);
    take(
      [gold("late", "4392.00", NOON_MS - 10 * 60_000), gold("frozen", "4392.00", NOON_MS - 10 * 60_000)],
      NOON_MS - 10 * 60_000,
    );
    desk.prices.beliefs.reject(gold("frozen", "4392.00", NOON_MS), "frozen");
    const { ticks } = take(
      [
        gold("a", "4391.00", NOON_MS),
        gold("b", "4392.00", NOON_MS),
        gold("b-copy", "4392.50", NOON_MS - 1),
        gold("c", "4394.00", NOON_MS),
        gold("far", "5000.00", NOON_MS),
        gold("fix", "4390.00", NOON_MS),
        gold("token", "4393.00", NOON_MS),
      ],
      NOON_MS,
    );
    expect(ticks[0]?.price).toBe("4392.00");
    expect(verdictsOf(ticks[0])).toEqual({
      a: "believed",
      b: "believed",
      "b-copy": "standby",
      c: "believed",
      far: "refused jump",
      fix: "standby",
      frozen: "refused frozen",
      late: "silent",
      never: "silent",
      token: "standby",
    });
  });

  it("without a fresh primary are the council's rate, and the primaries say why", () => {
    const { take } = market(sourcesOf(source("a"), source("fix", "council")));
    take([gold("a", "4391.00", NOON_MS), gold("fix", "4390.00", NOON_MS)], NOON_MS);
    const { ticks } = take([], NOON_MS + 10 * 60_000);
    expect(ticks[0]).toMatchObject({ price: "4390.00", basis: "council" });
    expect(verdictsOf(ticks[0])).toEqual({ a: "silent", fix: "believed" });
  });

  it("a source that is believed again is refused by no rule", () => {
    const { desk, take } = market(sourcesOf(source("a"), source("b")));
    desk.prices.beliefs.reject(gold("b", "4392.00", NOON_MS), "frozen");
    expect(verdictsOf(take([gold("a", "4392.00", NOON_MS)], NOON_MS).ticks[0] ?? take([], NOON_MS + 31_000).ticks[0])).toEqual({
      a: "believed",
      b: "refused frozen",
    });
    const { ticks } = take([gold("a", "4392.00", NOON_MS + 32_000), gold("b", "4392.20", NOON_MS + 32_000)], NOON_MS + 32_000);
    expect(verdictsOf(ticks[0])).toEqual({ a: "believed", b: "believed" });
  });
});

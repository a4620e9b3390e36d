/** Events to be published: in order, kept while the bus is unavailable, bounded. */
import type { BusPort, MarketEvent } from "@assay/live";
import type { DealerTick, SettlementRow } from "@assay/pricing";
import { makeDealerTick } from "@assay/testkit";
import { describe, expect, it } from "vitest";
import { EventQueue } from "./event-queue.ts";

const moment = (atMs: number): MarketEvent => ({
  kind: "moment",
  token: 1,
  atMs,
  ticks: [],
  fx: [],
  bars: [
    {
      symbol: "XAU-USD-SPOT",
      interval: "1m",
      barStartMs: 0,
      open: "1",
      high: "1",
      low: "1",
      close: "1",
      volume: null,
      isClosed: false,
      sourceId: "composed",
    },
  ],
});

const bus = () => {
  const heard: MarketEvent[] = [];
  const state = { away: false };
  const port: BusPort = {
    publish: async (event) => {
      if (state.away) throw new Error("away");
      heard.push(event);
    },
    subscribe: async () => async () => undefined,
  };
  return { port, heard, state };
};
const log = {
  info: () => undefined,
  warn: () => undefined,
  fault: () => undefined,
  feed: () => undefined,
  archives: () => undefined,
};

describe("the event queue", () => {
  it("sends in order, and keeps what could not be sent for the next time", async () => {
    const { port, heard, state } = bus();
    const eventQueue = new EventQueue(port, log);
    eventQueue.put(moment(1));
    await eventQueue.send();
    state.away = true;
    eventQueue.put(moment(2));
    eventQueue.put(moment(3));
    await eventQueue.send();
    expect(heard).toHaveLength(1);
    state.away = false;
    eventQueue.put(moment(4));
    await eventQueue.send();
    expect(heard.map((event) => event.kind === "moment" && event.atMs)).toEqual([1, 2, 3, 4]);
  });

  it("drops queued events beyond its bound and publishes instead that readers must reload their series", async () => {
    const { port, heard, state } = bus();
    const eventQueue = new EventQueue(port, log);
    state.away = true;
    for (let atMs = 0; atMs < 1_000; atMs += 1) eventQueue.put(moment(atMs));
    await eventQueue.send();
    state.away = false;
    await eventQueue.send();
    expect(heard.length).toBeLessThanOrEqual(301);
    expect(heard).toContainEqual({ kind: "bars-replaced", symbol: "XAU-USD-SPOT" });
    expect(heard.at(-1)).toMatchObject({ kind: "moment", atMs: 999 });
  });

  it("loses nothing that replaces an overflow while one of its events is being sent", async () => {
    const { port, heard } = bus();
    const crowd = Array.from({ length: 301 }, (_, second) => moment(second + 1));
    const eventQueue: EventQueue = new EventQueue(
      {
        ...port,
        publish: async (event) => {
          for (const each of crowd.splice(0)) eventQueue.put(each);
          await port.publish(event);
        },
      },
      log,
    );
    eventQueue.put(moment(0));
    await eventQueue.send();
    expect(heard).toContainEqual({ kind: "bars-replaced", symbol: "XAU-USD-SPOT" });
    expect(heard.at(-1)).toMatchObject({ kind: "moment", atMs: 301 });
  });

  it("makes readers reload the settlements of the moments it drops", async () => {
    const { port, heard, state } = bus();
    const eventQueue = new EventQueue(port, log);
    const settlement: SettlementRow = {
      symbol: "GC",
      futuresContract: "GCZ26",
      settlementDate: "2026-11-20",
      price: "4010.50",
      volume: null,
      openInterest: null,
      source: "alpha",
      sourceType: "proxy_daily_close",
      observedAtMs: 1,
      fetchedAtMs: 2,
    };
    state.away = true;
    eventQueue.put({ ...moment(0), settlements: [settlement] } as MarketEvent); // still a moment
    for (let atMs = 1; atMs < 1_000; atMs += 1) eventQueue.put(moment(atMs));
    state.away = false;
    await eventQueue.send();
    expect(heard.filter(({ kind }) => kind === "settlements-replaced")).toHaveLength(1);
  });

  it("keeps the last change of each country of the dealer events it drops", async () => {
    const { port, heard, state } = bus();
    const eventQueue = new EventQueue(port, log);
    const quotes = (...ticks: DealerTick[]): MarketEvent => ({ kind: "dealer-quotes", token: 1, atMs: 5, quotes: ticks });
    state.away = true;
    eventQueue.put(quotes(makeDealerTick(1), makeDealerTick(7, { country: "VN" })));
    eventQueue.put(quotes(makeDealerTick(2)));
    for (let atMs = 0; atMs < 299; atMs += 1) eventQueue.put(moment(atMs));
    eventQueue.put(quotes(makeDealerTick(3)));
    state.away = false;
    await eventQueue.send();
    const published = heard.flatMap((event) =>
      event.kind === "dealer-quotes" ? event.quotes.map(({ country, seq }) => `${country} ${seq}`) : [],
    );
    expect(published).toEqual(["AE 2", "VN 7", "AE 3"]);
    expect(heard.filter(({ kind }) => kind === "moment")).toHaveLength(1);
  });

  it("keeps the newest surfaces and signals of each metal while the bus is away for long", async () => {
    const { port, heard, state } = bus();
    const eventQueue = new EventQueue(port, log);
    state.away = true;
    eventQueue.put({ kind: "surfaces-replaced", metal: "xau" });
    eventQueue.put({ kind: "signals", token: 1, metal: "xau", signals: [], atMs: 1 });
    eventQueue.put({ kind: "signals", token: 1, metal: "xau", signals: [], atMs: 2 });
    eventQueue.put({ kind: "signals", token: 1, metal: "xag", signals: [], atMs: 3 });
    for (let second = 1; second <= 400; second += 1) eventQueue.put(moment(second));
    state.away = false;
    await eventQueue.send();
    const others = heard.filter(({ kind }) => kind === "surfaces-replaced" || kind === "signals");
    expect(others.map((event) => [event.kind, "metal" in event && event.metal, "atMs" in event && event.atMs])).toEqual([
      ["surfaces-replaced", "xau", false],
      ["signals", "xau", 2],
      ["signals", "xag", 3],
    ]);
  });
});

/** Every live feed from its setting to delivered observations, over a real socket and under the real rules. */
import {
  type FxObservation,
  fxRate,
  type Observation,
  type SourceInfo,
  type SpotObservation,
  validateBar,
  validateFx,
  validateSpot,
} from "@assay/pricing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIVE_FEEDS } from "./catalog.ts";
import { createUpstream } from "./http/upstream.ts";
import { createFeedRunner, type FeedEvent, type Judgement } from "./runner.ts";
import { selectFeeds, urlVariable } from "./select-feeds.ts";
import { NOW_MS } from "./testing/context.ts";
import { fakeTime } from "./testing/fake-time.ts";
import { fixture } from "./testing/samples.ts";
import { says, startUpstream, type UpstreamServer } from "./testing/upstream-server.ts";

const metal = (symbol: string, price: string) =>
  fixture("gold-api.json.txt").replace('"XAU"', `"${symbol}"`).replace("4003.200195", price);
const silver = fixture("swissquote.json.txt").replaceAll(/400([23])\.(\d+)/g, "48.$1$2");

const BODIES: readonly (readonly [string, string])[] = [
  ["/price/XAU", fixture("gold-api.json.txt")],
  ["/price/XAG", metal("XAG", "48.251")],
  ["/price/HG", metal("HG", "5.0512")],
  ["/price/XPT", metal("XPT", "1622.40")],
  ["/price/XPD", metal("XPD", "1410.50")],
  ["/public-quotes/bboquotes/instrument/XAU/USD", fixture("swissquote.json.txt")],
  ["/public-quotes/bboquotes/instrument/XAG/USD", silver],
  ["/v2/exchange-rates?currency=USD", fixture("coinbase-fx.json.txt")],
  ["/stats/eurofxref/eurofxref-daily.xml", fixture("ecb-daily.xml")],
  ["/api/goldprice/v11/chart/price/usd/oz/", fixture("wgc.json.txt")],
  ["/0/public/Ticker?pair=PAXGUSD", fixture("kraken.json.txt")],
  ["/api/v5/market/ticker?instId=XAUT-USDT", fixture("okx.json.txt")],
  ["/products/PAXG-USD/ticker", fixture("coinbase.json.txt")],
];

let server: UpstreamServer;
beforeAll(async () => {
  server = await startUpstream((request, response) => {
    const body = BODIES.find(([path]) => request.url?.startsWith(path))?.[1];
    says(body === undefined ? 404 : 200, body ?? "{}")(request, response);
  });
});
afterAll(() => server.close());

const rules = (sources: ReadonlyMap<string, SourceInfo>) => {
  const latest: SpotObservation[] = [];
  return (observation: Observation): Judgement => {
    if (observation.kind === "bar") return validateBar(observation, NOW_MS);
    if (observation.kind === "settlement") return { ok: false, rule: "no_settlements", detail: observation.futuresContract };
    if (observation.kind === "spot") {
      const verdict = validateSpot(observation, { nowMs: NOW_MS, latestBySource: latest, sources });
      if (verdict.ok) latest.push(observation);
      return verdict;
    }
    const verdict = validateFx(observation, NOW_MS);
    if (!verdict.ok) return verdict;
    return {
      ok: true,
      observation: verdict.table,
      refused: verdict.refused.map(({ currency, rule, detail }) => ({ rule, detail: `${currency} ${detail}` })),
    };
  };
};

describe("FEEDS=live", () => {
  it("takes every feed from its base URL through its rules to whoever listens", async () => {
    const env = Object.fromEntries(LIVE_FEEDS.map(({ info }) => [urlVariable(info.key), server.url]));
    const { feeds } = selectFeeds("live", env);
    const sources = new Map(feeds.flatMap(({ feed }) => feed.sources.map((source) => [source.key, source] as const)));
    const time = fakeTime(NOW_MS);
    const delivered: Observation[] = [];
    const events: FeedEvent[] = [];
    const deps = {
      nowMs: time.nowMs,
      timers: time.timers,
      random: () => 0,
      upstream: createUpstream({ nowMs: time.nowMs }),
      isMarketOpen: () => true,
      judge: rules(sources),
      deliver: (observations: readonly Observation[]) => {
        delivered.push(...observations);
      },
      report: (event: FeedEvent) => events.push(event),
    };
    const runners = feeds.map((selected) => createFeedRunner(selected, deps));
    await Promise.all(runners.map((runner) => runner.round()));

    expect(events).toEqual([]);
    expect(runners.map((runner) => [runner.key, runner.health().lastSuccessAtMs])).toEqual(
      LIVE_FEEDS.map(({ info }) => [info.key, NOW_MS]),
    );
    const prices = delivered
      .filter((each) => each.kind === "spot")
      .map(({ source, instrument, price }) => `${source} ${instrument} ${price}`);
    expect(prices.sort()).toEqual([
      "coinbase XAU-USD-SPOT 4005.015",
      "gold-api HG-USD-SPOT 5.0512",
      "gold-api XAG-USD-SPOT 48.251",
      "gold-api XAU-USD-SPOT 4003.200195",
      "kraken XAU-USD-SPOT 4004.93",
      "okx XAU-USD-SPOT 4004.25",
      "swissquote XAG-USD-SPOT 48.30805",
      "swissquote XAU-USD-SPOT 4003.0805",
      "wgc XAU-USD-SPOT 4003.25",
    ]);
    const days = delivered.filter((each) => each.kind === "bar").map(({ symbol, close }) => `${symbol} ${close}`);
    expect(days.sort()).toEqual(["XPD-USD-SPOT 1410.50", "XPT-USD-SPOT 1622.40"]);
    const tables = delivered.filter((each): each is FxObservation => each.kind === "fx");
    const fx = {
      live: tables.filter(({ role }) => role === "live"),
      reference: tables.filter(({ role }) => role === "reference"),
    };
    expect(fxRate(fx, "EUR", NOW_MS)).toMatchObject({ source: "coinbase-fx", isStale: false });
    expect(fxRate({ ...fx, live: [] }, "GBP", NOW_MS)).toMatchObject({ source: "ecb", isStale: false });
    expect(server.mostAtOnce()).toBe(1);
  });
});

/** Every live feed from its setting to delivered observations, over a real socket and with the real rules. */
import { virtualTime } from "@assay/ports/virtual";
import {
  type DealerObservation,
  type FxObservation,
  fxRate,
  type Observation,
  referencePrice,
  type SourceInfo,
  spotPerGram,
  validateBar,
  validateDealerQuote,
  validateFx,
  validateReference,
  validateSpot,
} from "@assay/pricing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEALER_FEEDS, LIVE_FEEDS } from "../catalog/catalog.ts";
import { selectFeeds, urlVariable } from "../catalog/select-feeds.ts";
import { createUpstream } from "../http/upstream.ts";
import { fixture, NOW_MS } from "../testing/samples.ts";
import { says, startUpstream, type UpstreamServer } from "../testing/upstream-server.ts";
import { createFeedRunner, type FeedEvent } from "./runner.ts";
import type { Judgement } from "./screening.ts";

const metal = (symbol: string, price: string) =>
  fixture("gold-api.json.txt").replace('"XAU"', `"${symbol}"`).replace("4003.200195", price);
const silver = fixture("swissquote.json.txt").replaceAll(/400([23])\.(\d+)/g, "48.$1$2");

/** Feeds that read a site's front page: on the test server their sites are folders. */
const FRONT_PAGES = ["dubai-city-of-gold", "edahab", "ibja", "saudi-gold-price"];

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
  ["/scripts/xml_metall.asp?", fixture("cbr-metals.xml")],
  ["/scripts/XML_dynamic.asp?", fixture("cbr-dollar.xml")],
  ["/en/official_metal_rates?", fixture("nbm-metals.xml")],
  ["/en/official_exchange_rates?", fixture("nbm-currencies.xml")],
  ["/api/cenyzlota/", fixture("nbp-gold.json.txt")],
  ["/api/exchangerates/rates/a/usd/", fixture("nbp-dollar.json.txt")],
  ["/nbrfxrates.xml", fixture("bnr.xml")],
  ["/0/public/Ticker?pair=PAXGUSD", fixture("kraken.json.txt")],
  ["/api/v5/market/ticker?instId=XAUT-USDT", fixture("okx.json.txt")],
  ["/products/PAXG-USD/ticker", fixture("coinbase.json.txt")],
  ["/v5/market/tickers?category=option&baseCoin=XAUT", fixture("bybit-options.json.txt")],
  ["/trade-api/v2/markets?series_ticker=KXGOLDD&", fixture("kalshi-markets.json.txt")],
  ["/trade-api/v2/markets?series_ticker=", '{"cursor":"","markets":[]}'],
  ["/trade-api/v2/series/KXGOLDD", fixture("kalshi-series.json.txt")],
  ["/trade-api/v2/markets/orderbooks?tickers=", fixture("kalshi-books.json.txt")],
  ["/events?", fixture("polymarket-events.json.txt")],
  // When the base URL is overridden, one host serves both of the publisher's.
  ["/books", fixture("polymarket-books.json.txt")],
  ["/page/board", fixture("china-gold.json.txt")],
  ["/gold-info", fixture("chow-sang-sang-cn.html")],
  ["/api/goldprice/page", fixture("luk-fook.json.txt")],
  ["/api/v1/antigrvty/gold/rate", fixture("treasury-id.json.txt")],
  ["/VOTSBroadcastStreaming/Services/xml/GetLiveRateByTemplateID/arihant", fixture("vots-arihant.tsv")],
  [
    "/VOTSBroadcastStreaming/Services/xml/GetLiveRateByTemplateID/navkar",
    "\t7594\tGOLD 999 IMP (TODAY)\t141100\t141350\t142000\t140800\r\n",
  ],
  ["/public/kijang-emas", fixture("kijang-emas.json.txt")],
  ["/api/website/v1/Dashboard/today", fixture("fenegosida.json.txt")],
  ["/PGR/GoldRate", fixture("pakgold.json.txt")],
  ["/wp-json/wgp/v1/prices", fixture("ounce-sa.json.txt")],
  ["/ecom-frontend/v1/get-gold-price", fixture("pnj.json.txt")],
  ["/commodity/souba/index.php", fixture("tanaka.html.txt")],
  ["/prices", fixture("isagha.html.txt")],
  ["/harga-emas", fixture("galeri24.html.txt")],
  ["/en-hk/eshop/realtime-gold-price.html", fixture("chow-tai-fook.html.txt")],
  ["/zh/gold-price/", fixture("emperor.html.txt")],
  ...FRONT_PAGES.map((key) => [`/${key}/`, fixture(`${key}.html.txt`)] as const),
];

let server: UpstreamServer;
beforeAll(async () => {
  server = await startUpstream((request, response) => {
    const body = BODIES.find(([path]) => request.url?.startsWith(path))?.[1];
    says(body === undefined ? 404 : 200, body ?? "{}")(request, response);
  });
});
afterAll(() => server.close());

/** Units of each dealer's currency per dollar, as used for their fixtures. */
const RATES: Readonly<Record<string, string>> = {
  AED: "3.6725",
  CNY: "6.80",
  EGP: "47.60",
  HKD: "7.80",
  IDR: "16700",
  INR: "96.30",
  JPY: "151.10",
  MYR: "4.10",
  NPR: "154.08",
  PKR: "281",
  SAR: "3.75",
  VND: "26300",
};

const dealerRule = ({ quote }: DealerObservation): Judgement => {
  const rate = RATES[quote.currency];
  const spot = rate === undefined ? null : spotPerGram("4003.20", rate);
  return validateDealerQuote(quote, { nowMs: NOW_MS, freshForMs: 60_000, spot });
};

const rules =
  (sources: ReadonlyMap<string, SourceInfo>) =>
  (observation: Observation): Judgement => {
    if (observation.kind === "bar") return validateBar(observation, NOW_MS);
    if (observation.kind === "spot") return validateSpot(observation, { nowMs: NOW_MS, sources });
    if (observation.kind === "options" || observation.kind === "markets") return { ok: true };
    if (observation.kind === "dealer") return dealerRule(observation);
    if (observation.kind === "reference") return validateReference(observation, { nowMs: NOW_MS, freshForMs: 0, known: null });
    if (observation.kind !== "fx") return { ok: false, rule: "not_expected", detail: observation.kind };
    const verdict = validateFx(observation, NOW_MS);
    if (!verdict.ok) return verdict;
    return {
      ok: true,
      observation: verdict.table,
      refused: verdict.refused.map(({ currency, rule, detail }) => ({ rule, detail: `${currency} ${detail}` })),
    };
  };

describe("FEEDS=live", () => {
  it("takes every feed from its base URL through its rules to the subscriber", async () => {
    const site = (key: string) => (FRONT_PAGES.includes(key) ? `${server.url}/${key}` : server.url);
    const env = Object.fromEntries(LIVE_FEEDS.map(({ info }) => [urlVariable(info.key), site(info.key)]));
    const { feeds } = selectFeeds("live", env);
    const sources = new Map(feeds.flatMap(({ feed }) => feed.sources.map((source) => [source.key, source] as const)));
    const time = virtualTime(NOW_MS);
    const delivered: Observation[] = [];
    const events: FeedEvent[] = [];
    const deps = {
      clock: time,
      random: () => 0,
      upstream: createUpstream({ nowMs: time }),
      isMarketOpen: () => true,
      judge: rules(sources),
      deliver: (observations: readonly Observation[]) => {
        delivered.push(...observations);
      },
      report: (event: FeedEvent) => events.push(event),
    };
    const runners = feeds.map((selected) => createFeedRunner(selected, deps));
    await Promise.all(runners.map((runner) => runner.round()));

    expect(events.filter((event) => event.kind !== "read" || !event.whole)).toEqual([]);
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
    const banks = delivered.flatMap((each) =>
      each.kind === "reference" ? [`${each.source} ${each.metal} ${referencePrice(each)}`] : [],
    );
    expect(banks.sort()).toEqual(
      [
        "cbr XAU 4003.3091",
        "cbr XAG 48.2337",
        "cbr XPT 1622.0074",
        "cbr XPD 1410.1928",
        "nbm XAU 4003.4291",
        "nbm XAG 48.2287",
        "nbp XAU 3999.1893",
        "bnr XAU 4004.5638",
      ].sort(),
    );
    const days = delivered.filter((each) => each.kind === "bar").map(({ symbol, close }) => `${symbol} ${close}`);
    expect(days.sort()).toEqual(["XPD-USD-SPOT 1410.50", "XPT-USD-SPOT 1622.40"]);
    const tables = delivered.filter((each): each is FxObservation => each.kind === "fx");
    const fx = {
      live: tables.filter(({ role }) => role === "live"),
      reference: tables.filter(({ role }) => role === "reference"),
    };
    const venues = delivered.flatMap((each) => {
      if (each.kind === "options") return [`${each.source} ${each.chain.underlying} ${each.chain.expiries.length} expiries`];
      return each.kind === "markets" ? [`${each.source} ${each.markets[0]?.metal} ${each.markets.length} markets`] : [];
    });
    expect(venues.sort()).toEqual([
      "bybit XAUT 2 expiries",
      "kalshi xau 5 markets",
      "polymarket xag 1 markets",
      "polymarket xau 6 markets",
    ]);
    expect(fxRate(fx, "EUR", NOW_MS)).toMatchObject({ source: "coinbase-fx", isStale: false });
    expect(fxRate({ ...fx, live: [] }, "GBP", NOW_MS)).toMatchObject({ source: "ecb", isStale: false });
    const dealers = new Set(delivered.filter((each) => each.kind === "dealer").map(({ source }) => source));
    expect([...dealers].sort()).toEqual(DEALER_FEEDS.map(({ info }) => info.key).toSorted());
    expect(server.mostAtOnce()).toBe(1);
  });
});

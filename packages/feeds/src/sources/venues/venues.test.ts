/** From the venues' payloads to the surface and the signals: their prices come out, and touch markets never do. */
import { gunzipSync } from "node:zlib";
import {
  arbitrageSignals,
  type DigitalMarket,
  type HorizonSurface,
  type Observation,
  type OptionChain,
  probabilitySurface,
} from "@assay/pricing";
import { simulatedBooks, simulatedOptions } from "@assay/simulator";
import { describe, expect, it } from "vitest";
import { unheard } from "../../testing/partial-errors.ts";
import { capturedBytes, fixture, NOW_MS, prepared } from "../../testing/samples.ts";
import { parseBybit } from "./bybit.ts";
import { parseCboe } from "./cboe.ts";
import { kalshi } from "./kalshi.ts";
import { KALSHI_SERIES, readKalshiBook } from "./kalshi-answers.ts";
import { polymarket } from "./polymarket.ts";
import { monthlyEvents } from "./polymarket-listing.ts";

const SEED = 7;
const SPOT = "4003.2";
const marketsOf = (observations: readonly Observation[]): DigitalMarket[] =>
  observations.flatMap((each) => (each.kind === "markets" ? each.markets : []));

const kalshiMarkets = async (): Promise<DigitalMarket[]> => {
  const root = "/trade-api/v2";
  const lists = KALSHI_SERIES.map(({ ticker }) => [
    `${root}/markets?series_ticker=${ticker}&status=open&limit=1000`,
    ticker === "KXGOLDD" ? fixture("kalshi-markets.json.txt") : '{"markets":[]}',
  ]);
  const tickers = ["T4000", "T4049.99", "T3950", "T4100", "T3900"].map((strike) => `tickers=KXGOLDD-26NOV2017-${strike}`);
  const context = prepared({
    ...Object.fromEntries(lists),
    [`${root}/series/KXGOLDD`]: fixture("kalshi-series.json.txt"),
    [`${root}/markets/orderbooks?${tickers.join("&")}`]: fixture("kalshi-books.json.txt"),
  });
  return marketsOf(await kalshi.fetch(context));
};

const polymarketMarkets = async (): Promise<DigitalMarket[]> => {
  const events = monthlyEvents(NOW_MS);
  const list = `/events?limit=${events.length}${events.map(({ slug }) => `&slug=${slug}`).join("")}`;
  const context = prepared({
    [list]: fixture("polymarket-events.json.txt"),
    "/books": fixture("polymarket-books.json.txt"),
  });
  return marketsOf(await polymarket.fetch(context));
};

const surfaceOf = (markets: readonly DigitalMarket[], chains: readonly OptionChain[] = []): HorizonSurface[] =>
  probabilitySurface({ metal: "xau", spotUsdPerOzt: SPOT, chains, markets, nowMs: NOW_MS });

const neverRises = ({ points }: HorizonSurface): boolean =>
  points.length > 0 && points.every(({ probAbove }, index) => probAbove <= (points[index - 1]?.probAbove ?? 1) && probAbove >= 0);

describe("prediction markets", () => {
  it("make a surface whose median lies where the ladder crosses a half, at the executable middles", async () => {
    const surfaces = surfaceOf([...(await kalshiMarkets()), ...(await polymarketMarkets())]);
    expect(surfaces.map(({ horizon, venues }) => [horizon, venues.map(({ venue }) => venue)])).toEqual([
      ["2026-11-20", ["kalshi"]],
      ["2026-12-31", ["polymarket"]],
    ]);
    expect(surfaces.every(neverRises)).toBe(true);
    const [day, year] = surfaces;
    // 0.54 bid; 1 − 0.43 asked
    expect(day?.points.find(({ strike }) => strike === "4000.00")).toMatchObject({ rawProbAbove: 0.555 });
    expect(Number(day?.percentiles.p50)).toBeGreaterThan(4_000);
    expect(Number(day?.percentiles.p50)).toBeLessThan(4_050);
    expect(Number(year?.percentiles.p50)).toBeGreaterThan(4_000);
    expect(Number(year?.percentiles.p50)).toBeLessThan(4_100);
    // Dollars of payout traded, all rungs together.
    expect(day?.venues[0]).toMatchObject({ marketsUsed: 5, volumeUsd: "19352" });
  });

  it("never use a touch market, in the surface or a signal", async () => {
    const markets = await polymarketMarkets();
    const touch = markets.filter(({ kind }) => kind === "touch");
    expect(touch).toHaveLength(1);
    const terminal = markets.filter(({ kind }) => kind === "terminal");
    expect(surfaceOf(markets)).toEqual(surfaceOf(terminal));
    // A bid of 0.62 above 5000 against an ask of 0.15 above 4400 would be an enormous edge.
    const elsewhere = markets.map((market) => ({ ...market, venue: "elsewhere", feeModel: "none" }));
    expect(arbitrageSignals([...markets, ...elsewhere], NOW_MS)).toEqual(arbitrageSignals([...terminal, ...elsewhere], NOW_MS));
    expect(arbitrageSignals([...markets, ...elsewhere], NOW_MS)).toEqual([]);
  });

  it("of different settlement figures or instants make no signal, however far their prices lie apart", async () => {
    const [first, ...rest] = await kalshiMarkets();
    if (!first) return expect.fail("no markets");
    const cheap = { ...first, book: { bids: [], asks: [{ price: "0.01", size: "1000" }] } };
    expect(arbitrageSignals([cheap, ...rest, ...(await polymarketMarkets())], NOW_MS)).toEqual([]);
  });

  it("make exactly the planted signal, with the sizes of the books and each market's own fees", async () => {
    const dear = (await polymarketMarkets()).find(({ strike }) => strike === "4000");
    const cheap = (await kalshiMarkets()).find(({ strike }) => strike === "4000");
    if (!dear || !cheap) return expect.fail("no markets");
    const planted: DigitalMarket = {
      ...cheap,
      expiresAtMs: dear.expiresAtMs,
      reference: dear.reference,
      // A bid of 0.70 for no sells yes at 0.30.
      book: readKalshiBook({ orderbook_fp: { yes_dollars: [], no_dollars: [["0.7000", "60.00"]] } }),
    };
    const found = arbitrageSignals([planted, ...(await polymarketMarkets())], NOW_MS);
    expect(found).toMatchObject([
      {
        type: "digital",
        buy: { venue: "kalshi", marketId: "KXGOLDD-26NOV2017-T4000", price: "0.3", sizeUsd: "60.00" },
        sell: { venue: "polymarket", marketId: "gc-above-4000-dec-2026", price: "0.51", sizeUsd: "90.00" },
        grossEdgeBps: 2_100,
        // 0.07 · 0.3 · 0.7 + 0.04 · 0.51 · 0.49 of each contract
        feesBps: 247,
        executableSizeUsd: "60.00",
      },
    ]);
  });

  it("carry a simulated ladder through Kalshi's form unchanged", () => {
    const ladder = simulatedBooks("xau", NOW_MS, SEED).filter(({ venue }) => venue === "simulated-kalshi");
    const carried = ladder.map((market) => ({
      ...market,
      book: readKalshiBook({
        orderbook_fp: {
          yes_dollars: market.book.bids.map(({ price, size }) => [price, size]),
          no_dollars: market.book.asks.map(({ price, size }) => [(1 - Number(price)).toFixed(4), size]),
        },
      }),
    }));
    const view = (markets: readonly DigitalMarket[]) =>
      surfaceOf(markets).map(({ percentiles, points }) => ({ percentiles, points }));
    expect(view(carried).length).toBeGreaterThan(0);
    expect(view(carried)).toEqual(view(ladder));
  });
});

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/** A chain in Bybit's format. */
const asBybit = (chain: OptionChain): string => {
  const tickers = chain.expiries.flatMap(({ expiresAtMs, quotes }) => {
    const at = new Date(expiresAtMs);
    const day = `${at.getUTCDate()}${MONTHS[at.getUTCMonth()]}${String(at.getUTCFullYear()).slice(2)}`;
    return quotes.map(({ right, strike, bid, ask, volume }) => ({
      symbol: `XAUT-${day}-${strike}-${right === "call" ? "C" : "P"}-USDT`,
      bid1Price: bid ?? "",
      bid1Size: bid ? "1" : "",
      ask1Price: ask ?? "",
      ask1Size: ask ? "1" : "",
      indexPrice: chain.underlyingUsd,
      underlyingPrice: "1",
      volume24h: volume ?? "",
    }));
  });
  return JSON.stringify({ retCode: 0, time: chain.retrievedAtMs, result: { category: "option", list: tickers } });
};

describe("options", () => {
  it("on the token carry a simulated chain through Bybit's form unchanged, and make the same surface, flagged as a proxy", () => {
    const expiries = [Date.parse("2026-12-04T08:00:00Z"), Date.parse("2026-12-25T08:00:00Z")];
    const simulated = simulatedOptions("xau", NOW_MS, SEED, { expiries });
    const { chain } = parseBybit(asBybit(simulated), unheard);
    expect(chain).toEqual({ ...without(simulated), venue: "bybit", underlying: "XAUT" });
    const spot = simulated.underlyingUsd;
    const view = (one: OptionChain) =>
      probabilitySurface({ metal: "xau", spotUsdPerOzt: spot, chains: [one], markets: [], nowMs: NOW_MS });
    const ours = view({ ...chain, underlyingUsd: chain.underlyingUsd ?? spot, spotUsdPerOzt: spot });
    expect(ours.map(({ horizon }) => horizon)).toEqual(["2026-12-04", "2026-12-25"]);
    expect(ours.map(({ percentiles, points }) => [percentiles, points.map(({ probAbove }) => probAbove)])).toEqual(
      view(simulated).map(({ percentiles, points }) => [percentiles, points.map(({ probAbove }) => probAbove)]),
    );
    expect(ours.every(({ flags }) => flags.includes("proxy_underlying"))).toBe(true);
  });

  it("of a real SLV chain in Cboe's form make a distribution for most expiries, and one without bids makes none", (test) => {
    const packed = capturedBytes("options/SLV.68e5342a.json.gz");
    if (packed === null) return test.skip("no ../shared/data beside the repository");
    interface Captured {
      readonly underlyingPrice: number;
      readonly quotes: readonly { symbol: string; bid: number | null; ask: number | null; volume: number | null }[];
    }
    const { underlyingPrice, quotes } = JSON.parse(gunzipSync(packed).toString("utf8")) as Captured; // in that format, as captured
    const inCboeForm = (bid: (of: number | null) => number | null) => {
      const options = quotes.map((quote) => ({ ...quote, option: quote.symbol, bid: bid(quote.bid) ?? 0, ask: quote.ask ?? 0 }));
      const data = { symbol: "SLV", current_price: underlyingPrice, last_trade_time: "2026-07-10T16:00:00", options };
      return JSON.stringify({ data });
    };
    const read = (text: string) => {
      const { chain } = parseCboe(text, { symbol: "SLV", metal: "xag" }, Date.parse("2026-07-12T14:00:15Z"), unheard);
      const chains = [{ ...chain, underlyingUsd: chain.underlyingUsd ?? "59.50", spotUsdPerOzt: "59.50" }];
      return probabilitySurface({ metal: "xag", spotUsdPerOzt: "59.50", chains, markets: [], nowMs: chain.retrievedAtMs });
    };
    const surfaces = read(inCboeForm((bid) => bid));
    expect(surfaces.length).toBeGreaterThan(20);
    expect(surfaces.every(neverRises)).toBe(true);
    // Silver's forwards are slightly above its spot, about 8 % two years out.
    for (const { forwardUsd } of surfaces) {
      expect(Number(forwardUsd)).toBeGreaterThan(58.9);
      expect(Number(forwardUsd)).toBeLessThan(66);
    }
    expect(read(inCboeForm(() => 0))).toEqual([]);
  });
});

const without = ({ spotUsdPerOzt: _, ...chain }: OptionChain): Omit<OptionChain, "spotUsdPerOzt"> => chain;

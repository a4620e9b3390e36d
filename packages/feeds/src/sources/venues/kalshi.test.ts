/** Kalshi's market lists, books and fees: valid, broken and captured payloads. */
import { askLevels, bidLevels, dec } from "@assay/pricing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listening, unheard } from "../../testing/partial-errors.ts";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../../testing/samples.ts";
import { kalshi } from "./kalshi.ts";
import { KALSHI_SERIES, parseKalshiBooks, parseKalshiFees, parseKalshiMarkets, readKalshiBook } from "./kalshi-answers.ts";

const MARKETS = fixture("kalshi-markets.json.txt");
const BOOKS = fixture("kalshi-books.json.txt");
const SERIES = fixture("kalshi-series.json.txt");
const EVENT = "KXGOLDD-26NOV2017";
const DAILY = { ticker: "KXGOLDD", metal: "xau" } as const;
const CLOSE_MS = Date.parse("2026-11-20T22:00:00Z");

const list = (series: string, cursor = ""): string =>
  `/trade-api/v2/markets?series_ticker=${series}&status=open&limit=1000${cursor && `&cursor=${cursor}`}`;
const series = (ticker: string): string => `/trade-api/v2/series/${ticker}`;
const books = (...strikes: string[]): string =>
  `/trade-api/v2/markets/orderbooks?${strikes.map((strike) => `tickers=${EVENT}-${strike}`).join("&")}`;
const EMPTY = '{"cursor":"","markets":[]}';
/** Every series answers, but only gold's daily one has markets. */
const QUIET = Object.fromEntries(KALSHI_SERIES.map(({ ticker }) => [list(ticker), EMPTY]));
const ANSWERS = {
  ...QUIET,
  [list("KXGOLDD")]: MARKETS,
  [series("KXGOLDD")]: SERIES,
  // Nearest the money first.
  [books("T4000", "T4049.99", "T3950", "T4100", "T3900")]: BOOKS,
};

describe("a list of markets", () => {
  it("is what trades and pays above a strike, with the published digits; ranges and ended markets are left out", () => {
    const { markets, cursor } = parseKalshiMarkets(MARKETS, unheard);
    expect(cursor).toBe("");
    expect(markets.map(({ ticker }) => ticker.replace(`${EVENT}-`, ""))).toEqual([
      "T3900",
      "T3950",
      "T4000",
      "T4049.99",
      "T4100",
      "KXGOLDD-26NOV2011-T4000",
    ]);
    expect(markets[3]).toEqual({
      ticker: `${EVENT}-T4049.99`,
      strike: "4049.99",
      closesAtMs: CLOSE_MS,
      yesBid: "0.2300",
      yesAsk: "0.2500",
      contracts: "4004.00",
    });
  });

  it("reads an empty side as the end of the scale", () => {
    const oneSided = MARKETS.replace('"yes_bid_dollars":"0.9300"', '"yes_bid_dollars":""').replace(
      '"yes_ask_dollars":"0.9500",',
      "",
    );
    expect(parseKalshiMarkets(oneSided, unheard).markets[0]).toMatchObject({ yesBid: "0", yesAsk: "1" });
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an error of the venue", '{"error":{"code":"service_unavailable"}}', /markets/],
    [
      "nothing but broken markets",
      MARKETS.replaceAll('"market_type"', '"type"'),
      /^market 1 of 8: .*market_type.* \(and 7 more\)$/,
    ],
  ])("refuses %s", (_what, text, message) => {
    expect(() => parseKalshiMarkets(text, unheard)).toThrow(message);
  });

  it.each([
    [
      "a strike as text",
      '"floor_strike":4000,',
      '"floor_strike":"4000",',
      /^market 3 of 8: unexpected floor_strike: must be a number$/,
    ],
    ["a close without a zone", "22:00:00Z", "22:00:00", /close_time/],
    ["a price in cents", '"yes_bid_dollars":"0.9300"', '"yes_bid_dollars":"93"', /yes_bid_dollars: must be a price from 0 to 1/],
    ["a ticker that is an address", `"ticker":"${EVENT}-T3900"`, '"ticker":"http://x/?a=b"', /ticker: must be a ticker/],
  ])("leaves one market with %s out and reports it", (_what, from, to, message) => {
    const { heard, partial } = listening();
    expect(parseKalshiMarkets(MARKETS.replace(from, to), partial).markets).toHaveLength(5);
    expect(heard).toMatchObject([{ kind: "payload", message: expect.stringMatching(message) }]);
  });
});

describe("books", () => {
  it("offer yes at one less each bid for no, exactly, and keep the bids for yes as they are", () => {
    expect(parseKalshiBooks(BOOKS, unheard).get(`${EVENT}-T4000`)).toEqual({
      bids: [
        { price: "0.5000", size: "310.00" },
        { price: "0.5400", size: "45.50" },
      ],
      asks: [
        { price: "0.6", size: "310.00" },
        { price: "0.57", size: "45.50" },
      ],
    });
  });

  it("may be empty, one-sided or crossed: that is for the reader to judge", () => {
    expect(readKalshiBook({ orderbook_fp: { yes_dollars: null, no_dollars: [] } })).toEqual({ bids: [], asks: [] });
    expect(readKalshiBook({ orderbook_fp: { yes_dollars: [["0.6000", "5"]], no_dollars: [["0.5000", "7"]] } })).toEqual({
      bids: [{ price: "0.6000", size: "5" }],
      asks: [{ price: "0.5", size: "7" }],
    });
  });

  it.each([
    ["a price above a dollar", '["0.5000","310.00"]', '["1.5000","310.00"]', /yes_dollars\.0\.0: must be a price/],
    ["a price as a number", '["0.5000","310.00"]', '[0.5,"310.00"]', /yes_dollars\.0\.0: must be text/],
    ["a negative size", '["0.5000","310.00"]', '["0.5000","-3"]', /must be a number of contracts/],
    ["a level of three", '["0.5000","310.00"]', '["0.5000","310.00","1"]', /yes_dollars\.0/],
    ["asks of its own", '"yes_dollars":[["0.5000"', '"yes_asks":[["0.5000"', /yes_dollars/],
  ])("with %s leave one market out, and the others remain", (_what, from, to, message) => {
    const { heard, partial } = listening();
    const found = parseKalshiBooks(BOOKS.replace(from, to), partial);
    expect([...found.keys()]).toHaveLength(4);
    expect(heard).toMatchObject([{ message: expect.stringMatching(message) }]);
  });

  it("never turn a bid into an ask: the best ask is one less the best bid for no, and no bid is invented", () => {
    const side = fc.array(fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: 1_000_000 })), {
      maxLength: 12,
    });
    const text = (levels: readonly (readonly [number, number])[]) =>
      levels.map(([price, size]) => [`0.${String(price).padStart(4, "0")}`, (size / 100).toFixed(2)]);
    fc.assert(
      fc.property(side, side, (yes, no) => {
        const book = readKalshiBook({ orderbook_fp: { yes_dollars: text(yes), no_dollars: text(no) } });
        const best = (levels: typeof yes) => (levels.length === 0 ? undefined : Math.max(...levels.map(([price]) => price)));
        expect(bidLevels(book)[0]?.price.mul(10_000).toNumber()).toBe(best(yes));
        const bestNo = best(no);
        expect(askLevels(book)[0]?.price.toFixed()).toBe(
          bestNo === undefined ? undefined : dec(1).minus(dec(bestNo).div(10_000)).toFixed(),
        );
        expect([book.bids.length, book.asks.length]).toEqual([yes.length, no.length]);
      }),
    );
  });
});

describe("fees of a series", () => {
  it("are the general rate times its multiplier, exactly", () => {
    expect(parseKalshiFees(SERIES, DAILY)).toEqual({ feeModel: "kalshi", feeTerms: { rate: "0.07" } });
    const half = SERIES.replace('"fee_multiplier":1', '"fee_multiplier":0.5').replace(
      '"quadratic"',
      '"quadratic_with_maker_fees"',
    );
    expect(parseKalshiFees(half, DAILY)).toEqual({ feeModel: "kalshi", feeTerms: { rate: "0.035" } });
  });

  it("are unknown by another formula, and refused of another series", () => {
    expect(parseKalshiFees(SERIES.replace('"quadratic"', '"flat"'), DAILY)).toEqual({ feeModel: "unknown" });
    expect(() => parseKalshiFees(SERIES.replace('"KXGOLDD"', '"KXBTCD"'), DAILY)).toThrow(/series\.ticker: must be KXGOLDD/);
  });
});

describe("the feed", () => {
  it("is one reading a metal: terminal markets settled by Pyth when they close, with their books", async () => {
    const context = prepared(ANSWERS);
    const [gold, ...others] = await kalshi.fetch(context);
    expect(others).toEqual([]);
    expect(gold).toMatchObject({ kind: "markets", source: "kalshi", observedAtMs: NOW_MS });
    if (gold?.kind !== "markets") return expect.fail("no markets");
    expect(gold.markets[0]).toEqual({
      venue: "kalshi",
      marketId: `${EVENT}-T4000`,
      metal: "xau",
      kind: "terminal",
      strike: "4000",
      expiresAtMs: CLOSE_MS,
      reference: "pyth:XAU/USD",
      feeModel: "kalshi",
      feeTerms: { rate: "0.07" },
      book: parseKalshiBooks(BOOKS, unheard).get(`${EVENT}-T4000`),
      volumeUsd: "9120.00",
      retrievedAtMs: NOW_MS,
    });
    // Markets that closed a minute ago are not requested.
    expect(gold.markets).toHaveLength(5);
    expect(context.partials).toEqual([]);
    expect(context.asked).toHaveLength(KALSHI_SERIES.length + 2);
  });

  it("follows the pages, counts a market once, and stops after three", async () => {
    const page = (cursor: string) => MARKETS.replace('"cursor":""', `"cursor":"${cursor}"`);
    const pages = { [list("KXGOLDD")]: page("a/b"), [list("KXGOLDD", "a%2Fb")]: page("c"), [list("KXGOLDD", "c")]: page("d") };
    const context = prepared({ ...ANSWERS, ...pages });
    const [gold] = await kalshi.fetch(context);
    expect(gold?.kind === "markets" && gold.markets).toHaveLength(5);
    expect(context.partials).toMatchObject([{ message: "KXGOLDD: more than 3 pages of markets" }]);
  });

  it("continues when a series, the fees or a book fail", async () => {
    const { [list("KXSILVERW")]: _silver, [series("KXGOLDD")]: _fees, ...rest } = ANSWERS;
    const [first = "", second = ""] = BOOKS.split("\n").filter((line) => line.startsWith('{"ticker"'));
    const context = prepared({
      ...rest,
      [books("T4000", "T4049.99", "T3950", "T4100", "T3900")]: `{"orderbooks":[${first}${second.replace(/,$/, "")}]}`,
    });
    const [gold] = await kalshi.fetch(context);
    if (gold?.kind !== "markets") return expect.fail("no markets");
    expect(gold.markets.map(({ strike, feeModel }) => [strike, feeModel])).toEqual([
      ["3950", "unknown"],
      ["3900", "unknown"],
    ]);
    expect(context.partials.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^fees of KXGOLDD: no answer/),
      expect.stringMatching(/^KXSILVERW: no answer/),
      "3 of 5 books could not be read",
    ]);
  });

  it("requests four hundred books at most, a hundred at a time, those nearest the money", async () => {
    const one = (index: number) =>
      `{"ticker":"${EVENT}-T${index}","market_type":"binary","status":"active","strike_type":"greater","floor_strike":${index},` +
      `"close_time":"2026-11-20T22:00:00Z","yes_bid_dollars":"${(index / 1_000).toFixed(4)}","yes_ask_dollars":"${(index / 1_000).toFixed(4)}"}`;
    const many = Array.from({ length: 900 }, (_, index) => one(index + 50)).join(",");
    const context = prepared({ ...ANSWERS, [list("KXGOLDD")]: `{"markets":[${many}]}` });
    await expect(kalshi.fetch(context)).rejects.toThrow(/books: no answer/);
    const asked = context.asked.filter((path) => path.includes("/orderbooks"));
    expect(asked.map((path) => path.split("tickers=").length - 1)).toEqual([100, 100, 100, 100]);
    expect(asked[0]).toMatch(/\?tickers=KXGOLDD-26NOV2017-T500&/);
    const strikes =
      asked
        .join("&")
        .match(/(?<=-T)[0-9]+/g)
        ?.map(Number) ?? [];
    expect([Math.min(...strikes), Math.max(...strikes)]).toEqual([300, 699]);
  });

  it("fails when nothing is open, and when nothing answers", async () => {
    await expect(kalshi.fetch(prepared(QUIET))).rejects.toThrow("no market is open");
    await expect(kalshi.fetch(prepared({}))).rejects.toThrow(/^KXGOLDH: no answer/);
  });

  it("reads captured payloads", (test) => {
    const [markets, book] = [captured("payloads/kalshi_markets_KXGOLDD.json"), captured("payloads/kalshi_orderbook.json")];
    if (markets === null || book === null) return test.skip("no ../shared/data beside the repository");
    expect(parseKalshiMarkets(markets, unheard).markets).toEqual([
      {
        ticker: "KXGOLDD-26SEP2217-T4545",
        strike: "4545",
        closesAtMs: Date.parse("2026-09-22T21:00:00Z"),
        yesBid: "0.0800",
        yesAsk: "0.1100",
        contracts: "1234.00",
      },
    ]);
    const read = readKalshiBook(JSON.parse(book));
    expect([bidLevels(read)[0]?.price.toFixed(), askLevels(read)[0]?.price.toFixed()]).toEqual(["0.01", "0.02"]);
    expect(askLevels(read)[0]?.size.toFixed()).toBe("1586.01");
  });
});

/** Bybit's options: valid and broken payloads, and a captured one. */
import { describe, expect, it } from "vitest";
import type { FeedError } from "../../feed/error.ts";
import { unheard } from "../../testing/partial-errors.ts";
import { captured, fixture, HTML_PAGE, prepared } from "../../testing/samples.ts";
import { bybit, parseBybit } from "./bybit.ts";

const CHAIN = fixture("bybit-options.json.txt");
const NOW_MS = 1_795_175_987_075;

describe("bybit", () => {
  it("is one chain with the published digits, each expiry at 08:00 UTC of its day", () => {
    expect(parseBybit(CHAIN, unheard)).toEqual({
      kind: "options",
      source: "bybit",
      observedAtMs: NOW_MS,
      chain: {
        venue: "bybit",
        metal: "xau",
        style: "european",
        underlying: "XAUT",
        underlyingUsd: "4003.1",
        retrievedAtMs: NOW_MS,
        expiries: [
          {
            expiresAtMs: Date.parse("2026-12-04T08:00:00Z"),
            // A price without a size is not a bid.
            quotes: [{ right: "put", strike: "4000.5", bid: null, ask: "42.5", volume: "1" }],
          },
          {
            expiresAtMs: Date.parse("2026-12-25T08:00:00Z"),
            quotes: [
              { right: "call", strike: "3900", bid: "168.5", ask: "174.0", volume: "14.2" },
              { right: "put", strike: "3900", bid: "51.5", ask: "55.0", volume: "0" },
              { right: "call", strike: "4600", bid: null, ask: "6.50", volume: null },
            ],
          },
        ],
      },
    });
  });

  it("uses the token's index as the underlying's price, not the forward, and no single ticker's", () => {
    const odd = CHAIN.replace('"indexPrice":"4003.2"', '"indexPrice":"40032"');
    expect(parseBybit(odd, unheard).chain.underlyingUsd).toBe("4003.1");
  });

  it("accepts a crossed book as it is", () => {
    const crossed = parseBybit(CHAIN.replace('"bid1Price":"168.5"', '"bid1Price":"180"'), unheard);
    expect(crossed.chain.expiries[1]?.quotes[0]).toMatchObject({ bid: "180", ask: "174.0" });
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    [
      "an error of the venue",
      '{"retCode":10006,"retMsg":"Too many visits!","result":{},"time":1795175987075}',
      /the venue reports/,
    ],
    ["spot tickers", CHAIN.replace('"category":"option"', '"category":"spot"'), /category: must be option/],
    ["an empty list", CHAIN.replace(/"list":\[[\s\S]*\]\}/, '"list":[]}'), /must not be empty/],
    ["a chain without its time", CHAIN.replace('"time"', '"when"'), /time/],
    ["options of another coin", CHAIN.replaceAll("XAUT-", "BTC-"), /^option 1 of 4: .*such as XAUT-25DEC26.* \(and 3 more\)$/],
  ])("refuses %s", (_what, text, message) => {
    expect(() => parseBybit(text, unheard)).toThrow(message);
  });

  it.each([
    ["a day there is not", "XAUT-4DEC26-", "XAUT-31NOV26-", /symbol/],
    ["a month there is not", "XAUT-4DEC26-", "XAUT-4DEZ26-", /symbol/],
    ["a strike of nothing", "-4000.5-P", "-0-P", /symbol/],
    ["another settlement currency", "4000.5-P-USDT", "4000.5-P-EUR", /symbol/],
    ["a price as a number", '"ask1Price":"42.5"', '"ask1Price":42.5', /ask1Price: must be text/],
    ["a negative price", '"ask1Price":"42.5"', '"ask1Price":"-42.5"', /ask1Price: must be a positive figure/],
    ["no index price", '"indexPrice":"4003.2"', '"indexPrice":""', /indexPrice/],
    ["no size", '"ask1Size":"0.8",', "", /ask1Size/],
  ])("leaves one option with %s out and reports it", (_what, from, to, message) => {
    const heard: FeedError[] = [];
    const { chain } = parseBybit(CHAIN.replace(from, to), (error) => heard.push(error));
    expect(chain.expiries.map(({ quotes }) => quotes.length)).toEqual([3]);
    expect(heard).toMatchObject([{ kind: "payload", message: expect.stringMatching(message) }]);
  });

  it("requests every option on the token once", async () => {
    const context = prepared({ "/v5/market/tickers?category=option&baseCoin=XAUT": CHAIN });
    expect(await bybit.fetch(context)).toMatchObject([{ kind: "options", source: "bybit" }]);
    expect(context.partials).toEqual([]);
  });

  it("reads a captured payload", (test) => {
    const text = captured("payloads/bybit_options_XAUT.json");
    if (text === null) return test.skip("no ../shared/data beside the repository");
    const { chain, observedAtMs } = parseBybit(text, unheard);
    expect(chain).toMatchObject({ underlyingUsd: "4389.2", style: "european" });
    expect(chain.expiries).toEqual([
      {
        expiresAtMs: Date.parse("2026-12-25T08:00:00Z"),
        quotes: [{ right: "call", strike: "4400", bid: "118.5", ask: "124.0", volume: "48.1" }],
      },
    ]);
    expect(observedAtMs).toBe(1_787_059_781_075);
  });
});

/** Tickers of tokenised gold: valid, broken and captured payloads. */
import { describe, expect, it } from "vitest";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../testing/samples.ts";
import { coinbase, parseCoinbase } from "./coinbase.ts";
import { kraken, parseKraken } from "./kraken.ts";
import { okx, parseOkx } from "./okx.ts";

const KRAKEN = fixture("kraken.json.txt");
const OKX = fixture("okx.json.txt");
const COINBASE = fixture("coinbase.json.txt");

describe("tokenised gold", () => {
  it("never takes part in a price", () => {
    for (const { info } of [kraken, okx, coinbase])
      expect(info).toMatchObject({ role: "informational", alwaysOpen: true, required: false });
  });

  it("is the middle of the book with the published digits of both sides", async () => {
    const [first] = await kraken.fetch(prepared({ "/0/public/Ticker?pair=PAXGUSD": KRAKEN }));
    expect(first).toMatchObject({ price: "4004.93", bid: "4004.550000", ask: "4005.310000", observedAtMs: NOW_MS });
    const [second] = await okx.fetch(prepared({ "/api/v5/market/ticker?instId=XAUT-USDT": OKX }));
    expect(second).toMatchObject({ price: "4004.25", bid: "4004.1", ask: "4004.4", observedAtMs: 1795175981075 });
    const [third] = await coinbase.fetch(prepared({ "/products/PAXG-USD/ticker": COINBASE }));
    expect(third).toMatchObject({ price: "4005.015", observedAtMs: Date.parse("2026-11-20T11:59:40.234Z") });
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an error of the venue", '{"error":["EQuery:Unknown asset pair"]}', /error/],
    ["no pair", '{"error":[],"result":{}}', /PAXG alone/],
    ["another pair", KRAKEN.replace("PAXGUSD", "XXBTZUSD"), /PAXG alone/],
    ["an empty side", KRAKEN.replace('["4004.550000","1","1.000"]', "[]"), /PAXGUSD.b/],
    ["a side as numbers", KRAKEN.replace('"4004.550000"', "4004.55"), /PAXGUSD.b: must be text/],
    ["an absurd bid", KRAKEN.replace("4004.550000", "0.000"), /positive figure/],
    ["a missing ask", KRAKEN.replace('"a":', '"z":'), /PAXGUSD.a/],
  ])("refuses %s from kraken", (_what, body, message) => {
    expect(() => parseKraken(body, NOW_MS)).toThrow(message);
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an error of the venue", '{"code":"50011","msg":"Too Many Requests","data":[]}', /code: the venue reports an error/],
    ["an empty set", '{"code":"0","msg":"","data":[]}', /one ticker/],
    ["another pair", OKX.replace("XAUT-USDT", "BTC-USDT"), /instId/],
    ["an empty bid", OKX.replace('"bidPx":"4004.1"', '"bidPx":""'), /bidPx/],
    ["a time as a number", OKX.replace('"1795175981075"', "1795175981075"), /ts/],
    ["a missing ask", OKX.replace('"askPx":"4004.4",', ""), /askPx/],
  ])("refuses %s from okx", (_what, body, message) => {
    expect(() => parseOkx(body)).toThrow(message);
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an error of the venue", '{"message":"NotFound"}', /bid/],
    ["a bid as a number", COINBASE.replace('"4004.81"', "4004.81"), /bid: must be text/],
    ["a missing time", COINBASE.replace('"time"', '"when"'), /time/],
    ["an absurd ask", COINBASE.replace("4005.22", "Infinity"), /ask: must be a positive figure/],
  ])("refuses %s from coinbase", (_what, body, message) => {
    expect(() => parseCoinbase(body)).toThrow(message);
  });

  it("reads captured payloads", (test) => {
    const [one, two, three] = ["kraken_ticker_PAXGUSD", "okx_ticker_XAUT-USDT", "coinbase_ticker_PAXG-USD"].map((name) =>
      captured(`payloads/${name}.json`),
    );
    if (!one || !two || !three) return test.skip("no ../shared/data beside the repository");
    expect(parseKraken(one, NOW_MS)).toMatchObject({ price: "2054.965", bid: "2054.780000", ask: "2055.150000" });
    expect(parseOkx(two)).toMatchObject({ price: "4388.5", observedAtMs: 1787059781075 });
    expect(parseCoinbase(three)).toMatchObject({ price: "4390.51", bid: "4389.80", ask: "4391.22" });
  });
});

/** Coinbase's exchange rates: valid and broken payloads, and a captured one. */
import { describe, expect, it } from "vitest";
import { captured, fixture, HTML_PAGE, NOW_MS, prepared } from "../testing/samples.ts";
import { coinbaseFx, parseCoinbaseFx } from "./coinbase-fx.ts";

const BODY = fixture("coinbase-fx.json.txt");

describe("coinbase-fx", () => {
  it("keeps the published rates of currencies, leaves tokens out and is dated on arrival", () => {
    expect(parseCoinbaseFx(BODY, NOW_MS)).toEqual({
      kind: "fx",
      source: "coinbase-fx",
      role: "live",
      base: "USD",
      rates: {
        AED: "3.6725",
        BGN: "1.6817",
        CNY: "7.0912",
        EUR: "0.8600",
        GBP: "0.74951",
        IDR: "16233.4",
        JPY: "151.10",
        VND: "25410.02",
      },
      observedAtMs: NOW_MS,
      freshForMs: 180_000,
    });
  });

  it("accepts a token's rate in any form", () => {
    expect(parseCoinbaseFx(BODY.replace('"0.0000112358132134"', "1e-5"), NOW_MS).rates.EUR).toBe("0.8600");
  });

  it.each([
    ["HTML", HTML_PAGE, /not JSON/],
    ["an empty object", "{}", /data/],
    ["no rates", '{"data":{"currency":"USD","rates":{}}}', /EUR is missing/],
    ["a rate as a number", BODY.replace('"0.8600"', "0.86"), /rates.EUR/],
    ["a rate of zero", BODY.replace("151.10", "0"), /rates.JPY/],
    ["an absurd rate", BODY.replace("151.10", "1e400"), /rates.JPY/],
    ["an empty rate", BODY.replace("151.10", ""), /rates.JPY/],
    ["another base", BODY.replace('"USD"', '"EUR"'), /currency: must be USD/],
    ["an error of the venue", '{"errors":[{"id":"rate_limit","message":"slow down"}]}', /data/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => parseCoinbaseFx(body, NOW_MS)).toThrow(message);
  });

  it("requests the dollar's table", async () => {
    expect(await coinbaseFx.fetch(prepared({ "/v2/exchange-rates?currency=USD": BODY }))).toHaveLength(1);
  });

  it("reads a captured payload", (test) => {
    const body = captured("payloads/coinbase_exchange_rates_USD.json");
    if (body === null) return test.skip("no ../shared/data beside the repository");
    expect(parseCoinbaseFx(body, NOW_MS).rates).toEqual({
      AED: "3.6725",
      BGN: "1.6760",
      CNY: "7.1234",
      EUR: "0.9210",
      JPY: "146.23",
    });
  });
});

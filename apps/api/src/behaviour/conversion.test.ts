import { FRIDAY_MS, makeRates, makeTick, RATES } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const QUARTER_MS = 15 * 60_000;
let app: TestApp;
let key: string;

beforeAll(async () => {
  app = await startTestApp();
  for (const [index, atMs] of [FRIDAY_MS - QUARTER_MS, FRIDAY_MS].entries()) {
    await app.publish({
      ticks: [
        makeTick(index + 1, { computedAtMs: atMs, price: "4003.20" }),
        makeTick(index + 1, { computedAtMs: atMs - 1_000, instrument: "XAG-USD-SPOT", price: "52.125" }),
      ],
      fx: [makeRates({ observedAtMs: atMs - 2_000 })],
    });
  }
  ({ key } = await app.key("realtime_pro"));
});
afterAll(() => app.close());

const convert = (query: Record<string, string>) => app.ask("/v1/convert", { query, key });

describe("the four directions", () => {
  test("metal to currency is spot times the rate", async () => {
    expect((await convert({ from: "XAU", to: "EUR" })).json).toEqual({
      from: "XAU",
      to: "EUR",
      amount: "1",
      rate: "3442.752",
      result: "3442.75",
      unit: "oz",
      timestamp: "2026-11-20T14:00:00Z",
    });
  });

  test.each([
    ["IDR", "XAU", "1", "oz", /^0\.0{7,8}[1-9][0-9]{3}$/],
    ["XAU", "USD", "0.000001", "gram", /^0\.0001287$/],
    ["XAU", "JPY", "0.00000001", "gram", /^0\.000[0-9]{4}$/],
  ])("a result that is not zero never reads zero: %s to %s, %s", async (from, to, amount, unit, expected) => {
    const { json } = await convert({ from, to, amount, unit });
    expect(json.result).toMatch(expected);
    const off = Math.abs(Number(json.result) / (Number(amount) * Number(json.rate)) - 1);
    expect(off).toBeLessThan(0.000_5);
    expect((await convert({ from, to, amount, unit, format: "text" })).text).toBe(`${json.result}\n`);
  });

  test("metal to metal is the ratio of spot prices, dated by the older, and the unit cancels out", async () => {
    for (const unit of ["oz", "gram", "kg"]) {
      const { json } = await convert({ from: "XAU", to: "XAG", unit });
      expect(json, unit).toMatchObject({
        rate: "76.8",
        result: "76.800000",
        unit,
        timestamp: "2026-11-20T13:59:59Z",
      });
    }
  });

  test("currency to currency is the cross through USD, dated by its `to` leg", async () => {
    const { json } = await convert({ from: "EUR", to: "JPY", amount: "100" });
    expect(json).toMatchObject({ result: "18035", timestamp: "2026-11-20T13:59:58Z" });
    expect(json.rate).toBe("180.348837209302326");
    expect((await convert({ from: "EUR", to: "USD" })).json.timestamp).toBe("2026-11-20T14:00:00Z");
  });
});

describe("a stale figure", () => {
  let stale: TestApp;
  let pro: string;
  beforeAll(async () => {
    stale = await startTestApp();
    ({ key: pro } = await stale.key("pro"));
    const { EUR = "" } = RATES;
    await stale.publish({
      ticks: [makeTick(1), makeTick(1, { instrument: "XAG-USD-SPOT", price: "52.125", freshUntilMs: FRIDAY_MS - 1 })],
      // The dollar's rate in euros is a reference rate; the others are live.
      fx: [
        makeRates({ source: "daily", role: "reference", rates: { EUR } }),
        makeRates({ rates: Object.fromEntries(Object.entries(RATES).filter(([code]) => code !== "EUR")) }),
      ],
    });
  });
  afterAll(() => stale.close());

  const ask = async (path: string) => (await stale.ask(path, { key: pro })).json;

  test.each([
    ["XAU", "EUR", "fx_fallback"],
    ["EUR", "XAU", "fx_fallback"],
    ["XAG", "USD", "feed_down"],
    ["XAG", "EUR", "feed_down"],
    ["XAU", "XAG", "feed_down"],
    ["XAG", "XAU", "feed_down"],
    ["EUR", "JPY", "fx_fallback"],
    ["JPY", "EUR", "fx_fallback"],
    ["USD", "BGN", "fx_fallback"],
  ])("from %s to %s says %s", async (from, to, reason) => {
    expect((await ask(`/v1/convert?from=${from}&to=${to}`)).stale_reason).toBe(reason);
  });

  test.each([
    ["XAU", "USD"],
    ["XAU", "JPY"],
    ["USD", "JPY"],
    ["EUR", "EUR"],
    ["XAG", "XAG"],
  ])("from %s to %s there is none", async (from, to) => {
    expect(Object.keys(await ask(`/v1/convert?from=${from}&to=${to}`))).not.toContain("stale_reason");
  });

  test("as text has the reason in a header, a fresh one has not", async () => {
    const reason = async (path: string) => (await stale.ask(path, { key: pro })).headers.get("x-stale-reason");
    expect(await reason("/v1/convert?from=XAG&to=USD&format=text")).toBe("feed_down");
    expect(await reason("/v1/spot/XAU-EUR-SPOT?format=text")).toBe("fx_fallback");
    expect(await reason("/v1/spot/XAU?format=text")).toBeNull();
    expect(await reason("/v1/convert?from=XAU&to=JPY&format=text")).toBeNull();
  });

  test("of a karat price says why, as the spot row does", async () => {
    expect((await ask("/v1/carat?currency=EUR")).stale_reason).toBe("fx_fallback");
    expect((await ask("/v1/spot/XAU-EUR-SPOT")).stale_reason).toBe("fx_fallback");
    expect(await ask("/v1/carat?currency=JPY")).not.toHaveProperty("stale_reason");
  });
});

test.each([
  [{ from: "HG", to: "USD" }, "unsupported_currency"],
  [{ from: "XAU", to: "AED" }, "unsupported_currency"],
  [{ from: "XAU", to: "USD", unit: "tola" }, "unsupported_unit"],
  [{ from: "XAU", to: "USD", amount: "0" }, "bad_request"],
  [{ from: "XAU", to: "USD", amount: "Infinity" }, "bad_request"],
])("%j is refused with 400 %s", async (query: Record<string, string>, code) => {
  const { status, json } = await convert(query);
  expect([status, json.error]).toEqual([400, code]);
});

describe("karat prices", () => {
  const carat = (currency?: string) => app.ask(`/v1/carat${currency === undefined ? "" : `?currency=${currency}`}`, { key });

  test("are spot over 31.1034768 grams, times the karat, four decimals", async () => {
    expect((await carat()).json).toEqual({
      currency: "USD",
      timestamp: "2026-11-20T14:00:00Z",
      price_gram_24k: "128.7059",
      price_gram_22k: "117.9804",
      price_gram_21k: "112.6176",
      price_gram_20k: "107.2549",
      price_gram_18k: "96.5294",
      price_gram_16k: "85.8039",
      price_gram_14k: "75.0784",
      price_gram_10k: "53.6274",
    });
  });

  test.each(["XAU", "AED", "garbage"])("%s is not a currency", async (currency) => {
    const { status, json } = await carat(currency);
    expect([status, json.error]).toEqual([400, "unsupported_currency"]);
  });
});

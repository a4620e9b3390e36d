import { catalogue } from "@assay/catalogue";
import { CURRENCIES } from "@assay/contract";
import { FRIDAY_MS, makeRates, makeTick, RATES } from "@assay/testkit";
import fc from "fast-check";
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

const convert = (query: Record<string, string>, with_: string | undefined = key) =>
  app.ask(`/v1/convert?${new URLSearchParams(query)}`, { key: with_ });

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

  test("currency to metal is the inverse, metals to six decimals", async () => {
    const { json } = await convert({ from: "EUR", to: "XAU", amount: "3442.752" });
    expect(json).toMatchObject({
      from: "EUR",
      to: "XAU",
      amount: "3442.752",
      result: "1.000000",
      timestamp: "2026-11-20T14:00:00Z",
    });
    expect(json.rate).toBe("0.000290465302176863161");
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

  test("of a thing into itself is one", async () => {
    for (const code of ["XAU", "XAG", "USD", "EUR", "BGN"]) {
      expect((await convert({ from: code, to: code, amount: "2.5" })).json).toMatchObject({ rate: "1", amount: "2.5" });
    }
  });
});

describe("weights", () => {
  test("apply to the metal's side alone", async () => {
    expect((await convert({ from: "XAU", to: "USD", unit: "gram", amount: "31.1034768" })).json.result).toBe("4003.20");
    expect((await convert({ from: "XAU", to: "USD", unit: "kg" })).json.result).toBe("128705.87");
    expect((await convert({ from: "USD", to: "XAU", unit: "gram", amount: "4003.20" })).json.result).toBe("31.103477");
    expect((await convert({ from: "USD", to: "EUR", unit: "kg" })).json).toMatchObject({ result: "0.86", unit: "kg" });
  });

  test("are oz, gram and kg, and refused otherwise", async () => {
    for (const unit of ["oz", "gram", "kg"]) expect((await convert({ from: "XAU", to: "USD", unit })).json.unit).toBe(unit);
    for (const unit of ["GRAM", "tola", "g", "ounce", "grams", "lb"]) {
      const { status, json } = await convert({ from: "XAU", to: "USD", unit });
      expect([status, json.error], unit).toEqual([400, "unsupported_unit"]);
    }
  });
});

describe("figures", () => {
  test("are rounded once, at the very end, to the currency's minor units", async () => {
    const result = async (to: string, amount: string) => (await convert({ from: "XAU", to, amount })).json.result;
    expect(await result("USD", "1.005")).toBe("4023.22");
    const decimalsOf = (text: unknown): number => String(text).split(".")[1]?.length ?? 0;
    for (const to of CURRENCIES) expect(decimalsOf(await result(to, "1")), to).toBe(catalogue.currency(to).minor_units);
  });

  test("are in plain notation, whatever their size", async () => {
    const { json } = await convert({ from: "USD", to: "XAU", amount: "0.000000000001", unit: "kg" });
    expect(json.result).toMatch(/^0\.0{17}[0-9]{4}$/);
    expect(json.rate).not.toMatch(/e/i);
    const large = await convert({ from: "XAU", to: "IDR", amount: "9".repeat(40) });
    expect(large.json.result).toMatch(/^[0-9]{47,49}\.[0-9]{2}$/);
  });

  test("an amount keeps every digit and loses only trailing zeros", async () => {
    const amount = async (text: string) => (await convert({ from: "XAU", to: "USD", amount: text })).json.amount;
    expect(await amount("0.10000000000000000000000000000000000001")).toBe("0.10000000000000000000000000000000000001");
    expect(await amount("007.500")).toBe("7.5");
    expect(await amount("10")).toBe("10");
  });

  test("there and back again is one, to the last of 18 digits", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...CURRENCIES, "XAU", "XAG"),
        fc.constantFrom(...CURRENCIES, "XAU", "XAG"),
        async (from, to) => {
          const { key: own } = await app.key("realtime_pro");
          const [there, back] = await Promise.all([convert({ from, to }, own), convert({ from: to, to: from }, own)]);
          expect(Math.abs(Number(there.json.rate) * Number(back.json.rate) - 1)).toBeLessThan(1e-14);
        },
      ),
      { numRuns: 40 },
    );
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

describe("refusals", () => {
  test.each(["HG", "XPT", "BTC", "AED", "gold", "XAU-USD-SPOT", "EURO", "E", "__proto__"])(
    "%s is not a valid leg, on either side",
    async (code) => {
      for (const query of [
        { from: code, to: "USD" },
        { from: "XAU", to: code },
      ]) {
        const { status, json } = await convert(query);
        expect([status, json.error]).toEqual([400, "unsupported_currency"]);
      }
    },
  );

  test("codes are read in any case", async () => {
    expect((await convert({ from: "xau", to: "eur" })).json).toMatchObject({ from: "XAU", to: "EUR" });
  });

  test.each(["0", "0.000", "-1", "-0", "Infinity", "-Infinity", "NaN"])(
    "%s is an amount out of range: bad_request",
    async (amount) => {
      const { status, json } = await convert({ from: "XAU", to: "USD", amount });
      expect([status, json.error]).toEqual([400, "bad_request"]);
    },
  );

  test.each([
    ["1e-7", "0.0000001"],
    ["1E+3", "1000"],
    [".5", "0.5"],
    ["2.50e0", "2.5"],
  ])("%s is read as a number and echoed as %s", async (amount, plain) => {
    const written = await convert({ from: "EUR", to: "JPY", amount });
    expect(written.json).toMatchObject({ amount: plain });
    expect(written.json).toEqual((await convert({ from: "EUR", to: "JPY", amount: plain })).json);
  });

  test.each(["", " 1", "1e400", "1e", "1 e3", "1,5", "ten", "+1", "5.", "0x10", "1_000", "١", "1 000", "9".repeat(41)])(
    "%j is a malformed amount: validation_error",
    async (amount) => {
      const { status, json } = await convert({ from: "XAU", to: "USD", amount });
      expect([status, json.error]).toEqual([422, "validation_error"]);
    },
  );

  test("from, to and the longest codes are checked", async () => {
    expect((await convert({ from: "XAU" })).json.issues).toMatchObject([{ path: ["query", "to"] }]);
    expect((await convert({})).json.issues).toHaveLength(2);
    expect((await convert({ from: "X".repeat(17), to: "USD" })).status).toBe(422);
  });
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

  test("exist in every currency, in any case of its code", async () => {
    for (const currency of CURRENCIES) {
      const { key: own } = await app.key("realtime_pro");
      const { status, json } = await app.ask(`/v1/carat?currency=${currency.toLowerCase()}`, { key: own });
      expect([status, json.currency]).toEqual([200, currency]);
      const rate = currency === "BGN" ? 1.95583 * Number(RATES.EUR) : Number(currency === "USD" ? 1 : RATES[currency]);
      expect(Number(json.price_gram_24k) / ((4003.2 / 31.1034768) * rate)).toBeCloseTo(1, 4);
    }
  });

  test.each(["XAU", "AED", "EURO", "garbage", "__proto__"])("%s is not a currency", async (currency) => {
    const { status, json } = await carat(currency);
    expect([status, json.error]).toEqual([400, "unsupported_currency"]);
  });
});

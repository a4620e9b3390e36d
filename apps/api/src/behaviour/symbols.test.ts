import { CURRENCIES, type Source, type SpotRow } from "@assay/contract";
import { PRICE_SYMBOLS } from "@assay/pricing";
import { FRIDAY_MS, makeRates, makeSource, makeTick, type TestKey } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let pro: TestKey;
let physical: TestKey;
let free: TestKey;
const QUARTER_MS = 15 * 60_000;

beforeAll(async () => {
  app = await startTestApp();
  const silver = { instrument: "XAG-USD-SPOT", price: "52.12345" } as const;
  const copper = { instrument: "HG-USD-SPOT", price: "4.98765" } as const;
  const sources = [
    makeSource({ price: "4003.10" }),
    makeSource({ source: "beta", displayName: "Beta", price: "4003.30", observedAtMs: FRIDAY_MS }),
    makeSource({ source: "token", displayName: "Token", role: "informational", price: "4010.00" }),
  ];
  const spread = { bid: "4003.00", ask: "4003.40", sources, divergenceBps: 0.5 };
  for (const atMs of [FRIDAY_MS - QUARTER_MS, FRIDAY_MS]) {
    const seq = atMs === FRIDAY_MS ? 2 : 1;
    await app.publish({
      ticks: [
        makeTick(seq, { computedAtMs: atMs, ...spread }),
        makeTick(seq, { computedAtMs: atMs, ...silver }),
        makeTick(seq, { computedAtMs: atMs, ...copper }),
        makeTick(seq, { computedAtMs: atMs, instrument: "HG-USD-FUTURES", price: "5.01" }),
      ],
      fx: [makeRates({ observedAtMs: atMs })],
    });
  }
  [pro, physical, free] = await Promise.all([app.key("pro"), app.key("physical"), app.key("free")]);
});
afterAll(() => app.close());

const spot = (symbol: string, key?: TestKey, query = "") => app.ask(`/v1/spot/${symbol}${query}`, { key: key?.key });

describe("/v1/spot/{symbol}", () => {
  test.each([
    ...["gold", "GOLD", "Gold", "XAU", "xau", "XAU-USD-SPOT", "xau-usd-spot", "Xau-USD-Spot"].map((each) => [
      each,
      "XAU",
      "USD",
      "spot",
    ]),
    ...["silver", "SILVER", "XAG", "xag-usd-spot"].map((each) => [each, "XAG", "USD", "spot"]),
    ...["copper", "COPPER", "HG", "hg", "HG-USD-FUTURES"].map((each) => [each, "HG", "USD", "futures"]),
    ["HG-USD-SPOT", "HG", "USD", "spot"],
    ["xau-eur-spot", "XAU", "EUR", "spot"],
  ])("%s is %s in %s, %s", async (text, symbol, quote_currency, contract_type) => {
    const { status, json } = await spot(text, pro);
    expect(status).toBe(200);
    expect(json).toMatchObject({ symbol, quote_currency, contract_type, unit: symbol === "HG" ? "pound" : "troy_ounce" });
  });

  test.each(["XAU-ABC-SPOT", "XAU-AED-SPOT", "XAU-EUR-FUTURES", "XAG-EUR-SPOT", "HG-JPY-FUTURES"])(
    "%s is well-formed but unknown: not_found",
    async (text) => {
      const { status, json } = await spot(text, pro);
      expect([status, json.error]).toEqual([404, "not_found"]);
    },
  );

  test.each([
    "garbage",
    "XPT-USD-SPOT",
    "XAU-USD",
    "XAU/USD",
    "XAU-USD-SPOT-X",
    "USD-XAU-SPOT",
    "GC",
    "GLD",
    "XAU-USDT-SPOT",
    "XAU_USD_SPOT",
    " XAU",
    "ＸＡＵ",
    "constructor",
    "__proto__",
  ])("%s is malformed: invalid_symbol with the input and the form", async (text) => {
    const { status, json } = await spot(encodeURIComponent(text), pro);
    expect([status, json.error]).toEqual([400, "invalid_symbol"]);
    expect(json.symbol).toBe(text);
    expect(json.hint).toContain("BASE-QUOTE-CONTRACT");
  });

  test("paths that cannot be decoded are refused, never a 500", async () => {
    for (const path of ["%zz", "%E0%A4%A", "%00", "%FF", "XAU%0A"]) {
      const { status } = await spot(path, pro);
      expect([400, 404, 422], path).toContain(status);
    }
  });

  test("gates the metal and the contract before it says whether the symbol is known", async () => {
    for (const text of ["XAG", "HG-USD-SPOT", "XAU-USD-FUTURES", "XAG-EUR-SPOT", "HG-ABC-FUTURES", "copper"]) {
      for (const key of [undefined, free, physical]) {
        const { status, json } = await spot(text, key);
        expect([status, json.error, json.required_tier], text).toEqual([403, "plan_gated", "pro"]);
        expect(json.tier).toBe(key?.tier ?? "free");
      }
    }
  });

  test("answers a row without a price while its instrument has none, stale and saying why", async () => {
    const { status, json } = await spot("XAG-USD-FUTURES", pro);
    expect(status).toBe(200);
    expect(json).toEqual({
      symbol: "XAG",
      quote_currency: "USD",
      unit: "troy_ounce",
      contract_type: "futures",
      is_stale: true,
      stale_reason: "feed_down",
    });
  });
});

describe("/v1/prices", () => {
  test("lists gold by currency first, then the other metals", async () => {
    const { symbols } = (await app.ask<{ symbols: SpotRow[] }>("/v1/prices", { key: pro.key })).json;
    const names = symbols.map((row) => `${row.symbol}-${row.quote_currency}-${row.contract_type.toUpperCase()}`);
    expect(names).toEqual(PRICE_SYMBOLS.map(({ symbol }) => symbol));
    expect(names.slice(0, CURRENCIES.length)).toEqual(CURRENCIES.map((currency) => `XAU-${currency}-SPOT`));
  });

  test("refuses what it does not price as invalid_symbol, well-formed or not", async () => {
    for (const symbol of ["XAU-ABC-SPOT", "garbage"]) {
      const { status, json } = await app.ask(`/v1/prices?symbol=${symbol}`, { key: pro.key });
      expect([status, json.error, json.symbol]).toEqual([400, "invalid_symbol", symbol]);
    }
  });
});

describe("a row", () => {
  test("is lean unless groups are requested", async () => {
    const { json } = await spot("XAU", pro);
    expect(Object.keys(json)).toEqual([
      ...["symbol", "quote_currency", "unit", "contract_type", "is_stale", "price", "bid", "ask", "computed_at"],
    ]);
    expect(json).toMatchObject({ price: "4003.20", bid: "4003.00", ask: "4003.40", computed_at: "2026-11-20T14:00:00Z" });
  });

  test("carries each source with its own price crossed like the row's, and informational ones from Pro on", async () => {
    const sources = async (key?: TestKey): Promise<Source[]> =>
      (await spot("XAU-EUR-SPOT", key, "?include=sources")).json.sources;
    expect((await sources(pro)).map(({ source }) => source)).toEqual(["alpha", "beta", "token"]);
    expect((await sources(physical)).map(({ source }) => source)).toEqual(["alpha", "beta"]);
    expect((await sources()).map(({ source }) => source)).toEqual(["alpha", "beta"]);
    expect((await sources(pro))[2]).toEqual({
      source: "token",
      display_name: "Token",
      price: "3448.60",
      unit: "troy_ounce",
      license: "attribution",
      is_stale: false,
      informational: true,
      role: "reference",
      verdict: "standby",
    });
  });

  test("has karat prices for gold only", async () => {
    const grams = Object.keys((await spot("XAU-EUR-SPOT", pro, "?include=karat")).json).filter((name) =>
      name.startsWith("price_gram"),
    );
    expect(grams).toEqual([24, 22, 21, 20, 18, 16, 14, 10].map((karat) => `price_gram_${karat}k`));
    for (const symbol of ["XAG", "HG", "HG-USD-SPOT"]) {
      expect((await spot(symbol, pro, "?include=karat")).text, symbol).not.toContain("price_gram");
    }
  });

  test("agrees with the karat route to the digit", async () => {
    const row = (await spot("XAU-INR-SPOT", pro, "?include=karat")).json;
    const karat = (await app.ask("/v1/carat?currency=INR", { key: pro.key })).json;
    for (const n of [24, 22, 21, 20, 18, 16, 14, 10]) expect(row[`price_gram_${n}k`]).toBe(karat[`price_gram_${n}k`]);
    expect(karat.timestamp).toBe(row.computed_at);
  });

  test("has divergence_flag even without a price, and value_stale only on the council's rate", async () => {
    expect((await spot("XAG-USD-FUTURES", pro, "?include=stats")).json).toMatchObject({ divergence_flag: false });
    const row = (await spot("XAU", pro, "?include=stats")).json;
    expect(row.divergence_bps).toBe(0.5);
    expect(row).not.toHaveProperty("value_stale");
  });
});

describe("staleness", () => {
  test("results from a currency whose live rate went silent, and affects that row only", async () => {
    const atMs = FRIDAY_MS + 200_000;
    app.clock.set(atMs);
    await app.publish({
      ticks: [makeTick(3, { computedAtMs: atMs })],
      fx: [
        makeRates({
          source: "ecb",
          role: "reference",
          base: "EUR",
          rates: { USD: "1.1600", JPY: "180.00" },
          observedAtMs: FRIDAY_MS - 3_600_000,
          freshForMs: 432_000_000,
        }),
      ],
    });
    const { json: euro } = await spot("XAU-EUR-SPOT", pro, "?include=sources");
    expect(euro).toMatchObject({ is_stale: true, stale_reason: "fx_fallback" });
    expect(euro.sources.at(-1)).toEqual({
      source: "ecb",
      display_name: "Daily reference rate of 2026-11-20",
      is_stale: false,
      informational: false,
      role: "reference",
      verdict: "believed",
    });
    expect((await spot("XAU", pro)).json.is_stale).toBe(false);
    app.clock.set(FRIDAY_MS);
  });

  test("means no price in a currency of which every rate is more than seven days old", async () => {
    const weekMs = 7 * 86_400_000;
    const gold = async (seq: number, atMs: number) => {
      app.clock.set(atMs);
      await app.publish({ ticks: [makeTick(seq, { computedAtMs: atMs })] });
      const { json } = await spot("XAU-EUR-SPOT", pro, "?include=sources");
      return [json.price !== undefined, json.stale_reason, json.sources.at(-1)?.display_name];
    };
    const referenceUntilMs = FRIDAY_MS - 3_600_000 + weekMs;
    expect(await gold(9, referenceUntilMs)).toEqual([true, "fx_fallback", "Daily reference rate of 2026-11-20"]);
    expect(await gold(10, referenceUntilMs + 1)).toEqual([true, "fx_fallback", "Last live rate, of 2026-11-20T14:00:00Z"]);
    expect(await gold(11, FRIDAY_MS + weekMs + 1)).toEqual([false, "fx_fallback", undefined]);
    app.clock.set(FRIDAY_MS);
  });
});

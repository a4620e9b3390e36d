import { DELAY_MS, MINUTE_MS, type SpotRow, startOfUtcDay } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { FRIDAY_MS, makeBar, makeBars, makeRates, makeSource, makeTick, type TestKey } from "@assay/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

describe("every route that shows a price", () => {
  let app: TestApp;
  let free: TestKey;
  let paid: TestKey;

  /** Twenty minutes of a market that rises by one dollar a minute, with rising rates too. */
  beforeAll(async () => {
    app = await startTestApp();
    for (let minute = 0; minute <= 20; minute += 1) {
      const atMs = FRIDAY_MS + minute * MINUTE_MS;
      app.clock.set(atMs);
      const bars: BarRow[] =
        minute === 0
          ? []
          : makeBars("1m", atMs - MINUTE_MS, 1, {
              close: `${4000 + minute}.00`,
              high: `${4000 + minute}.00`,
              low: "3999.00",
              open: "4000.00",
            });
      await app.publish({
        ticks: [
          makeTick(minute + 1, {
            computedAtMs: atMs,
            price: `${4000 + minute}.00`,
            divergenceBps: minute === 5 ? 90 : 2,
            sources: [makeSource({ price: `${4000 + minute}.00`, observedAtMs: atMs, freshUntilMs: atMs + MINUTE_MS })],
          }),
        ],
        fx: [makeRates({ observedAtMs: atMs, rates: { EUR: `0.8${String(minute).padStart(2, "0")}` } })],
        bars: [
          ...bars,
          makeBar({
            interval: "1d",
            barStartMs: startOfUtcDay(atMs),
            close: `${4000 + minute}.00`,
            high: "4020.00",
            low: "3999.00",
            open: "4000.00",
            isClosed: false,
          }),
        ],
      });
    }
    [free, paid] = await Promise.all([app.key("free"), app.key("basic")]);
  });
  afterAll(() => app.close());

  const callers = (): [string, string | undefined][] => [
    ["without a key", undefined],
    ["with a free key", free.key],
  ];

  test("answers free and keyless callers with the price of fifteen minutes ago", async () => {
    for (const [who, key] of callers()) {
      const spot = (await app.ask("/v1/spot/XAU?include=all", { key })).json;
      expect(spot, who).toMatchObject({ price: "4005.00", computed_at: "2026-11-20T14:05:00Z", is_stale: false });
      expect(spot.sources[0].price).toBe("4005.00");
      const rows = (await app.ask<{ symbols: SpotRow[] }>("/v1/prices", { key })).json.symbols;
      expect(rows.find((row) => row.quote_currency === "USD")).toMatchObject({ price: "4005.00" });
      expect((await app.ask("/v1/carat", { key })).json).toMatchObject({ timestamp: "2026-11-20T14:05:00Z" });
      expect((await app.ask("/v1/convert?from=XAU&to=USD", { key })).json).toMatchObject({
        rate: "4005",
        timestamp: "2026-11-20T14:05:00Z",
      });
    }
  });

  test("crosses a delayed price with the rate of the same moment", async () => {
    const expected = 4005 * 0.805;
    expect((await app.ask("/v1/convert?from=XAU&to=EUR")).json.result).toBe(expected.toFixed(2));
    expect((await app.ask("/v1/spot/XAU-EUR-SPOT")).json.price).toBe("3224.03");
    expect((await app.ask("/v1/convert?from=XAU&to=EUR", { key: paid.key })).json.rate).toBe("3296.4");
  });

  test("prices pieces at the delayed price and the rate of its moment, for paid callers at the current ones", async () => {
    const items = [{ metal: "XAU", weight: "1", unit: "troy_ounce" }];
    const ask = (key?: string) => app.ask("/v1/quotes", { method: "POST", key, body: { currency: "EUR", items } });
    for (const [who, key] of callers()) {
      const { json } = await ask(key);
      expect(json, who).toMatchObject({ computed_at: "2026-11-20T14:05:00Z", prices: [{ fx_rate: "0.805" }] });
      // 4005 × 0.805
      expect(json.totals.total, who).toBe("3224.03");
    }
    // 4020 × 0.82
    expect((await ask(paid.key)).json).toMatchObject({
      computed_at: "2026-11-20T14:20:00Z",
      totals: { total: "3296.40" },
    });
  });

  test("does not delay two currencies", async () => {
    const { json } = await app.ask("/v1/convert?from=USD&to=EUR");
    expect(json).toMatchObject({ rate: "0.82", timestamp: "2026-11-20T14:20:00Z" });
  });

  test("shows divergence as of that time, and dates it so", async () => {
    expect((await app.ask("/v1/prices/divergence")).json).toEqual({
      threshold_bps: 50,
      computed_at: "2026-11-20T14:05:00Z",
      diverged_count: 1,
    });
    expect((await app.ask("/v1/prices/divergence", { key: free.key })).json.diverged[0]).toMatchObject({
      divergence_bps: 90,
      computed_at: "2026-11-20T14:05:00Z",
    });
    expect((await app.ask("/v1/prices/divergence", { key: paid.key })).json.diverged).toEqual([]);
  });

  test("builds the day's bar from the minutes up to then", async () => {
    for (const [who, key] of callers()) {
      const { bar } = (await app.ask("/v1/bars/latest?symbol=XAU-USD-SPOT", { key })).json;
      expect(bar, who).toMatchObject({ bar_start: "2026-11-20T00:00:00Z", close: "4005.00", high: "4005.00", is_closed: false });
      const { bars } = (await app.ask("/v1/bars?symbol=XAU/USD&from=2026-11-20&to=2026-11-20", { key })).json;
      expect(bars).toEqual([bar]);
      const { series } = (await app.ask("/v1/prices/history?symbol=XAU-USD-SPOT&from=2026-11-20&to=2026-11-20", { key })).json;
      expect(series).toMatchObject([{ date: "2026-11-20", close: "4005.00", is_closed: false }]);
    }
    expect((await app.ask("/v1/bars/latest?symbol=XAU-USD-SPOT", { key: paid.key })).json.bar).toMatchObject({
      close: "4020.00",
    });
  });

  test("has no price outside the day's high and low, even within an unfinished minute", async () => {
    const atMs = FRIDAY_MS + 20 * MINUTE_MS + 30_000;
    app.clock.set(atMs);
    await app.publish({ ticks: [makeTick(22, { computedAtMs: atMs, price: "4500.00" })] });
    app.clock.set(atMs + DELAY_MS);
    for (const [who, key] of callers().slice(1)) {
      const row = (await app.ask("/v1/spot/XAU?include=stats", { key })).json;
      expect(row, who).toMatchObject({ price: "4500.00", high_price: "4500.00", low_price: "3999.00" });
    }
    app.clock.set(FRIDAY_MS + 20 * MINUTE_MS);
  });
});

describe("a cold start", () => {
  let app: TestApp;
  afterEach(() => app.close());

  test("has no price for free callers in its first fifteen minutes, and one for paid callers at once", async () => {
    app = await startTestApp();
    await app.publish({ ticks: [makeTick(1)], fx: [makeRates()] });
    const [free, paid] = await Promise.all([app.key("free"), app.key("basic")]);
    const row = {
      symbol: "XAU",
      quote_currency: "USD",
      unit: "troy_ounce",
      contract_type: "spot",
      is_stale: true,
      stale_reason: "feed_down",
    };
    for (const key of [undefined, free.key]) {
      expect((await app.ask("/v1/spot/XAU", { key })).json).toEqual(row);
      for (const path of ["/v1/carat", "/v1/convert?from=XAU&to=USD", "/v1/convert?from=USD&to=XAU"]) {
        const { status, json, headers } = await app.ask(path, { key });
        expect([status, json.error]).toEqual([503, "spot_unavailable"]);
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      }
    }
    expect((await app.ask("/v1/spot/XAU", { key: paid.key })).json.price).toBe("4003.20");

    app.clock.advance(DELAY_MS - 1);
    expect((await app.ask("/v1/spot/XAU")).json.price).toBeUndefined();
    app.clock.advance(1);
    expect((await app.ask("/v1/spot/XAU")).json).toMatchObject({ price: "4003.20", is_stale: false });
  });
});

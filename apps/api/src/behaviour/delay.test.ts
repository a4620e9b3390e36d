import { DAY_MS, DELAY_MS, MINUTE_MS, type SpotRow, startOfUtcDay } from "@assay/contract";
import { openTestStore } from "@assay/db/testing";
import type { BarRow } from "@assay/pricing";
import { FRIDAY_MS, fakeClock, makeBar, makeBars, makeRates, makeSource, makeTick, type TestKey } from "@assay/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const at = (text: string): number => Date.parse(text);

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

  test("refuses a good key in the wrong place, and says how it is sent", async () => {
    const encoded = Buffer.from(`${paid.key}:`).toString("base64");
    const wrong: Record<string, string>[] = [
      { Authorization: `Token ${paid.key}` },
      { Authorization: `ApiKey ${paid.key}` },
      { Authorization: `Basic ${encoded}` },
      { "api-key": paid.key },
    ];
    for (const headers of wrong) {
      const { status, json, text } = await app.ask<{ error: string; message: string }>("/v1/spot/XAU", { headers });
      expect([status, json.error], Object.keys(headers).join()).toEqual([401, "invalid_api_key"]);
      expect(json.message).toContain("Authorization: Bearer <API_KEY>");
      expect(text).not.toContain(paid.key);
      expect(text).not.toContain(encoded);
    }
    expect((await app.ask("/v1/spot/XAU", { headers: { Authorization: "Basic cHJveHk6c2VjcmV0" } })).status).toBe(200);
  });

  const callers = (): [string, string | undefined][] => [
    ["without a key", undefined],
    ["with a free key", free.key],
  ];

  test("answers paid callers with the current price", async () => {
    expect((await app.ask("/v1/spot/XAU", { key: paid.key })).json).toMatchObject({
      price: "4020.00",
      computed_at: "2026-11-20T14:20:00Z",
    });
  });

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

  test("widens the day's figures so that high and low include the price", async () => {
    for (const key of [free.key, paid.key]) {
      const row = (await app.ask("/v1/spot/XAU?include=stats", { key })).json;
      expect(Number(row.high_price)).toBeGreaterThanOrEqual(Number(row.price));
      expect(Number(row.low_price)).toBeLessThanOrEqual(Number(row.price));
      expect(row.open_time).toBe(at("2026-11-20T00:00:00Z") / 1000);
    }
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

  test("lets nothing younger than the delay through anywhere, at any millisecond", async () => {
    for (let step = 0; step < 40; step += 1) {
      app.clock.set(FRIDAY_MS + 16 * MINUTE_MS + step * 7_919);
      for (const path of ["/v1/spot/XAU?include=all", "/v1/carat", "/v1/convert?from=XAU&to=USD"]) {
        const { json } = await app.ask(path);
        const shownMs = at(json.computed_at ?? json.timestamp);
        expect(app.clock() - shownMs, path).toBeGreaterThanOrEqual(DELAY_MS);
        expect(app.clock() - shownMs, path).toBeLessThan(DELAY_MS + MINUTE_MS);
      }
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

describe("a restart", () => {
  test("forgets neither the delayed price nor its rate", async () => {
    const store = await openTestStore();
    const clock = fakeClock(FRIDAY_MS);
    const first = await startTestApp({ store, clock });
    await first.publish({ ticks: [makeTick(1, { price: "4001.00" })], fx: [makeRates({ rates: { EUR: "0.5" } })] });
    clock.advance(DELAY_MS);
    await first.publish({
      ticks: [makeTick(2, { computedAtMs: clock(), price: "4002.00" })],
      fx: [makeRates({ observedAtMs: clock(), rates: { EUR: "0.6" } })],
    });
    const before = await first.ask("/v1/prices?include=sources,karat");
    await first.close();

    const second = await startTestApp({ store, clock });
    const after = await second.ask("/v1/prices?include=sources,karat");
    expect(after.text).toBe(before.text);
    expect((await second.ask("/v1/spot/XAU-EUR-SPOT")).json.price).toBe("2000.50");
    expect((await second.ask("/v1/spot/XAU", { key: (await second.key("pro")).key })).json.price).toBe("4002.00");
    await second.close();
    await store.close();
  });
});

describe("at midnight", () => {
  test("yesterday's bar is still forming for free callers until 00:15, and closed for paid ones at once", async () => {
    const midnightMs = at("2026-11-20T00:00:00Z");
    const app = await startTestApp({ clock: fakeClock(midnightMs) });
    const minutes = makeBars("1m", midnightMs + 20 * MINUTE_MS, 60, { close: "4000.50" });
    const yesterday = makeBar({ interval: "1d", barStartMs: midnightMs - DAY_MS, close: "4000.75" });
    const today = makeBar({ interval: "1d", barStartMs: midnightMs, isClosed: false });
    await app.publish({ bars: [...minutes, yesterday, today] });
    const paid = await app.key("basic");
    const latest = async (key?: string) => (await app.ask("/v1/bars/latest?symbol=XAU-USD-SPOT", { key })).json.bar;

    app.clock.set(midnightMs + 14 * MINUTE_MS + 59_999);
    expect(await latest()).toMatchObject({ bar_start: "2026-11-19T00:00:00Z", is_closed: false, close: "4000.50" });
    expect(await latest(paid.key)).toMatchObject({ bar_start: "2026-11-20T00:00:00Z", is_closed: false });
    const page = (await app.ask("/v1/bars?symbol=XAU-USD-SPOT&from=2026-11-01&to=2026-11-20", { key: paid.key })).json.bars;
    expect(page[1]).toMatchObject({ bar_start: "2026-11-19T00:00:00Z", is_closed: true });

    app.clock.set(midnightMs + 15 * MINUTE_MS);
    expect(await latest()).toMatchObject({ bar_start: "2026-11-19T00:00:00Z", is_closed: true, close: "4000.75" });
    app.clock.set(midnightMs + 17 * MINUTE_MS);
    expect(await latest()).toMatchObject({ bar_start: "2026-11-20T00:00:00Z", is_closed: false });
    await app.close();
  });
});

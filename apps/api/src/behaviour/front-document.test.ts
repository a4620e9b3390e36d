/** The console's front document: what anyone may see, made once for everyone, as the other routes answer it. */
import {
  type AssayPages,
  CURRENCIES,
  DAY_MS,
  DEFAULT_CATALOG,
  DELAY_MS,
  MINUTE_MS,
  type OutputOf,
  type SpotRow,
  startOfUtcDay,
} from "@assay/contract";
import { upsertBars } from "@assay/db";
import { FEEDS_DOCUMENT_KEY } from "@assay/live";
import { FRIDAY_MS, fakeClock, makeBar, makeBars, makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Reply, startTestApp, type TestApp } from "../testing/start-test-app.ts";

type FrontDocument = OutputOf<AssayPages["console"]["frontDocument"]>;

const PATH = "/console/market.json";
const TODAY_MS = startOfUtcDay(FRIDAY_MS);

/** A rising market: one dollar a minute for twenty minutes, with a little of every currency. */
const publishRise = async (app: TestApp): Promise<void> => {
  const rates = Object.fromEntries(CURRENCIES.filter((code) => code !== "USD").map((code, index) => [code, `${index + 1}.375`]));
  for (let minute = 0; minute <= 20; minute += 1) {
    const atMs = FRIDAY_MS + minute * MINUTE_MS;
    app.clock.set(atMs);
    const price = `${4000 + minute}.05`;
    const last = { open: "4000.05", high: price, low: "3999.00", close: price };
    await app.publish({
      ticks: [makeTick(minute + 1, { computedAtMs: atMs, price })],
      fx: [makeRates({ observedAtMs: atMs, rates })],
      bars: [
        ...(minute === 0 ? [] : makeBars("1m", atMs - MINUTE_MS, 1, last)),
        makeBar({ interval: "1d", barStartMs: TODAY_MS, ...last, isClosed: false }),
      ],
    });
  }
};

let app: TestApp;
const read = (): Promise<Reply<FrontDocument>> => app.ask<FrontDocument>(PATH);

beforeAll(async () => {
  app = await startTestApp({
    clock: fakeClock(FRIDAY_MS),
    before: (store) => upsertBars(store, makeBars("1d", TODAY_MS - DAY_MS, 60)),
  });
  await publishRise(app);
});
afterAll(() => app.close());

describe("its figures", () => {
  test("are those every other route gives without a key at the instant it names", async () => {
    app.clock.set(FRIDAY_MS + 20 * MINUTE_MS);
    const { json } = await read();
    expect(json).toMatchObject({ as_of: "2026-11-20T14:05:00Z", delay_minutes: 15, market: { state: "open" } });
    expect(Date.parse(json.as_of)).toBe(app.clock() - DELAY_MS);

    const { symbols } = (await app.ask<{ symbols: SpotRow[] }>("/v1/prices?include=karat")).json;
    expect(json.symbols).toHaveLength(CURRENCIES.length);
    expect(json.symbols.map(({ price_kilogram: _, price_tola: __, sources: ___, ...row }) => row)).toEqual(symbols);
    const gold = (await app.ask<SpotRow>("/v1/spot/gold?include=sources")).json;
    expect(json.symbols.filter(({ sources }) => sources)).toMatchObject([{ quote_currency: "USD", sources: gold.sources }]);

    const { bars } = (await app.ask("/v1/bars?symbol=XAU/USD&from=2026-10-21&to=2026-11-20&limit=400")).json;
    expect(json.bars).toEqual([{ symbol: "XAU-USD-SPOT", interval: "1d", complete: true, bars }]);
    expect(json.bars[0]?.bars[0]).toMatchObject({ close: "4005.05", is_closed: false });
    expect(json.bars[0]?.bars).toHaveLength(31);
  });

  test("of a weight are those of a conversion", async () => {
    const { json } = await read();
    for (const row of json.symbols.filter(({ quote_currency: code }) => ["USD", "EUR", "THB"].includes(code))) {
      const { rate } = (await app.ask(`/v1/convert?from=XAU&to=${row.quote_currency}&unit=kg`)).json;
      expect(Math.abs(Number(row.price_kilogram) - Number(rate))).toBeLessThanOrEqual(0.0051);
      expect(Number(row.price_tola) / Number(row.price)).toBeCloseTo(0.375, 5);
    }
  });

  test("of the day are those a free key reads as stats, from bars that need no key", async () => {
    const { json } = await read();
    const { key } = await app.key("free");
    const row = (await app.ask("/v1/spot/gold?include=stats", { key })).json;
    const { open_price, high_price, low_price, prev_close_price, ch, chp } = row;
    expect(json.days).toEqual([{ symbol: "XAU-USD-SPOT", open_price, high_price, low_price, prev_close_price, ch, chp }]);
    expect(json.days[0]).toMatchObject({ open_price: "4000.05", high_price: "4005.05" });
    for (const shown of json.symbols) expect(shown, "the group of rows stays behind a key").not.toHaveProperty("divergence_flag");
  });
});

describe("an edition", () => {
  test("is the same bytes for everyone for ten seconds, with or without a key, and is made once", async () => {
    app.clock.set(FRIDAY_MS + 21 * MINUTE_MS);
    const first = await read();
    const { key } = await app.key("realtime_pro");
    app.clock.advance(9_999);
    const last = await app.ask(PATH, { key });
    expect(last.text).toBe(first.text);
    expect(last.headers.get("etag")).toBe(first.headers.get("etag"));
    expect(last.headers.get("cache-control")).toBe("public, max-age=10");
    expect(last.headers.get("ratelimit")).toBeNull();
    app.clock.advance(1);
    expect((await read()).json.as_of).toBe("2026-11-20T14:06:10Z");
    const etag = first.headers.get("etag") ?? "";
    expect((await app.ask(PATH, { headers: { "If-None-Match": etag } })).status).toBe(200);
    const now = (await read()).headers.get("etag") ?? "";
    const unchanged = await app.ask(PATH, { headers: { "If-None-Match": now } });
    expect([unchanged.status, unchanged.text]).toEqual([304, ""]);
  });

  test("is sent compressed to clients that accept it", async () => {
    const { headers } = await app.ask(PATH, { headers: { "Accept-Encoding": "gzip, br" } });
    expect([headers.get("content-encoding"), headers.get("vary")]).toEqual(["br", "Accept-Encoding"]);
  });

  test("is kept while the database does not respond, and is not made from it once the bars are loaded", async () => {
    app.clock.set(FRIDAY_MS + 22 * MINUTE_MS);
    await read();
    app.store.break();
    app.clock.advance(10_000);
    const later = await read();
    app.store.recover();
    expect([later.status, later.json.as_of]).toEqual([200, "2026-11-20T14:07:10Z"]);

    const cold = await startTestApp({ store: app.store, clock: app.clock });
    cold.store.break();
    const refused = await cold.ask(PATH);
    expect([refused.status, refused.json.error]).toEqual([503, "service_unavailable"]);
    cold.store.recover();
    expect((await cold.ask(PATH)).status).toBe(200);
    await cold.close();
  });
});

describe("its content", () => {
  test.each([
    ["live", { simulated: false }],
    ["simulated", { simulated: true, replayed: true }],
    ["replay", { simulated: false, replayed: true }],
  ])("says that the market is %s, as the writer reports", async (mode, report) => {
    const fresh = await startTestApp();
    await fresh.live.latest.put(FEEDS_DOCUMENT_KEY, JSON.stringify({ atMs: 0, feeds: {}, ...report }), { token: 1, atMs: 1 });
    expect((await fresh.ask(PATH)).json.mode).toBe(mode);
    await fresh.close();
  });

  test("is what the operator's tiers open without a key, and has no bars where they are switched off", async () => {
    const { keyless, tiers } = DEFAULT_CATALOG;
    const catalog = { keyless, tiers: { ...tiers, free: { ...tiers.free, allowed_bases: ["XAU" as const, "XAG" as const] } } };
    const open = await startTestApp({ catalog, disabled: new Set(["bars"]) });
    const { symbols, bars, days } = (await open.ask<FrontDocument>(PATH)).json;
    expect(symbols.map(({ symbol }) => symbol).at(-1)).toBe("XAG");
    expect([bars, days]).toEqual([[], []]);
    await open.close();
  });
});

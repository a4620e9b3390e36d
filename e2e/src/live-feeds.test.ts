/** The public feeds end to end: published payloads in, prices and currency conversions out, computed by hand. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { contract, DELAY_MS, type SpotRow } from "@assay/contract";
import { type Answering, type LiveFeed, payloads } from "@assay/testkit/upstreams";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askRoute, read, untilStatus } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type LiveService, startLive } from "./harness/live-service.ts";

const NOT_THERE = { status: 404, body: "{}" };
/** Captured payloads are of gold only. */
const goldOnly =
  (payload: () => string): Answering =>
  (path) =>
    path.includes("XAU") ? { body: payload() } : NOT_THERE;
const always =
  (payload: () => string): Answering =>
  () => ({ body: payload() });

let hasPrimaries = false;

const HEALTHY: Readonly<Record<LiveFeed, Answering>> = {
  "gold-api": goldOnly(payloads.goldApi),
  swissquote: goldOnly(payloads.swissquote),
  "coinbase-fx": always(payloads.coinbaseFx),
  ecb: always(payloads.ecb),
  wgc: always(payloads.wgc),
  // Captured in another year. It arrives once there are primaries to compare it with.
  kraken: () => (hasPrimaries ? { body: payloads.kraken() } : NOT_THERE),
  okx: always(payloads.okx),
  coinbase: always(payloads.coinbase),
  bybit: always(payloads.bybit),
  kalshi: payloads.kalshi,
  polymarket: payloads.polymarket,
};

const spot = (live: LiveService, symbol: string): Promise<SpotRow> =>
  read(live.service.url, contract.spot.get, { symbol, include: "all" }, { key: live.key });

/** Why a row without a price is stale: live feeds have real hours, so on a weekend the market is closed. */
const SILENT = /^(feed_down|market_closed)$/;

describe("public feeds that answer", () => {
  let live: LiveService;
  beforeAll(async () => {
    live = await startLive(HEALTHY);
    const needed = ["gold-api", "swissquote", "wgc", "okx", "coinbase"];
    await eventually(
      "every source of gold is in its price",
      async () => (await spot(live, "XAU-USD-SPOT")).sources?.flatMap(({ source, price }) => (price ? [source] : [])) ?? [],
      (sources) => needed.every((source) => sources.includes(source)),
    );
    hasPrimaries = true;
    await eventually(
      "both currency tables are in",
      async () => [await spot(live, "XAU-EUR-SPOT"), await spot(live, "XAU-GBP-SPOT")],
      (rows) => rows.every(({ price }) => price !== undefined),
    );
  });
  afterAll(() => live?.close());

  it("price gold at the median of gold-api's and Swissquote's own prices", async () => {
    // Swissquote's freshest platform, tightest profile: (4389.128 + 4389.632) / 2 = 4389.38
    // Median of two: (4392.0 + 4389.38) / 2 = 4390.69. Only Swissquote states both sides; its ask is widened to the price.
    expect(await spot(live, "gold")).toMatchObject({
      symbol: "XAU",
      quote_currency: "USD",
      price: "4390.69",
      bid: "4389.13",
      ask: "4390.69",
      is_stale: false,
      divergence_flag: false,
    });
  });

  it("have no settlements until a feed of them is named: no rows, and no forward view", async () => {
    const { settlements } = await read(live.service.url, contract.settlements.list, { symbol: "GC" }, { key: live.key });
    expect(settlements).toEqual([]);
    const view = await askRoute(live.service.url, contract.forwardView.get, { asset: "XAU" }, { key: live.key });
    expect([view.status, view.json]).toMatchObject([503, { error: "no_horizons_available" }]);
  });

  it("state how far the primaries differ", async () => {
    // (4392.0 − 4389.38) / 4390.69 × 10 000 = 26 200 / 4390.69 = 5.967… bps
    expect((await spot(live, "XAU-USD-SPOT")).divergence_bps).toBe(6);
    const { diverged } = (await read(live.service.url, contract.prices.divergence, { threshold: 5 }, { key: live.key })) as {
      diverged: { symbol: string; divergence_bps: number; primary_sources: { source: string; price: string }[] }[];
    }; // with a key the answer is the detailed one
    expect(diverged).toHaveLength(1);
    expect(diverged[0]).toMatchObject({ symbol: "XAU", divergence_bps: 6 });
    expect(diverged[0]?.primary_sources.map(({ source, price }) => `${source} ${price}`)).toEqual([
      "gold-api 4392.00",
      "swissquote 4389.38",
    ]);
  });

  it("list every source with its own price; tokens are informational and never set it", async () => {
    const { sources } = await spot(live, "XAU-USD-SPOT");
    // coinbase (4389.80 + 4391.22) / 2, okx (4388.4 + 4388.6) / 2. Kraken's is of another year; see below.
    expect(sources?.map(({ source, price, role, verdict }) => [source, price, role, verdict])).toEqual([
      ["gold-api", "4392.00", "primary", "believed"],
      ["swissquote", "4389.38", "primary", "believed"],
      ["wgc", "4387.20", "council", "standby"],
      ["coinbase", "4390.51", "reference", "standby"],
      ["okx", "4388.50", "reference", "standby"],
      // Refused, unless its first reading came after the last price.
      ["kraken", undefined, "reference", expect.stringMatching(/^(refused|silent)$/)],
    ]);
  });

  it("show tokens only to tiers that include them", async () => {
    const anonymous = await read(
      live.service.url,
      contract.spot.get,
      { symbol: "XAU", include: "sources" },
      { from: "198.51.100.1" },
    );
    expect(anonymous.sources ?? []).toEqual([]);
  });

  it("refuse an impossible figure, and count it", async () => {
    const status = await untilStatus(
      live.service.url,
      "Kraken's figure of another year is refused",
      ({ scrapers }) => (scrapers.kraken?.rejected_observations ?? 0) > 0,
    );
    // (2054.78 + 2055.15) / 2 = 2054.965, which is 53 % below 4390.69
    expect(status.scrapers.kraken).toMatchObject({ status: "failing", required: false, last_success_at: null });
    expect(status.scrapers.kraken?.last_error).toBe("jump");
    expect((await spot(live, "XAU-USD-SPOT")).price).toBe("4390.69");
  });

  it.each([
    // 4390.69 × 0.9210 = 4043.82549; bid 4389.128 × 0.9210 = 4042.386888
    ["XAU-EUR-SPOT", { price: "4043.83", bid: "4042.39", ask: "4043.83", is_stale: false }],
    // The lev by law: 4390.69 × 0.9210 × 1.95583 = 7909.0352081067, whatever a feed reports
    ["XAU-BGN-SPOT", { price: "7909.04", bid: "7906.22", ask: "7909.04", is_stale: false }],
    // 4390.69 × 146.23 = 642050.5987
    ["XAU-JPY-SPOT", { price: "642050.60", is_stale: false }],
    // Not in the live table: 4390.69 × 0.85363 / 1.1435 = 3277.67792…
    ["XAU-GBP-SPOT", { price: "3277.68", is_stale: true, stale_reason: "fx_fallback" }],
    // 4390.69 × 0.9227 / 1.1435 = 3542.88558…
    ["XAU-CHF-SPOT", { price: "3542.89", is_stale: true, stale_reason: "fx_fallback" }],
  ])("cross gold into %s through the dollar, live rates first and the reference behind them", async (symbol, expected) => {
    expect(await spot(live, symbol)).toMatchObject(expected);
  });

  it("leave out currencies without a rate", async () => {
    const row = await spot(live, "XAU-ZAR-SPOT");
    expect(row).toMatchObject({ is_stale: true, stale_reason: "fx_fallback" });
    expect(row.price).toBeUndefined();
  });

  it("price a gram of gold by karat", async () => {
    // 4390.69 / 31.1034768 = 141.163961…; × 22 / 24 = 129.400298…
    expect(await spot(live, "XAU-USD-SPOT")).toMatchObject({ price_gram_24k: "141.1640", price_gram_22k: "129.4003" });
  });

  it("show nothing of the first fifteen minutes to callers with delayed prices", async () => {
    const row = await read(live.service.url, contract.spot.get, { symbol: "XAU" }, { from: "198.51.100.2" });
    expect(row).toMatchObject({ is_stale: true, stale_reason: expect.stringMatching(SILENT) });
    // On a weekend the last close of the history is the price. It is older than the delay.
    expect(row.price === undefined || row.stale_reason === "market_closed").toBe(true);
    expect(Date.now() - Date.parse(row.computed_at ?? "1970-01-01")).toBeGreaterThan(DELAY_MS);
  });

  it("leave a metal without quotes without a price", async () => {
    const row = await spot(live, "XAG-USD-SPOT");
    expect(row).toMatchObject({ is_stale: true, stale_reason: expect.stringMatching(SILENT) });
    expect(row.price).toBeUndefined();
  });

  it("are also read for chains, ladders and books, each publisher's at one address", async () => {
    const asked = async (feed: LiveFeed, parts: readonly string[]): Promise<void> => {
      await eventually(
        `${feed} is asked for all it has`,
        async () => live.upstreams[feed].requests.map(({ path }) => path),
        (paths) => parts.every((part) => paths.some((path) => path.includes(part))),
      );
    };
    await asked("bybit", ["category=option&baseCoin=XAUT"]);
    await asked("kalshi", ["series_ticker=KXSILVERW&", "/series/KXGOLDD", "/markets/orderbooks?tickers=KXGOLDD-26SEP2217-T4545"]);
    await asked("polymarket", ["/events?", "/books"]);
  });

  it("mint no demo keys for real prices", () => {
    expect(existsSync(join(live.dataDir, "demo-keys.json"))).toBe(false);
  });
});

/** A start while the market is closed: every route with a price shows the last known close, and the status agrees. */
import { DELAY_MS, MINUTE_MS, type SpotRow } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { fakeClock, makeBar, makeRates, makeSettlement, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const at = (text: string): number => Date.parse(text);
const CLOSE_MS = at("2026-11-20T22:00:00Z");
const OPEN_MS = at("2026-11-22T23:00:00Z");
const SUNDAY_MS = at("2026-11-22T12:00:00Z");

/** What is stored on a Friday after the close: the last minute, and the day. */
const fridayOf = (symbol: string, close: string, volume: string | null = null): BarRow[] => {
  const bar = { symbol, open: close, high: close, low: close, close, volume };
  return [
    makeBar({ ...bar, barStartMs: CLOSE_MS - MINUTE_MS }),
    makeBar({ ...bar, interval: "1d", barStartMs: at("2026-11-20T00:00:00Z") }),
  ];
};

describe("a start on a Sunday", () => {
  let app: TestApp;
  let pro: string;
  beforeAll(async () => {
    app = await startTestApp({ clock: fakeClock(SUNDAY_MS) });
    await app.publish({
      bars: [
        makeBar({ interval: "1d", barStartMs: at("2026-11-19T00:00:00Z"), close: "3990.00" }),
        ...fridayOf("XAU-USD-SPOT", "4003.95"),
        ...fridayOf("XAG-USD-SPOT", "48.125"),
        ...fridayOf("GC", "4021.5", "12"),
      ],
      fx: [makeRates({ observedAtMs: SUNDAY_MS - 60 * MINUTE_MS, rates: { EUR: "0.86" }, freshForMs: 120 * MINUTE_MS })],
      settlements: [
        makeSettlement({ settlementDate: "2026-11-20", price: "4012.50", observedAtMs: at("2026-11-20T18:30:00Z") }),
        makeSettlement({ symbol: "HG", futuresContract: "HGZ26", price: "4.5605" }),
      ],
    });
    pro = (await app.key("pro")).key;
  });
  afterAll(() => app.close());
  beforeEach(() => app.clock.set(SUNDAY_MS));

  const spotAs = async (key: string | undefined, symbol: string): Promise<SpotRow> =>
    (await app.ask<SpotRow>(`/v1/spot/${symbol}?include=all`, { key })).json;
  const spot = (symbol: string): Promise<SpotRow> => spotAs(pro, symbol);

  test("shows the last close, dated with the end of its bar, and says that the market is closed", async () => {
    const closed = { is_stale: true, stale_reason: "market_closed", computed_at: "2026-11-20T22:00:00Z" };
    for (const key of [pro, undefined]) {
      expect(await spotAs(key, "XAU")).toMatchObject({ ...closed, price: "4003.95", price_gram_24k: "128.7300", sources: [] });
      // 4003.95 × 0.86 = 3443.397
      expect(await spotAs(key, "XAU-EUR-SPOT")).toMatchObject({ ...closed, price: "3443.40" });
    }
    expect(await spot("XAG")).toMatchObject({ ...closed, price: "48.1250" });
    expect(await spot("XAU")).toMatchObject({ divergence_flag: false, prev_close_price: "3990.00", ch: "13.95" });
    expect(await spot("XAU")).not.toHaveProperty("bid");
    expect((await app.ask("/v1/prices/divergence?threshold=1", { key: pro })).json.diverged).toEqual([]);
  });

  test("shows no price where none is known, or where there is no rate for it", async () => {
    for (const symbol of ["HG-USD-SPOT", "XAU-GBP-SPOT"]) {
      const row = await spot(symbol);
      expect(row).toMatchObject({ is_stale: true, stale_reason: "market_closed" });
      expect(row).not.toHaveProperty("price");
    }
  });

  test("shows for futures whichever is newer, the last close or the settlement", async () => {
    expect(await spot("XAU-USD-FUTURES")).toMatchObject({
      price: "4021.50",
      computed_at: "2026-11-20T22:00:00Z",
      is_stale: true,
      stale_reason: "market_closed",
    });
    expect(await spot("copper")).toMatchObject({
      price: "4.5605",
      computed_at: "2026-11-19T22:00:00Z",
      stale_reason: "feed_down",
    });
  });

  test("converts, weighs and looks ahead from it", async () => {
    expect((await app.ask("/v1/convert?from=XAU&to=EUR")).json).toMatchObject({
      rate: "3443.397",
      result: "3443.40",
      timestamp: "2026-11-20T22:00:00Z",
      stale_reason: "market_closed",
    });
    expect((await app.ask("/v1/carat")).json).toMatchObject({
      price_gram_24k: "128.7300",
      timestamp: "2026-11-20T22:00:00Z",
      stale_reason: "market_closed",
    });
    expect((await app.ask("/v1/forward-view/XAU")).json).toMatchObject({
      spot_usd: "4003.95",
      computed_at: "2026-11-20T22:00:00Z",
    });
    expect((await app.ask("/v1/physical/AE", { key: pro })).json.spot_reference).toMatchObject({
      price_usd: "4003.95",
      price_local_per_gram: "472.7609",
      computed_at: "2026-11-20T22:00:00Z",
      is_stale: true,
    });
  });

  test("gives the reasons of the rows in the status, which does not complain about the bars", async () => {
    const { value_staleness, checks, reasons } = (await app.ask("/v1/status")).json;
    const ageSeconds = (SUNDAY_MS - CLOSE_MS) / 1_000;
    expect(value_staleness["XAU-USD-SPOT"]).toEqual({ is_stale: true, age_seconds: ageSeconds, reason: "market_closed" });
    expect(value_staleness["HG-USD-SPOT"]).toEqual({ is_stale: true, age_seconds: null, reason: "market_closed" });
    expect(value_staleness["XAU-GBP-SPOT"]).toEqual({ is_stale: true, age_seconds: null, reason: "market_closed" });
    expect(checks.bars).toMatchObject({ ok: true, last_bar_at: "2026-11-20T21:59:00Z" });
    expect(reasons).toEqual(["No writer has reported on its feeds yet.", "No writer holds the lease."]);
  });

  test("stops showing it once the market opens without a reading, for callers who see that instant", async () => {
    app.clock.set(OPEN_MS - 1);
    expect((await spot("XAU")).price).toBe("4003.95");
    app.clock.set(OPEN_MS);
    expect(await spot("XAU")).toMatchObject({ is_stale: true, stale_reason: "feed_down" });
    expect(await spot("XAU")).not.toHaveProperty("price");
    expect((await app.ask("/v1/status")).json.value_staleness["XAU-USD-SPOT"].reason).toBe("feed_down");
    app.clock.set(OPEN_MS + DELAY_MS - 1);
    expect(await spotAs(undefined, "XAU")).toMatchObject({ price: "4003.95", stale_reason: "market_closed" });
    app.clock.set(OPEN_MS + DELAY_MS);
    expect(await spotAs(undefined, "XAU")).not.toHaveProperty("price");
  });

  test("prefers a price that was published in the last minute to that minute's close, and a close to one published before", async () => {
    const published = (seq: number, computedAtMs: number, price: string) =>
      makeTick(seq, { instrument: "XAG-USD-SPOT", computedAtMs, price });
    await app.publish({ ticks: [published(1, CLOSE_MS - 90_000, "48.000")] });
    expect(await spot("XAG")).toMatchObject({ price: "48.1250" });
    await app.publish({ ticks: [published(2, CLOSE_MS - 30_000, "48.130")] });
    expect(await spot("XAG")).toMatchObject({ price: "48.1300", computed_at: "2026-11-20T21:59:30Z" });
  });
});

describe("a holiday", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ clock: fakeClock(SUNDAY_MS) });
  });
  afterAll(() => app.close());

  test.each([
    ["Christmas", "2026-12-24T18:44:00Z", "2026-12-25T12:00:00Z", "2026-12-27T23:00:00Z"],
    ["the evening of Martin Luther King Day", "2027-01-18T19:29:00Z", "2027-01-18T22:30:00Z", "2027-01-18T23:00:00Z"],
    ["Good Friday", "2027-03-25T20:59:00Z", "2027-03-26T12:00:00Z", "2027-03-28T22:00:00Z"],
  ])("shows on %s the last price before it as that of a closed market, and when it opens", async (_, lastAt, nowAt, opensAt) => {
    const [lastMs, nowMs] = [at(lastAt), at(nowAt)];
    app.clock.set(nowMs);
    await app.publish({ ticks: [makeTick(lastMs / MINUTE_MS, { computedAtMs: lastMs, price: "4004.00" })] });
    const closed = { is_stale: true, stale_reason: "market_closed", price: "4004.00", computed_at: lastAt };
    expect((await app.ask("/v1/spot/XAU")).json).toMatchObject(closed);
    const { market, value_staleness } = (await app.ask("/v1/status")).json;
    expect(market).toEqual({ state: "closed", next_change_at: opensAt });
    expect(value_staleness["XAU-USD-SPOT"]).toMatchObject({ is_stale: true, reason: "market_closed" });
  });
});

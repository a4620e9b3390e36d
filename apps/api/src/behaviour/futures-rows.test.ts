/** Futures rows over the wire: the newest of a live quote and the front contract's settlement, on every route that shows one. */
import { type AssayContract, DEFAULT_CATALOG, MINUTE_MS, type OutputOf, overlayCatalog, type SpotRow } from "@assay/contract";
import type { Store } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import { FRIDAY_MS, makeBar, makeSettlement, makeTick } from "@assay/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const at = (text: string): number => Date.parse(text);

let app: TestApp;
let key: string;
const start = async (...options: Parameters<typeof startTestApp>): Promise<void> => {
  app = await startTestApp(...options);
  key = (await app.key("pro")).key;
};
afterAll(() => app.close());
afterEach(() => app.clock.set(FRIDAY_MS));

const row = async (symbol: string, include = "all"): Promise<SpotRow> =>
  (await app.ask<SpotRow>(`/v1/spot/${symbol}?include=${include}`, { key })).json;

describe("a market with settlements and no quotes of its futures", () => {
  const settled = [
    makeSettlement({ settlementDate: "2026-11-18", price: "3990.00", observedAtMs: at("2026-11-18T22:00:00Z") }),
    makeSettlement({ source: "yahoo-chart" }),
    makeSettlement({ futuresContract: "GCG27", price: "4048.9" }),
    makeSettlement({ symbol: "SI", futuresContract: "SIZ26", price: "48.605", source: "cme-files" }),
    makeSettlement({ symbol: "HG", futuresContract: "HGZ26", price: "4.5605" }),
  ];
  beforeAll(async () => {
    await start();
    await app.publish({ settlements: settled, ticks: [makeTick(1)] });
  });

  test("prices them at the front contract's settlement, with its source and without bid or ask", async () => {
    expect(await row("XAU-USD-FUTURES")).toEqual({
      symbol: "XAU",
      quote_currency: "USD",
      unit: "troy_ounce",
      contract_type: "futures",
      is_stale: false,
      price: "4012.50",
      price_usd: "4012.50",
      computed_at: "2026-11-19T22:00:00Z",
      sources: [
        {
          source: "yahoo-chart",
          display_name: "Yahoo Finance chart",
          price: "4012.50",
          unit: "troy_ounce",
          license: "personal-use-only",
          is_stale: false,
          informational: false,
          role: "primary",
          verdict: "believed",
        },
      ],
      price_gram_24k: "129.0049",
      price_gram_22k: "118.2545",
      price_gram_21k: "112.8793",
      price_gram_20k: "107.5041",
      price_gram_18k: "96.7537",
      price_gram_16k: "86.0032",
      price_gram_14k: "75.2528",
      price_gram_10k: "53.7520",
      divergence_flag: false,
      // 4012.50 − 3990.00 = 22.50; / 3990 = 0.5639… %
      prev_close_price: "3990.00",
      ch: "22.50",
      chp: "0.56",
    });
    expect(await row("copper")).toMatchObject({
      symbol: "HG",
      unit: "pound",
      contract_type: "futures",
      is_stale: false,
      price: "4.5605",
      computed_at: "2026-11-19T22:00:00Z",
      sources: [{ source: "alpha", display_name: "alpha", license: "operator-licence", price: "4.5605" }],
    });
    expect(await row("XAG-USD-FUTURES")).toMatchObject({ price: "48.6050", sources: [{ display_name: "CME settlement files" }] });
  });

  test("shows the same row in the list, over tRPC and in the status, and the same figure at the forward view's nearest horizon", async () => {
    const one = await row("XAU-USD-FUTURES", "");
    const { symbols } = (await app.ask<{ symbols: SpotRow[] }>("/v1/prices", { key })).json;
    expect(symbols.filter(({ contract_type }) => contract_type === "futures").map(({ price }) => price)).toEqual([
      "4012.50",
      "48.6050",
      "4.5605",
    ]);
    expect(symbols).toContainEqual(one);
    const input = encodeURIComponent(JSON.stringify({ symbol: "XAU-USD-FUTURES" }));
    const { json } = await app.ask(`/trpc/spot.get?input=${input}`, { key });
    expect(json.result.data).toEqual(one);
    expect((await app.ask("/v1/status")).json.value_staleness["XAU-USD-FUTURES"]).toEqual({
      is_stale: false,
      age_seconds: 16 * 3_600,
      reason: null,
    });
    const view = (await app.ask<OutputOf<AssayContract["forwardView"]["get"]>>("/v1/forward-view/XAU", { key })).json;
    expect(view.horizons[0]?.futures?.settle_usd).toBe(one.price);
  });

  test("does not diverge because of a single settlement", async () => {
    expect((await app.ask("/v1/prices/divergence?threshold=1", { key })).json.diverged).toEqual([]);
  });

  test("gives way to a newer quote, and takes over from an older one, to the millisecond", async () => {
    const settledAtMs = FRIDAY_MS - 5 * MINUTE_MS;
    const quote = (seq: number, computedAtMs: number) =>
      makeTick(seq, { instrument: "XAG-USD-FUTURES", price: `48.${seq}00`, bid: "48.000", ask: "49.000", computedAtMs });
    await app.publish({
      ticks: [quote(1, settledAtMs - 1)],
      settlements: [
        makeSettlement({
          symbol: "SI",
          futuresContract: "SIZ26",
          settlementDate: "2026-11-20",
          price: "48.900",
          observedAtMs: settledAtMs,
        }),
      ],
      bars: [
        makeBar({
          symbol: "SI",
          interval: "1d",
          isClosed: false,
          barStartMs: at("2026-11-20T00:00:00Z"),
          open: "48.000",
          high: "48.400",
          low: "47.900",
          close: "48.100",
          volume: "7",
        }),
      ],
    });
    const settlement = await row("XAG-USD-FUTURES");
    expect(settlement).not.toHaveProperty("bid");
    // The day's high includes the settlement; the change is from the previous settlement: 48.900 − 48.605.
    expect(settlement).toMatchObject({
      price: "48.9000",
      is_stale: false,
      open_price: "48.0000",
      high_price: "48.9000",
      low_price: "47.9000",
      prev_close_price: "48.6050",
      ch: "0.2950",
      chp: "0.61",
    });
    await app.publish({ ticks: [quote(2, settledAtMs)] });
    expect(await row("XAG-USD-FUTURES")).toMatchObject({ price: "48.2000", bid: "48.0000", stale_reason: "feed_down" });
    await app.publish({ ticks: [quote(3, FRIDAY_MS)] });
    expect(await row("XAG-USD-FUTURES")).toMatchObject({ price: "48.3000", is_stale: false });
  });
});

describe("a caller with delayed prices", () => {
  let store: Store;
  beforeAll(async () => {
    await app.close();
    store = await openTestStore();
    // By default no delayed tier has futures; an operator may change that.
    const { allowed_bases, allowed_contracts } = DEFAULT_CATALOG.tiers.pro;
    await start({ store, catalog: overlayCatalog({ free: { allowed_bases, allowed_contracts } }) });
  });
  afterAll(() => store.close());

  test("sees a settlement once it is fifteen minutes old", async () => {
    ({ key } = await app.key("free"));
    const observedAtMs = FRIDAY_MS - MINUTE_MS;
    await app.publish({
      settlements: [makeSettlement(), makeSettlement({ settlementDate: "2026-11-20", price: "4020.00", observedAtMs })],
    });
    expect(await row("XAU-USD-FUTURES")).toMatchObject({ price: "4012.50" });
    app.clock.set(observedAtMs + 15 * MINUTE_MS - 1);
    expect(await row("XAU-USD-FUTURES")).toMatchObject({ price: "4012.50" });
    app.clock.advance(1);
    expect(await row("XAU-USD-FUTURES")).toMatchObject({ price: "4020.00" });
  });
});

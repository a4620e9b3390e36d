import { FRIDAY_MS, makeRates, makeSource, makeTick, type TestKey } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const QUARTER_MS = 15 * 60_000;
let app: TestApp;
let pro: TestKey;
let free: TestKey;
let physical: TestKey;

beforeAll(async () => {
  app = await startTestApp();
  for (const [index, atMs] of [FRIDAY_MS - QUARTER_MS, FRIDAY_MS].entries()) {
    const fresh = { observedAtMs: atMs, freshUntilMs: atMs + 60_000 };
    await app.publish({
      ticks: [
        makeTick(index + 1, {
          computedAtMs: atMs,
          divergenceBps: 60.5,
          sources: [
            makeSource({ ...fresh, price: "4000.00" }),
            makeSource({ ...fresh, source: "beta", price: "4024.20" }),
            makeSource({ source: "slow", observedAtMs: atMs - 200_000, freshUntilMs: atMs - 140_000 }),
            makeSource({ ...fresh, source: "token", role: "informational", price: "4100.00" }),
          ],
        }),
        makeTick(index + 1, { computedAtMs: atMs, instrument: "XAG-USD-SPOT", price: "52.10", divergenceBps: 100 }),
        makeTick(index + 1, { computedAtMs: atMs, instrument: "HG-USD-SPOT", price: "5.00", divergenceBps: null }),
        makeTick(index + 1, { computedAtMs: atMs, instrument: "GLD", price: "370.00", divergenceBps: 500 }),
      ],
      fx: [makeRates({ observedAtMs: atMs })],
    });
  }
  [pro, free, physical] = await Promise.all([app.key("pro"), app.key("free"), app.key("physical")]);
});
afterAll(() => app.close());

const divergence = (query = "", key?: TestKey) => app.ask(`/v1/prices/divergence${query}`, { key: key?.key });

describe("without a key", () => {
  test("it is only a number", async () => {
    expect((await divergence()).json).toEqual({ threshold_bps: 50, computed_at: "2026-11-20T13:45:00Z", diverged_count: 2 });
  });
});

describe("with a key", () => {
  test("it names each symbol of the tier, with the fresh primary sources that differ", async () => {
    const { json } = await divergence("", pro);
    expect(json).toMatchObject({ threshold_bps: 50, computed_at: "2026-11-20T14:00:00Z" });
    expect(json.diverged.map((entry: { symbol: string }) => entry.symbol)).toEqual(["XAU", "XAG"]);
    expect(json.diverged[0]).toMatchObject({
      quote_currency: "USD",
      contract_type: "spot",
      divergence_bps: 60.5,
      computed_at: "2026-11-20T14:00:00Z",
    });
    expect(json.diverged[0].primary_sources.map(({ source, price }: Record<string, string>) => [source, price])).toEqual([
      ["alpha", "4000.00"],
      ["beta", "4024.20"],
    ]);
  });

  test("it leaves out metals of higher tiers", async () => {
    for (const key of [free, physical]) {
      expect((await divergence("", key)).json.diverged.map((entry: { symbol: string }) => entry.symbol)).toEqual(["XAU"]);
    }
  });
});

describe("the threshold", () => {
  test("is inclusive", async () => {
    const symbols = async (threshold: number) =>
      (await divergence(`?threshold=${threshold}`, pro)).json.diverged.map((entry: { symbol: string }) => entry.symbol);
    expect(await symbols(1)).toEqual(["XAU", "XAG"]);
    expect(await symbols(60)).toEqual(["XAU", "XAG"]);
    expect(await symbols(61)).toEqual(["XAG"]);
    expect(await symbols(100)).toEqual(["XAG"]);
    expect(await symbols(101)).toEqual([]);
    expect(await symbols(10_000)).toEqual([]);
  });
});

test("a price past its freshness no longer diverges", async () => {
  app.clock.advance(60_001);
  expect((await divergence("", pro)).json.diverged).toEqual([]);
  app.clock.advance(-60_001);
});

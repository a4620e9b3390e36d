/** A service whose callers without a key have another tier than Free: delay, limits, every door, and what it says of itself. */
import { contract, keylessText, MINUTE_MS, overlayCatalog, TIER_NAMES, TIER_REACH, type TierName } from "@assay/contract";
import { openTestStore } from "@assay/db/testing";
import { openMemoryLive } from "@assay/live";
import { FRIDAY_MS, fakeClock, makeBars, makeRates, makeTick } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connectAgent } from "../testing/agent.ts";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

const at = (text: string): number => Date.parse(text);
const startWith = (tier: TierName, more: Parameters<typeof startTestApp>[0] = {}): Promise<TestApp> =>
  startTestApp({ ...more, catalog: overlayCatalog({}, tier) });

describe("the delay", () => {
  const clock = fakeClock(FRIDAY_MS);
  const apps = new Map<TierName, TestApp>();
  /** Twenty minutes with a price in each; every service reads the same store and the same bus. */
  beforeAll(async () => {
    const store = await openTestStore(clock);
    const live = openMemoryLive({ clock });
    for (const tier of TIER_NAMES) apps.set(tier, await startWith(tier, { store, live, clock }));
    for (let minute = 0; minute <= 20; minute += 1) {
      clock.set(FRIDAY_MS + minute * MINUTE_MS);
      await apps.get("free")?.publish({
        ticks: [makeTick(minute + 1, { computedAtMs: clock(), price: `${4000 + minute}.00` })],
        fx: [makeRates({ observedAtMs: clock() })],
      });
    }
    return async () => {
      for (const app of apps.values()) await app.close();
      await live.close();
      await store.close();
    };
  });

  test.each(TIER_NAMES)("without a key is that of the tier %s on every route, at any millisecond", async (tier) => {
    const app = apps.get(tier);
    if (!app) throw new Error("it was not started");
    const { delayMs } = TIER_REACH[tier];
    const free = await app.key("free");
    for (let step = 0; step < 20; step += 1) {
      clock.set(FRIDAY_MS + 16 * MINUTE_MS + step * 15_013);
      for (const path of ["/v1/spot/XAU?include=all", "/v1/carat", "/v1/convert?from=XAU&to=USD"]) {
        const { json } = await app.ask(path);
        const ageMs = clock() - at(json.computed_at ?? json.timestamp);
        expect(ageMs, path).toBeGreaterThanOrEqual(delayMs);
        expect(ageMs, path).toBeLessThan(delayMs + MINUTE_MS);
      }
      const shown = at((await app.ask("/v1/spot/XAU", { key: free.key })).json.computed_at);
      expect(clock() - shown, "a free key is late wherever callers without one are not").toBeGreaterThanOrEqual(
        TIER_REACH.free.delayMs,
      );
    }
    clock.set(FRIDAY_MS + 20 * MINUTE_MS);
    const document = (await app.ask("/console/market.json")).json;
    expect(document).toMatchObject({ tier, delay_minutes: delayMs / MINUTE_MS });
    expect(at(document.symbols[0].computed_at)).toBeLessThanOrEqual(clock() - delayMs);
    const words = delayMs === 0 ? "live" : "15 min late";
    expect((await app.ask("/badge/gold.svg")).text).toContain(`gold, ${words}: ${delayMs === 0 ? "4020.00" : "4005.00"}`);
    expect((await app.ask("/embed/gold")).text).toContain(delayMs === 0 ? ">Live, of" : ">15 minutes late, of");
  });
});

describe("with the tier Realtime Pro", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startWith("realtime_pro");
    await app.publish({
      ticks: [makeTick(1, { divergenceBps: 90 }), makeTick(1, { instrument: "XAG-USD-SPOT", price: "48.250" })],
      fx: [makeRates()],
      bars: makeBars("1m", FRIDAY_MS - MINUTE_MS, 60),
    });
  });
  afterAll(() => app.close());

  test("callers without a key see what a key is needed for otherwise: statistics, who disagrees, other metals", async () => {
    expect((await app.ask("/v1/spot/gold?include=all")).json).toHaveProperty("divergence_bps", 90);
    expect((await app.ask("/v1/prices/divergence")).json).toHaveProperty("diverged");
    expect((await app.ask("/v1/spot/silver")).json.price).toBe("48.2500");
    const symbols = (await app.ask("/console/market.json")).json.symbols as { symbol: string }[];
    expect(new Set(symbols.map(({ symbol }) => symbol))).toEqual(new Set(["XAU", "XAG", "HG"]));
  });

  test("each address has the tier's requests a minute, and none is counted against a quota", async () => {
    const { headers } = await app.ask("/v1/spot/gold");
    expect(headers.get("ratelimit-policy")).toBe('"minute";q=600;w=60, "hour";q=36000;w=3600');
    const from = "192.0.2.9";
    for (let count = 1; count <= 600; count += 50) {
      await Promise.all(Array.from({ length: 50 }, () => app.ask("/v1/carat", { from })));
    }
    expect((await app.ask("/v1/carat", { from })).json).toMatchObject({ error: "rate_limit_exceeded", limit: 600 });
    expect((await app.ask("/v1/carat")).status, "another address").toBe(200);
  });

  test("agents and charts have it too", async () => {
    const client = await connectAgent(app.url);
    onTestFinished(() => client.close());
    const { structuredContent } = await client.callTool({ name: "get_spot_price", arguments: { symbol: "XAG-USD-SPOT" } });
    expect(structuredContent).toMatchObject({ price: "48.2500" });
    expect(client.getInstructions()).toContain(keylessText(app.catalog));
    const { tools } = await client.listTools();
    // What belongs to an organisation needs one.
    const withKey = tools.filter(({ description = "" }) => description.includes("Needs an API key"));
    expect(withKey.map(({ name }) => name)).toEqual(["list_alerts"]);

    const seconds = Math.floor(FRIDAY_MS / 1_000);
    const query = `symbol=XAU-USD-SPOT&resolution=1&from=${seconds - 3_600}&to=${seconds}`;
    expect((await app.ask(`/udf/history?${query}`)).json.s).toBe("ok");
  });

  test("the status says so in words", async () => {
    const { json } = await app.ask("/v1/status");
    expect(json.keyless).toEqual({ tier: "realtime_pro", description: keylessText(app.catalog) });
  });

  test("the documents ask for a key only where one is needed", async () => {
    interface Operation {
      readonly description: string;
      readonly security: readonly object[];
    }
    const document = (
      await app.ask<{ info: { description: string }; paths: Record<string, Record<string, Operation>> }>("/openapi.json")
    ).json;
    expect(document.info.description).toContain(keylessText(app.catalog));
    const isOpen = (path: string): boolean =>
      document.paths[path]?.get?.security.some((way) => Object.keys(way).length === 0) ?? false;
    for (const { path } of [contract.ratios.list, contract.settlements.list, contract.downloads.link]) {
      expect(isOpen(path), path).toBe(true);
    }
    expect(isOpen("/v1/prices/stream")).toBe(true);
    expect(isOpen("/v1/account/usage")).toBe(false);
    expect(document.paths["/v1/ratios"]?.get?.description).toContain("without one you have the tier Realtime Pro, prices live");
    for (const path of ["/llms.txt", "/llms-full.txt"]) {
      const { text } = await app.ask(path);
      expect(text, path).toContain(keylessText(app.catalog));
      expect(text, path).not.toMatch(/without one you have the tier Free|keyless prices are 15/i);
    }
    expect((await app.ask("/docs/guides/keys-and-tiers.md")).text).toContain(
      "| no key | – | 600 | 36 000 per hour | XAU XAG HG | live | all | yes | yes |",
    );
  });
});

import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Decimal } from "../core/published-decimal.ts";
import { Assay } from "../generated/assay.ts";
import { PlanGatedError, QuotaExceededError, SpotUnavailableError } from "../generated/errors.ts";
import { mockRoutes } from "../generated/mocks.ts";
import { type ReceiptKeys, verifyReceipt } from "../receipts/index.ts";
import { type MockAssayOptions, mockAssay, type Wire } from "./index.ts";

const baseUrl = "http://assay.test";
const server = setupServer();
const assay = new Assay({ baseUrl, apiKey: "k1", maxRetries: 0 });
const mock = (mocks: Omit<MockAssayOptions, "baseUrl"> = {}): void => server.use(...mockAssay({ baseUrl, ...mocks }));

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const gold: Wire.SpotRow = {
  symbol: "XAU",
  quote_currency: "EUR",
  unit: "troy_ounce",
  contract_type: "spot",
  is_stale: false,
  price: "3442.750",
};

describe("a mocked service", () => {
  test("answers what a test describes, read by the SDK as the service's own answer", async () => {
    mock({ prices: { list: { symbols: [gold] } } });
    const { symbols } = await assay.prices.list();
    expect(symbols).toHaveLength(1);
    expect(symbols[0]?.price?.text).toBe("3442.750");
  });

  test("passes a mock the parameters by wire name, with the service's defaults, and the key", async () => {
    const seen: unknown[] = [];
    mock({
      bars: {
        list: ({ params, key }) => {
          seen.push(params, key);
          return { symbol: "XAU-USD-SPOT", interval: params.interval ?? "1d", bars: [], next_cursor: null, meta };
        },
      },
      spot: {
        get: ({ params }) => {
          seen.push(params);
          return gold;
        },
      },
      account: {
        mintKey: async ({ params, request }) => {
          seen.push(params, request.headers.has("idempotency-key"));
          return minted;
        },
      },
      alerts: {
        update: ({ params, fail }) => {
          seen.push(params);
          return fail("alert_not_found");
        },
      },
    });
    await assay.bars.list({ symbol: "XAU/USD", from: "2026-11-01", to: new Date("2026-11-20T00:00:00Z"), limit: 5 });
    await assay.spot.get("XAU-EUR-SPOT", { include: ["karat", "sources"] });
    await assay.account.mintKey({ name: "ci" });
    const changes = { threshold: new Decimal("4100.50"), windowSeconds: 60, once: false };
    await expect(assay.alerts.update("al_1", changes)).rejects.toMatchObject({ code: "alert_not_found" });
    expect(seen).toEqual([
      { symbol: "XAU/USD", from: "2026-11-01", to: "2026-11-20T00:00:00.000Z", interval: "1d", limit: 5, order: "desc" },
      "k1",
      { symbol: "XAU-EUR-SPOT", include: "karat,sources" },
      { name: "ci" },
      true,
      { alert_id: "al_1", threshold: "4100.5", window_seconds: 60, once: false },
    ]);
  });

  test("signs receipts of its answers with a key it publishes", async () => {
    mock({ spot: { get: gold } });
    const jwks = (await (await fetch(`${baseUrl}/.well-known/jwks.json`)).json()) as ReceiptKeys; // of the mock
    const { data, requestId } = await assay.spot.receipt("gold").withResponse();
    const receipt = await verifyReceipt(data, { jwks, issuer: baseUrl });
    expect(receipt).toMatchObject({ route: "GET /v1/spot/{symbol}", requestId, body: gold });
    expect((await verifyReceipt(await assay.carat.receipt(), { jwks })).body).toHaveProperty("price_gram_24k");
  });

  test("refuses with the code a mock fails with, its fields and its headers", async () => {
    mock({
      spot: { get: ({ fail }) => fail("plan_gated", { tier: "free", required_tier: "pro" }) },
      carat: {
        get: ({ fail }) => fail("quota_exceeded", { limit: 5000, window: "month", retry_after_seconds: 60, reset_at: resetAt }),
      },
      convert: { get: ({ fail }) => fail("spot_unavailable", { message: "No price yet." }) },
    });
    await expect(assay.spot.get("XAG")).rejects.toMatchObject({ tier: "free", requiredTier: "pro", requestId: "mock-request" });
    await expect(assay.spot.get("XAG")).rejects.toBeInstanceOf(PlanGatedError);
    const spent = await assay.carat.get().catch((error: unknown) => error);
    expect(spent).toBeInstanceOf(QuotaExceededError);
    expect(spent).toMatchObject({ window: "month", limit: 5000, retryAfter: 60, resetAt: new Date(resetAt) });
    const unpriced = await assay.convert.get({ from: "XAU", to: "EUR" }).catch((error: unknown) => error);
    expect(unpriced).toBeInstanceOf(SpotUnavailableError);
    expect(String(unpriced)).toContain("No price yet.");
  });

  test("answers unknown paths with 404, and unsupported methods with 405", async () => {
    mock();
    const ask = async (path: string, method = "GET"): Promise<[number, unknown]> => {
      const response = await fetch(`${baseUrl}${path}`, { method, headers: { "x-request-id": "mine" } });
      return [response.status, await response.json()];
    };
    expect(await ask("/v1/nothing")).toEqual([404, expect.objectContaining({ error: "not_found", request_id: "mine" })]);
    expect(await ask("/v1/prices", "POST")).toEqual([405, expect.objectContaining({ error: "method_not_allowed" })]);
  });

  test("works at any base URL, with a path or a trailing slash", async () => {
    server.use(...mockAssay({ baseUrl: "http://assay.test/metals/", system: { health } }));
    expect(await new Assay({ baseUrl: "http://assay.test/metals" }).system.health()).toEqual(health);
  });
});

describe("a route without a mock", () => {
  beforeEach(() => {
    vi.spyOn(console, "warn").mockImplementation(() => {}); // the deprecation warning of the history
    mock();
  });
  afterEach(() => vi.restoreAllMocks());
  const day = { symbol: "XAU-USD-SPOT", from: "2026-11-01", to: "2026-11-20" } as const;

  const CALLS: Record<string, () => PromiseLike<unknown>> = {
    "system.health": () => assay.system.health(),
    "system.status": () => assay.system.status(),
    "tiers.list": () => assay.tiers.list(),
    "publicHistory.xau": () => assay.publicHistory.xau(),
    "prices.list": () => assay.prices.list(),
    "prices.divergence": () => assay.prices.divergence(),
    "prices.history": () => assay.prices.history(day),
    "spot.get": () => assay.spot.get("gold"),
    "bars.list": () => assay.bars.list(day),
    "bars.latest": () => assay.bars.latest({ symbol: "GC" }),
    "series.list": () => assay.series.list({ symbol: "XAU-EUR-SPOT", unit: "gram", from: "2026-11-01", to: "2026-11-20" }),
    "quotes.create": () => assay.quotes.create({ currency: "EUR", items: [{ metal: "XAU", weight: "1", unit: "gram" }] }),
    "ratios.list": () => assay.ratios.list({ pair: "gold-silver", from: "2026-11-01", to: "2026-11-20" }),
    "ratios.latest": () => assay.ratios.latest({ pair: "gold-silver" }),
    "corrections.list": () => assay.corrections.list(),
    "corrections.head": () => assay.corrections.head(),
    "sources.list": () => assay.sources.list(),
    "quality.list": () => assay.quality.list(day),
    "settlements.list": () => assay.settlements.list({ symbol: "GC" }),
    "physical.list": () => assay.physical.list(),
    "physical.get": () => assay.physical.get("AE"),
    "forwardView.get": () => assay.forwardView.get("XAU"),
    "convert.get": () => assay.convert.get({ from: "XAU", to: "EUR" }),
    "downloads.link": () => assay.downloads.link({ symbol: "GC", year: 2025 }),
    "carat.get": () => assay.carat.get(),
    "receipts.verify": () => assay.receipts.verify({ receipt: "a.b.c" }),
    "catalog.get": () => assay.catalog.get(),
    "surface.get": () => assay.surface.get("xau"),
    "surface.expiries": () => assay.surface.expiries("xau"),
    "signals.arbitrage": () => assay.signals.arbitrage({ metal: "xau" }),
    "account.listKeys": () => assay.account.listKeys(),
    "account.mintKey": () => assay.account.mintKey(),
    "account.revokeKey": () => assay.account.revokeKey("3f0c1d1e"),
    "account.usage": () => assay.account.usage(),
    "alerts.list": () => assay.alerts.list(),
    "alerts.create": () =>
      assay.alerts.create({ symbol: "gold", kind: "above", threshold: new Decimal("4000.10"), endpointId: "ep_1" }),
    "alerts.get": () => assay.alerts.get("al_1"),
    "alerts.update": () => assay.alerts.update("al_1", { threshold: "4100", once: false }),
    "alerts.delete": () => assay.alerts.delete("al_1"),
    "endpoints.list": () => assay.endpoints.list(),
    "endpoints.create": () => assay.endpoints.create({ url: "https://example.com/hooks" }),
    "endpoints.delete": () => assay.endpoints.delete("ep_1"),
    "endpoints.test": () => assay.endpoints.test("ep_1"),
    "endpoints.rotate": () => assay.endpoints.rotate("ep_1"),
    "deliveries.list": () => assay.deliveries.list({ status: "failed" }),
    "deliveries.redeliver": () => assay.deliveries.redeliver("msg_1"),
  };

  test.each(mockRoutes.map((route) => [`${route.resource}.${route.action}`, route] as const))(
    "answers %s with an example the SDK can read",
    async (name, { example }) => {
      const call = CALLS[name];
      if (!call) throw new Error(`${name} is not called by this test`);
      const answer = await call();
      if (example === undefined) expect(answer).toBeUndefined();
      else expect(answer).toBeTypeOf("object");
    },
  );

  test("ends paging through its pages", async () => {
    expect((await assay.bars.list(day).toArray()).length).toBeGreaterThan(0);
    expect(await assay.deliveries.list().toArray()).toMatchObject([{ createdAt: expect.any(Date), status: "delivered" }]);
  });
});

const meta = { tier: "pro", count: 0, source_id: null } as const;
const health = { status: "ok", service: "assay", version: "0.1.0" };
const resetAt = "2026-12-01T00:00:00Z";
const minted: Wire.MintedKey = {
  id: "k2",
  plaintext: "assay_live_x",
  key_prefix: "assay_live_x",
  created_at: "2026-11-20T14:00:00Z",
  previous_key_revokes_at: null,
};

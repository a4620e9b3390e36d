import { contract } from "@assay/contract";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { mockContract, mockRefusal } from "./mock-contract.ts";

const BASE = "http://assay.test";
const mocks = mockContract(contract, BASE);
const server = setupServer();
/** What handlers threw; msw answers such a request with 500. */
const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(`${BASE}${path}`, init);

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const row = {
  symbol: "XAU",
  quote_currency: "EUR",
  unit: "troy_ounce",
  contract_type: "spot",
  is_stale: false,
  price: "3442.75",
} as const;

describe("a mock", () => {
  test("answers the output it is given, with the status and headers of the route", async () => {
    server.use(mocks.spot.get(row));
    const response = await ask("/v1/spot/XAU-EUR-SPOT", { headers: { "X-Request-Id": "mine" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-request-id")).toBe("mine");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual(row);
  });

  test("tells its function of the parameters as the verb would get them, and of the key", async () => {
    server.use(
      mocks.bars.list(({ input, key }) => {
        expect(input).toEqual({ symbol: "XAU/USD", from: "2026-11-01", to: "2026-11-20", interval: "1d", limit: 5 });
        expect(key).toBe("k1");
        return {
          symbol: "XAU-USD-SPOT",
          interval: input.interval,
          bars: [],
          next_cursor: null,
          meta: { tier: "pro", count: 0, source_id: null },
        };
      }),
    );
    const response = await ask("/v1/bars?symbol=XAU/USD&from=2026-11-01&to=2026-11-20&limit=5", {
      headers: { Authorization: "Bearer k1" },
    });
    expect(response.status).toBe(200);
  });

  test("reads bodies and paths, and answers 201 and 204", async () => {
    const minted = {
      id: "k2",
      plaintext: "assay_live_x",
      key_prefix: "assay_live_x",
      created_at: "2026-11-20T14:00:00Z",
      previous_key_revokes_at: null,
    };
    server.use(
      mocks.account.mintKey(({ input }) => ({ ...minted, id: input.name ?? "none" })),
      mocks.account.revokeKey(({ input }) => {
        expect(input).toEqual({ key_id: "k2" });
        return undefined;
      }),
    );
    const made = await ask("/v1/account/keys", { method: "POST", body: '{"name":" ci "}' });
    expect([made.status, ((await made.json()) as { id: string }).id]).toEqual([201, "ci"]);
    expect((await ask("/v1/account/keys/k2", { method: "DELETE" })).status).toBe(204);
  });

  test("refuses with the table's words and the code's own fields", async () => {
    server.use(mocks.spot.get(mockRefusal("plan_gated", { tier: "free", required_tier: "pro" })));
    const response = await ask("/v1/spot/XAG");
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: "plan_gated",
      message: "Your tier does not include this.",
      request_id: "mock-request",
      tier: "free",
      required_tier: "pro",
    });
  });

  test("carries headers a refusal is given", async () => {
    const detail = { limit: 10, window: "minute", retry_after_seconds: 7, reset_at: "2026-11-20T14:01:00Z" } as const;
    server.use(mocks.carat.get(mockRefusal("rate_limit_exceeded", detail, { "Retry-After": "7" })));
    const response = await ask("/v1/carat");
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
  });
});

describe("a mock that drifted from the contract", () => {
  const status = async (path: string) => (await ask(path)).status;

  // msw says there what its handlers threw.
  beforeEach(() => {
    vi.spyOn(console, "error").mockImplementation(() => {});
  });
  afterEach(() => vi.restoreAllMocks());

  test("fails when its answer is not of the route's schema", async () => {
    server.use(mocks.spot.get({ ...row, price: "3.4e3" }));
    expect(await status("/v1/spot/XAU")).toBe(500);
  });

  test("fails when its answer has a key nobody declared", async () => {
    server.use(mocks.spot.get(Object.assign({}, row, { surplus: 1 })));
    expect(await status("/v1/spot/XAU")).toBe(500);
  });

  test("fails when it refuses with a code the route never answers", async () => {
    server.use(mocks.spot.get(mockRefusal("unknown_pair", {})));
    expect(await status("/v1/spot/XAU")).toBe(500);
  });

  test("fails when the client asks for what the service would refuse", async () => {
    server.use(mocks.prices.divergence({ threshold_bps: 50, computed_at: "2026-11-20T14:00:00Z", diverged_count: 0 }));
    expect(await status("/v1/prices/divergence?threshold=50")).toBe(200);
    expect(await status("/v1/prices/divergence?threshold=0")).toBe(500);
  });
});
